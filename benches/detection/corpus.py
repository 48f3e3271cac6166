"""Texts in many languages from Debian's packages, for the training and the comparison of detectors.

Each text is a document of one language. `is_held_out` keeps one document in five apart from training, for the comparison. The
packages are downloaded once (`apt-get download`), to target/detection/. Nothing is installed.
"""

import glob
import gzip
import hashlib
import html
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOWNLOADS = pathlib.Path(os.environ.get("UTFLANE_DETECTION", ROOT / "target" / "detection"))

# The languages, by the codes of this project, with the codes of Debian's packages where these differ.
LANGUAGES = (
    "af ar az be bg br bs ca cs cy da de el en eo es et eu fa fi fo fr ga gd gl he hr hu hy id is it ja ka kk ko ku lt lv mk mn ms"
    " mt nb nl nn oc pl pt ro ru sk sl sq sr sv tg th tr ug uk ur uz vi zh zh_TW"
).split()
# By folder of a package: other codes of a language.
CODES = {"zh_CN": "zh", "zh-CN": "zh", "zh-cn": "zh", "zh_TW": "zh_TW", "zh-TW": "zh_TW", "zh-tw": "zh_TW", "pt_BR": "pt", "pt-BR": "pt",
    "nb-NO": "nb", "no": "nb", "hy-AM": "hy", "ga-IE": "ga", "ga-ie": "ga", "hy-am": "hy", "pt-br": "pt", "kmr-Latn": "ku", "kmr": "ku", "br@fortunes": "pt"}
# The packages of each source: its prefix, and the codes after it.
SOURCES = {
    "libreoffice-l10n-": "af ar be bg br bs ca cs cy da de el eo es et eu fa fi fr ga gd gl he hr hu id is it ja ka kk ko lt lv mk mn"
        " nb nl nn oc pl pt pt-br ro ru sk sl sr sv tg th tr ug uk uz vi zh-cn zh-tw kmr",
    "firefox-esr-l10n-": "sq hy-am ms az fa ur kk is eo cy ga-ie be",
    "manpages-": "cs da de el es fi fr hu id it ja mk nb nl pl pt pt-br ro ru sr sv tr uk vi zh",
    "gimp-help-": "ca cs da de el en es fa fi fr hr hu it ja ko lt nl nn pt pt-br ro ru sl sv uk zh-cn",
    "fortunes-": "bg br cs de eo es ga it pl ru zh",
    "aptitude-doc-": "cs es fi fr it ja nl ru",
}
PACKAGES = [f"{prefix}{code}" for prefix, codes in SOURCES.items() for code in codes.split()]
PACKAGES += ["installation-guide-amd64", "debian-handbook", "iso-codes", "manpages", "fortunes", "myspell-fo", "myspell-sq"]


def unpack(packages):
    """Downloads and unpacks Debian packages, each into a separate folder. Returns the folders by package."""
    for package in packages:
        folder = DOWNLOADS / "packages" / package
        if folder.exists():
            continue
        with tempfile.TemporaryDirectory() as temporary:
            subprocess.run(["apt-get", "download", "--quiet", package], cwd=temporary, check=True, stdout=subprocess.DEVNULL)
            (archive,) = glob.glob(f"{temporary}/*.deb")
            folder.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["dpkg-deb", "--extract", archive, folder], check=True)
    return {package: DOWNLOADS / "packages" / package for package in packages}


def strip_roff(page):
    """Returns the text of a manual page without most of its markup."""
    lines = (line for line in page.splitlines() if not line.startswith((".", "'")))
    text = "\n".join(lines).replace("\\-", "-")
    return re.sub(r"\\(f\[[^]]*\]|f\(..|f.|\[[^]]*\]|\(..|.)", "", text)


def strip_html(page):
    """Returns the text of a page of HTML."""
    page = re.sub(r"(?is)<(script|style|head)\b.*?</\1>|<!--.*?-->", " ", page)
    page = re.sub(r"(?i)<(p|br|div|li|h\d|tr|dt|dd|pre)\b[^>]*>", "\n", page)
    return re.sub(r"\s*\n\s*", "\n", html.unescape(re.sub(r"<[^>]*>", "", page)))


def messages(data):
    """Yields the translations of a file of gettext, without marks of access keys and without placeholders."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    _, _, count, originals, translations = struct.unpack(f"{order}5I", data[:20])
    for i in range(count):
        original_len, _ = struct.unpack(f"{order}2I", data[originals + 8 * i:originals + 8 * i + 8])
        length, start = struct.unpack(f"{order}2I", data[translations + 8 * i:translations + 8 * i + 8])
        original_start = struct.unpack(f"{order}I", data[originals + 8 * i + 4:originals + 8 * i + 8])[0]
        original = data[original_start:original_start + original_len].split(b"\x04")[-1].split(b"\0")[0]
        if not original_len or data[start:start + length].split(b"\0")[0] == original:
            continue
        text = data[start:start + length].decode("utf-8", "replace").split("\0")[0]
        text = re.sub(r"\([~_]\w\)|[~_](?=\w)|<[^>]*>|%\w|\$\(?\w+\)?", "", text)
        if len(text) >= 3 and not text.isascii() or " " in text:
            yield text


def ftl_messages(data):
    """Yields the values of a file of Fluent or of properties."""
    for line in data.decode("utf-8", "replace").splitlines():
        value = re.match(r"\s*[\w.\[\]*-]+\s*=\s*(.+)$|^\s{4,}([^.\[{}#].*)$", line)
        if value:
            text = re.sub(r"\{[^}]*\}|<[^>]*>|%\S+", "", value.group(1) or value.group(2))
            if " " in text:
                yield text


def blocks(source, texts):
    """Yields documents of about 4,000 characters from messages. A document has the identity of its first message."""
    block, length = [], 0
    for text in sorted(set(texts), key=lambda text: hashlib.sha1(text.encode()).digest()):
        block.append(text)
        length += len(text)
        if length > 4_000:
            yield source, block[0], "\n".join(block)
            block, length = [], 0
    if block:
        yield source, block[0], "\n".join(block)


def code_of(name):
    """Returns this project's code for a code of a package."""
    return CODES.get(name, name)


def documents():
    """Yields each document: language, source, name, text."""
    folders = unpack(PACKAGES)
    for package, folder in sorted(folders.items()):
        source = next((prefix for prefix in SOURCES if package.startswith(prefix)), package)
        found = {}
        for path in sorted(folder.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            name, parts = path.name, path.relative_to(folder).parts
            if name.endswith(".mo"):
                found.setdefault(code_of(parts[-3]), []).extend(messages(path.read_bytes()))
            elif name.endswith(".xpi"):
                code = code_of(package.removeprefix(source))
                with zipfile.ZipFile(path) as archive:
                    for entry in archive.namelist():
                        if entry.endswith((".ftl", ".properties")):
                            found.setdefault(code, []).extend(ftl_messages(archive.read(entry)))
            elif source in ("manpages-", "manpages") and "/man/" in str(path) and name.endswith(".gz"):
                code = "en" if source == "manpages" else code_of(re.sub(r"\..*", "", parts[3]))
                try:
                    yield code, source, name, strip_roff(gzip.decompress(path.read_bytes()).decode("utf-8"))
                except UnicodeDecodeError:
                    pass
            elif name.endswith(".html"):
                folder_names = [code_of(part) for part in parts[:-1]] + [code_of(re.sub("-[A-Z]+$", "", part)) for part in parts]
                code = next((part for part in folder_names if part in LANGUAGES), None)
                if source == "aptitude-doc-":
                    code = code_of(package.removeprefix(source))
                if code:
                    try:
                        yield code, source, f"{parts[-2]}/{name}", strip_html(path.read_bytes().decode("utf-8"))
                    except UnicodeDecodeError:
                        pass
            elif "/fortunes" in str(path.parent) and not name.endswith((".dat", ".u8")):
                code = package.removeprefix(source)
                code = {"br": "pt", "": "en"}.get(code, code)
                try:
                    text = path.read_bytes().decode("utf-8")
                except UnicodeDecodeError:
                    continue
                for number, block in enumerate(re.split(r"(?:\n%\n.*?){20}", text)):
                    yield code, source, f"{name}/{number}", block.replace("\n%\n", "\n")
            elif package.startswith("myspell-") and name.endswith(".dic"):
                lines = path.read_bytes().decode({"fo": "latin-1", "sq": "latin-1"}[package.removeprefix("myspell-")]).split("\n")
                words = [re.sub("/.*", "", line) for line in lines[1:]]
                # Words in a random order, in lines of eight.
                words.sort(key=lambda word: hashlib.sha1(word.encode()).digest())
                code = package.removeprefix("myspell-")
                found.setdefault(code, []).extend(" ".join(words[i:i + 8]) for i in range(0, len(words), 8))
        for code, texts in found.items():
            for document in blocks(source, texts):
                yield code, *document


def is_held_out(name):
    """Returns true for the one document in five that is not for training."""
    return hashlib.sha1(name.encode()).digest()[0] % 5 == 0


# By language: how often words that are frequent there, and not elsewhere, occur in it. Untranslated English is left out by this.
def is_untranslated(language, text):
    """Returns true if the text is probably English in a package of another language."""
    if language == "en":
        return False
    words = re.findall(r"[a-z]+", text.lower())
    english = sum(word in {"the", "of", "and", "to", "is", "with", "this", "for", "that"} for word in words)
    return english > len(words) / 12 and english > min(3, len(words) / 8)


def load():
    """Returns the documents of each language: `{language: [(source, name, text)]}`. They are kept in one file."""
    cache = DOWNLOADS / "documents.json.gz"
    if not cache.exists():
        found = {language: [] for language in LANGUAGES}
        seen = set()
        for language, source, name, text in documents():
            digest = hashlib.sha1(text.encode("utf-8", "replace")).digest()
            if language in found and len(text) > 40 and digest not in seen and not is_untranslated(language, text):
                seen.add(digest)
                found[language].append((source, name, text))
        with gzip.open(cache, "wt", encoding="utf-8", compresslevel=3) as file:
            json.dump(found, file, ensure_ascii=False)
    with gzip.open(cache, "rt", encoding="utf-8") as file:
        return json.load(file)


if __name__ == "__main__":
    for language, texts in load().items():
        sizes = {}
        for source, _, text in texts:
            sizes[source] = sizes.get(source, 0) + len(text)
        print(language, sum(sizes.values()), sizes)
