import array
import codecs
import mmap
import os
import pathlib
import random
import subprocess
import sys
import threading
from typing import Any

import pytest
from texts import ENCODINGS, SENTENCES, UNICODE

import utflane


def random_bytes(rng: random.Random) -> bytes:
    characters = ["a", "é", "€", "😀", "\0"]
    pieces = [character.encode() for character in characters] + [b"\xff", b"\xed\xa0\x80", b"\xe2\x82", b"\xc0"]
    return b"".join(rng.choice(pieces) for _ in range(rng.randrange(40)))


@pytest.mark.parametrize("encoding", UNICODE + ["latin-1", "ascii"])
@pytest.mark.parametrize("errors", ["replace", "ignore", "backslashreplace"])
def test_repairs_equal_replacements_of_python(encoding: str, errors: str) -> None:
    rng = random.Random(f"{encoding} {errors}")
    for _ in range(500):
        data = random_bytes(rng)
        if encoding.startswith("utf-16") or encoding.startswith("utf-32"):
            # Python counts an incomplete code unit at the end differently, so the data has no
            # incomplete unit.
            data = data[: len(data) // 4 * 4]
            if "32" in encoding or errors == "backslashreplace":
                data = data.decode("utf-8", "ignore").encode(encoding)
        theirs = data.decode(encoding, errors)
        ours = utflane.decode(data, encoding, errors)
        assert ours.text == theirs, data
        previous_end = 0
        for repair in ours.repairs:
            assert previous_end <= repair.start < repair.end <= len(data)
            previous_end = repair.end
        if errors == "replace" and encoding != "latin-1":
            positions = [i for i, c in enumerate(theirs) if c == "\ufffd"]
            assert [repair.position for repair in ours.repairs] == positions


@pytest.mark.parametrize("language", ENCODINGS)
def test_legacy_encodings(language: str) -> None:
    text = SENTENCES[language]
    for encoding in ENCODINGS[language]:
        data = text.encode(encoding)
        assert utflane.decode(data, encoding).text == text
        assert utflane.encode(text, encoding) == data
        assert utflane.validate(data, encoding) is None


def test_an_error_is_a_unicode_decode_error() -> None:
    data = b"abc\xe2\x82 \xff"
    with pytest.raises(UnicodeDecodeError) as theirs:
        data.decode()
    with pytest.raises(utflane.DecodeError) as ours:
        utflane.decode(data, "utf-8")
    for name in ["object", "start", "end"]:
        assert getattr(ours.value, name) == getattr(theirs.value, name)
    assert (ours.value.kind, ours.value.offset) == ("sequence too short", 3)
    with pytest.raises(utflane.DecodeError) as caught:
        utflane.decode([b"a", None, data], "utf-8")
    assert caught.value.index == 2


def test_validate() -> None:
    assert utflane.validate("größer".encode()) is None
    invalid = utflane.validate(b"ab\xed\xa0\x80")
    assert invalid is not None
    assert (invalid.position, invalid.length, invalid.kind) == (2, 1, "unpaired surrogate")
    assert not invalid.incomplete
    incomplete = utflane.validate(b"ab\xe2\x82")
    assert incomplete is not None
    assert (incomplete.position, incomplete.length, incomplete.incomplete) == (2, 2, True)
    assert utflane.validate([b"a", b"\xff", None]) == [None, utflane.validate(b"\xff"), None]
    assert utflane.validate([]) == []
    valid = "日本".encode("shift_jis") * 20_000
    invalid = utflane.validate(valid + b"\xff", "shift_jis")
    assert invalid is not None and invalid.position == len(valid)
    assert utflane.validate(b"", "shift_jis") is None


def test_byte_order_marks() -> None:
    for encoding in ["utf-8-sig", "utf-16", "utf-32"]:
        data = "größer".encode(encoding)
        assert utflane.decode(data, encoding).text == "größer"
        assert utflane.encode("größer", encoding) == data
        assert utflane.decode(data).text == "größer"
    broken = b"\xff\xfea\0\0\xd8"
    assert utflane.decode(broken, "utf-16", "replace").repairs[0].start == 4
    assert utflane.decode(b"\xfe\xff\0a", "utf-16").encoding == "utf-16be"


@pytest.mark.parametrize("encoding", ["gbk", "euc-kr"])
def test_python_decodes_the_same_text(encoding: str) -> None:
    # Python decodes well-formed bytes, and the library a bytearray.
    for lead in range(0x80, 0x100):
        for trail in range(0x20, 0x100):
            data = bytes([lead, trail])
            ours = utflane.decode(bytearray(data), encoding, "replace")
            if not ours.repairs:
                assert utflane.decode(data, encoding).text == ours.text
            else:
                with pytest.raises(utflane.DecodeError):
                    utflane.decode(data, encoding)


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "big5", "euc-jp", "euc-kr", "shift_jis", "iso-2022-jp"])
def test_long_texts_are_encoded_as_their_parts(encoding: str) -> None:
    text = "".join(map(chr, range(0x20, 0xD800, 7))) + "".join(map(chr, range(0xE000, 0x20200, 99)))
    parts = [text[start : start + 50] for start in range(0, len(text), 50)]
    replaced = utflane.encode(text, encoding, "replace")
    decoded = "".join(utflane.decode(utflane.encode(part, encoding, "replace"), encoding).text for part in parts)
    assert utflane.decode(replaced, encoding).text == decoded
    mappable = "".join(a for a, b in zip(text, decoded, strict=True) if a == b)
    assert len(mappable) > 1000
    encoded = utflane.encode(mappable, encoding)
    assert utflane.decode(encoded, encoding).text == mappable
    with pytest.raises(UnicodeEncodeError) as caught:
        utflane.encode(mappable + "\ud800", encoding)
    assert caught.value.start == len(mappable)


def test_control_characters_of_iso_2022_jp() -> None:
    for control in "\x0e\x0f\x1b":
        with pytest.raises(UnicodeEncodeError) as caught:
            utflane.encode("語" + control, "iso-2022-jp")
        assert (caught.value.start, caught.value.end) == (1, 2)
    assert utflane.encode("\x0ea", "iso-2022-jp", "replace") == b"?a"
    assert utflane.encode("\x0ea", "iso-2022-jp", "xmlcharrefreplace") == b"&#14;a"


def test_encode_errors() -> None:
    for errors in ["replace", "ignore", "xmlcharrefreplace", "backslashreplace"]:
        for encoding in ["latin-1", "ascii", "cp1252", "koi8-r", "utf-8"]:
            text = "5 😀 ÿ Ж\ud800 \udcff."
            assert utflane.encode(text, encoding, errors) == text.encode(encoding, errors)
    for text, encoding in [("aé😀€", "latin-1"), ("aé😀Ж", "cp1252"), ("a😀\ud800", "utf-8"), ("é\udcff", "utf-16-le")]:
        with pytest.raises(UnicodeEncodeError) as theirs:
            text.encode(encoding)
        with pytest.raises(utflane.EncodeError) as ours:
            utflane.encode(text, encoding)
        assert (ours.value.object, ours.value.start) == (text, theirs.value.start)
    escaped = b"a\xff\xc3".decode("utf-8", "surrogateescape")
    assert utflane.decode(b"a\xff\xc3", "utf-8", "surrogateescape").text == escaped
    assert utflane.encode(escaped, "utf-8", "surrogateescape") == b"a\xff\xc3"
    assert utflane.decode(b"\xff\xc0\xaf", "utf-8", "latin1").text == "ÿÀ¯"


def test_all_bytes_like_objects_are_accepted(tmp_path: pathlib.Path) -> None:
    data = "größer".encode()
    path = tmp_path / "text"
    path.write_bytes(data)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        objects: list[Any] = [data, bytearray(data), memoryview(data), array.array("B", data), mapped]
        for given in objects:
            assert utflane.decode(given).text == "größer"
            assert utflane.validate(given) is None
            assert utflane.detect(given).encoding == "utf-8"
            assert utflane.Index(given).code_points == 6
    every_second_byte = memoryview(b"a\xffb\xff")[::2]
    assert utflane.decode(every_second_byte, "utf-8").text == "ab"
    assert utflane.decode(array.array("H", [0x41, 0x42]), "utf-16le").text == "AB"
    resizable = bytearray(data)
    utflane.decode(resizable)
    resizable += b"!"  # This fails if the bytearray is still exported.
    for wrong_argument in ["text", 5, None]:
        with pytest.raises(TypeError, match="bytes-like"):
            utflane.decode(wrong_argument)  # type: ignore[call-overload]


def test_a_bytearray_that_changes_meanwhile_is_copied() -> None:
    data = bytearray("größer ".encode() * 20_000)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            data[0] = data[0] ^ 0x20
            data.append(0x61)
            data.pop()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            text = utflane.decode(data, "utf-8").text
            assert text[1:7] == "rößer " and len(text) in (140_000, 140_001)
    finally:
        stop.set()
        thread.join()


def test_other_threads_run_during_a_call() -> None:
    data = ["fÃ¶rste gÃ¥ng " * 1000] * 3000
    counted = 0
    done = threading.Event()

    def work() -> None:
        utflane.fix_mojibake(data)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
    thread.join()
    assert counted > 100


def test_decoder_equals_decoding_of_the_whole_text() -> None:
    rng = random.Random(1)
    for encoding in ["utf-8", "utf-16", "utf-16le", "utf-32be", "wtf-8", "shift_jis", "utf-8-sig"]:
        for _ in range(100):
            data = random_bytes(rng)
            whole = utflane.decode(data, encoding, "replace")
            decoder = utflane.Decoder(encoding, "replace")
            parts, rest = [], data
            while rest:
                cut = rng.randrange(len(rest) + 1)
                parts.append(decoder.decode(rest[:cut]))
                rest = rest[cut:]
            text = "".join([*parts, decoder.decode(b"", True)])
            assert text == whole.text, (encoding, data)
            assert decoder.repairs == len(whole.repairs)


def test_decoder_errors_have_the_offset_in_the_stream() -> None:
    decoder = utflane.Decoder("utf-8")
    assert decoder.decode(b"abc\xe2") == "abc"
    assert decoder.offset == 4
    with pytest.raises(utflane.DecodeError) as caught:
        decoder.decode(b"\x82x")
    error = caught.value
    assert (error.object, error.start, error.end, error.offset) == (b"\xe2\x82x", 0, 2, 3)
    with pytest.raises(LookupError, match="needs the name"):
        utflane.Decoder("auto")


def test_names_of_encodings_and_handlers() -> None:
    assert utflane.lookup("UTF8") == "utf-8"
    assert utflane.lookup("sjis") == "shift_jis"
    assert len(utflane.encodings()) > 40
    with pytest.raises(utflane.UnknownEncodingError, match="similar names: utf-8"):
        utflane.decode(b"", "uft-8")
    with pytest.raises(LookupError, match="error handler"):
        utflane.decode(b"", "utf-8", "nothing")


def test_repairs_take_few_bytes_of_memory() -> None:
    for data in [b"\xff" * 2_000_000, b"a\xff" * 1_000_000, b"\xe2\x82a\xffbc" * 300_000, b"\xffa\xffab" * 300_000]:
        decoded = utflane.decode(data, "utf-8", "replace")
        assert len(decoded.repairs) == data.decode("utf-8", "replace").count("\ufffd")
        # At most eight bytes for each repair, and a fixed part.
        assert sys.getsizeof(decoded.repairs) < 8 * len(decoded.repairs) + 1000
        positions = [i for i, c in enumerate(decoded.text) if c == "\ufffd"]
        for index in [0, 1, 63, 64, 65, 1000, len(positions) // 2, len(positions) - 1]:
            repair = decoded.repairs[index]
            assert repair.position == positions[index] and repair.length == 1
            assert data[repair.start : repair.end].decode("utf-8", "replace") == "\ufffd"
            assert decoded.repairs[index - len(positions)] == repair
    with pytest.raises(IndexError):
        decoded.repairs[len(positions)]


def test_repairs_by_index_equal_iterated_repairs() -> None:
    rng = random.Random(8)
    pieces = [b"a", "é".encode(), "😀".encode(), b"\xff", b"\xff" * 100, b"\xe2\x82", b"\xed\xa0\x80", b"x" * 300]
    for _ in range(100):
        data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(60)))
        for errors in ["replace", "backslashreplace", "ignore", "surrogateescape"]:
            decoded = utflane.decode(data, "utf-8", errors)
            repairs = list(decoded.repairs)
            assert [decoded.repairs[i] for i in range(len(repairs))] == repairs
            rebuilt, previous_end = "", 0
            for repair in repairs:
                rebuilt += data[previous_end : repair.start].decode()
                assert len(rebuilt) == repair.position
                rebuilt += data[repair.start : repair.end].decode("utf-8", errors)
                assert len(rebuilt) == repair.position + repair.length
                previous_end = repair.end
            assert rebuilt + data[previous_end:].decode() == decoded.text


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_of_many_repairs_is_small() -> None:
    script = """
import utflane
decoded = utflane.decode(b"\\xff" * 20_000_000, "utf-8", "replace")
assert len(decoded.repairs) == 20_000_000
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    peak = int(process.stdout)
    assert peak < 500_000, f"{peak} KiB of memory used"


@pytest.mark.parametrize("page", ["cp037", "cp437", "cp850", "cp864", "cp1140", "mac_greek", "koi8_t", "kz1048", "cp1251"])
def test_code_pages_agree_with_python(page: str) -> None:
    codec = codecs.lookup(page)
    for byte in range(256):
        data = bytes([byte]) * 3
        try:
            text = codec.decode(data)[0]
        except UnicodeDecodeError:
            continue
        assert utflane.decode(data, page).text == text
        assert utflane.encode(text, page) == data
        assert data.decode(f"utflane-{page}") == text
    with pytest.raises(utflane.EncodeError) as caught:
        utflane.encode("ab\u4e00", page)
    assert caught.value.start == 2
    assert utflane.encode("a\u4e00", page, "replace") == codec.encode("a?")[0]
    assert utflane.encode("a\u4e00", page, "backslashreplace") == codec.encode("a\\u4e00")[0]


def test_lines_of_ebcdic() -> None:
    assert utflane.decode(b"\x81\x15\x82", "cp1047").text == "a\x85b"
    assert utflane.decode(b"\x81\x15\x82", "cp1047-lf").text == "a\nb"
    assert utflane.encode("a\nb", "cp1047-lf") == b"\x81\x15\x82"


def test_both_implementations_of_single_byte_encodings_agree() -> None:
    """Text without errors is converted as a whole, through UTF-16, and text with errors step by step."""
    for name, _ in utflane.encodings():
        for byte in range(256):
            data = bytes([byte, 0x61])
            try:
                text = utflane.decode(data, name).text
            except utflane.DecodeError:
                assert "\ufffd" in utflane.decode(data, name, "replace").text
                continue
            if text[-1:] != "a" or len(text) != 2:
                continue
            # The Rust code converts a bytearray, and texts with errors.
            assert utflane.decode(bytearray(data), name).text == text
            assert utflane.decode(data + b"\xff\xff", name, "replace").text.startswith(text)
            # The Unicode encodings repair the surrogate in other ways.
            if not name.startswith(("utf", "wtf")):
                assert utflane.encode(text + "\ud800", name, "replace") == utflane.encode(text + "?", name, "replace")
                # In these encodings, several byte sequences may decode to the same character.
                if not name.startswith(("gb", "big5", "euc", "shift", "iso-2022")):
                    assert utflane.encode(text, name) == data
