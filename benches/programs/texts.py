"""Generates the texts of the measured programs. Each generator of lines never ends."""

import json
import random

# The size of the lines that a text repeats: too many for the processor to learn their branches.
REPEATED_BYTES = 4_000_000

WORDS = {
    "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es"
    " an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum"
    " war haben nur oder aber vor zur bis mehr durch man sein wurde können müssen größer schön"
    " Straße"
    " Menschen Häuser Zeit Jahr zwischen während später Wörter hätte würde könnte möglich"
    " natürlich",
    "fr": "le de un être et à il avoir ne je son que se qui ce dans en du elle au pour pas"
    " cette vous"
    " par sur faire plus dire me on mon lui nous comme mais pouvoir avec tout aller voir bien"
    " où sans"
    " tu ou leur homme si deux même prendre année très après déjà élève été forêt façon français"
    " première côté hôtel dernière différent société système général également plutôt général",
    "pl": "w i na z się nie do to że jest o jak po co ale za od przez ale tylko są jego jej już być"
    " może który która które można także więc przed bardzo kiedy gdzie człowiek miasto życie dzień"
    " książka świat ręka dziecko słowo droga woda mężczyzna kobieta pieniądze szkoła rząd różne",
    "ru": "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой от"
    " так о же как год для человек время рука дело раз глаз жизнь день голова друг дом слово место"
    " лицо сторона нога дверь работа земля конец час голос город вода стол",
    "el": "και το να του η της με που την από για είναι στο ότι θα στην οι τα δεν σε μια ένα"
    " αυτό έχει"
    " μου όταν αλλά πολύ μέρα ζωή άνθρωπος χρόνος σπίτι νερό πόλη γυναίκα παιδί κόσμος δρόμος όπως",
}
# Japanese, Chinese and Korean are written without spaces between most words, or with few.
PHRASES = {
    "ja": "私は 毎日 学校に 行きます。 今日は とても 天気が いいですね。 日本語を 勉強しています。 この本は 面白いと"
    " 思います。 東京の 電車は 便利です。 友達と 映画を 見ました。 明日の 会議は 何時から ですか。 それでは また 後で"
    " コーヒーを 飲みながら 新聞を 読む。 新しい コンピューターを 買いました。",
    "zh": "我们 今天 在 学校 学习 中文。 这个 城市 的 人口 很多， 因为 经济 发展 很快。 他 喜欢 看书 和 音乐， 但是 没有"
    " 时间。 北京 是 中国 的 首都。 明天 可能 会 下雨， 所以 不要 忘记 带 雨伞。 她 说 这 本 书 非常 有意思。",
    "ko": "나는 오늘 학교에 갔습니다. 한국어를 공부하고 있어요. 이 책은 아주 재미있습니다. 서울은 대한민국의 수도이다."
    " 내일 날씨가 좋으면 친구와 함께 산에 갈 것입니다. 그는 커피를 마시면서 신문을 읽었다. 새로운 컴퓨터를 샀어요.",
}
# The encodings of the folder's files, as Python names them, with their languages.
FOLDER_ENCODINGS = [
    ("utf-8", "de fr pl ru el ja zh ko"),
    ("utf-16", "de ru ja"),
    ("windows-1252", "de fr"),
    ("windows-1250", "pl"),
    ("windows-1251", "ru"),
    ("koi8-r", "ru"),
    ("windows-1253", "el"),
    ("shift_jis", "ja"),
    ("euc-jp", "ja"),
    ("gb18030", "zh"),
    ("euc-kr", "ko"),
]


def sentence(rng, language):
    """Returns a sentence of random words."""
    if language in PHRASES:
        words = PHRASES[language].split()
        space = " " if language == "ko" else ""
        return space.join(rng.choice(words) for _ in range(rng.randrange(6, 16)))
    words = [rng.choice(WORDS[language].split()) for _ in range(rng.randrange(6, 16))]
    return " ".join(words).capitalize() + rng.choice(".,?!")


def german(rng):
    """Yields lines of German words."""
    while True:
        yield sentence(rng, "de")


def russian(rng):
    """Yields lines of Russian words."""
    while True:
        yield sentence(rng, "ru") + (" Ошибка" if rng.randrange(200) == 0 else "")


def log(rng):
    """Yields the lines of a server's log."""
    second = 0
    while True:
        second += rng.randrange(3)
        time = f"{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}"
        time = f"2026-11-29T{time}.{rng.randrange(1000):03}Z"
        level = rng.choices(["INFO", "DEBUG", "WARN", "ERROR"], [80, 15, 4, 1])[0]
        path = rng.choice(["/", "/api/items", "/api/users", "/search", "/static/app.js"])
        yield (
            f"{time} {level:5} worker-{rng.randrange(16)}: GET {path}?id={rng.randrange(10**6)}"
            f" from 10.0.{rng.randrange(256)}.{rng.randrange(256)} took {rng.randrange(900)} ms"
        )


def posts(rng):
    """Yields JSON, like the answer to a search in a social network: 100 posts, most of them Japanese."""
    while True:
        statuses = []
        for _ in range(100):
            language = rng.choice(["ja", "ja", "ja", "ru", "fr"])
            name = sentence(rng, language)[:12]
            user = {
                "id": rng.randrange(10**10),
                "name": name,
                "screen_name": f"user_{rng.randrange(10**6)}",
                "location": rng.choice(["東京", "大阪", "Москва", "Genève", ""]),
                "description": sentence(rng, language),
                "url": None,
                "followers_count": rng.randrange(10**5),
                "verified": rng.random() < 0.05,
                "lang": language,
            }
            statuses.append({
                "created_at": "Sun Nov 29 10:15:59 +0000 2026",
                "id": rng.randrange(10**18),
                "text": f"@user_{rng.randrange(10**6)} {sentence(rng, language)}\n#{name}",
                "source": '<a href="https://example.com/app" rel="nofollow">App</a>',
                "in_reply_to_status_id": None,
                "user": user,
                "retweet_count": rng.randrange(1000),
                "entities": {"hashtags": [{"text": name, "indices": [39, 52]}], "urls": []},
                "favorited": False,
            })
        yield json.dumps({"statuses": statuses}, ensure_ascii=False)


def orders(rng):
    """Yields lines of a CSV file in UTF-8. One in 20 has a city or a note in windows-1252."""
    number = 0
    while True:
        number += 1
        city = rng.choice(["Köln", "München", "Genève", "Málaga", "Århus", "Łódź", "Москва"])
        note = sentence(rng, "de")
        if rng.randrange(20) == 0:
            # Python encodes such a surrogate as the byte that it stands for.
            city, note = (
                field.encode("windows-1252", "replace").decode("utf-8", "surrogateescape")
                for field in (city, note)
            )
        yield f'{number},{city},"{note}"'


def repeated(path, size, encoding, lines):
    """Writes a text of at least `size` bytes to a file, if it does not exist. Returns the path."""
    if not path.exists() or path.stat().st_size < size:
        block = bytearray()
        for line in lines(random.Random(57)):
            block += (line + "\n").encode(encoding, "surrogateescape")
            if len(block) >= REPEATED_BYTES:
                break
        with path.open("wb") as file:
            file.write(b"\xFF\xFE" if encoding == "utf-16-le" else b"")
            for _ in range(-(-size // len(block))):
                file.write(block)
    return path


def write_folder(folder, files):
    """Writes files of 2 to 50 KB in various encodings. Returns their texts by name."""
    rng = random.Random(58)
    folder.mkdir(exist_ok=True)
    texts = {}
    for number in range(files):
        encoding, languages = FOLDER_ENCODINGS[number % len(FOLDER_ENCODINGS)]
        language = rng.choice(languages.split())
        size = int(2_000 * 25 ** rng.random())
        data = bytearray(b"\xFF\xFE" if encoding == "utf-16" else b"")
        codec = "utf-16-le" if encoding == "utf-16" else encoding
        text = ""
        while len(data) < size:
            line = sentence(rng, language) + "\n"
            data += line.encode(codec)
            text += line
        name = f"{number:03}-{language}-{encoding}.txt"
        (folder / name).write_bytes(data)
        texts[name] = text
    return texts
