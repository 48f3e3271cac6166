"""Sentences in several languages, and encodings that have all characters of these sentences."""

SENTENCES = {
    "da": "Blåbærgrød smager bedst på søndage, når æblerne er spist og børnene sover.",
    "de": "Grüße aus München, wo die Bäume schön blühen und die Straße nach Süden führt.",
    "es": "El niño comió después una canción de otoño, y mañana será otro día más cálido.",
    "fr": "L’élève a déjà mangé la crêpe à côté de la forêt où l’été finit.",
    "pt": "A ação não é o coração da solução às três, mas a atenção também é útil.",
    "sv": "Räksmörgås är gott på våren, när sjön är öppen och båtarna går förbi ön.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, a přece zůstal u své řeky.",
    "pl": "Zażółć gęślą jaźń, bo łódź płynie powoli, a święta są już blisko.",
    "hu": "Árvíztűrő tükörfúrógép a hegyről jött, és örült a szőlőnek meg a sütőnek.",
    "tr": "Bugün hava çok güzel, ışık ve gölge değişiyor, çocuklar bahçede şarkı söylüyor.",
    "el": "Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί κάθε πρωί στο δάσος.",
    "ru": "Съешь ещё этих мягких французских булок, да выпей чаю, пока он горячий.",
    "he": "הנסיך הקטן ישב על הכוכב שלו וחיכה לזריחה של השמש בכל בוקר מחדש.",
    "ja": "いろはにほへと散りぬるを、わが世たれぞ常ならむ。日本語の文章です。",
    "zh": "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。这是一段中文的文字。",
    "ko": "모든 국민은 법 앞에 평등하다. 누구든지 차별을 받지 아니한다.",
}

WESTERN = ["da", "de", "es", "fr", "pt", "sv"]

ENCODINGS = {
    **{language: ["cp1252"] for language in WESTERN},
    "cs": ["cp1250", "iso8859-2"],
    "pl": ["cp1250", "iso8859-2"],
    "hu": ["cp1250", "iso8859-2"],
    "tr": ["cp1254"],
    "el": ["cp1253", "iso8859-7"],
    "ru": ["koi8-r", "cp1251", "iso8859-5", "cp866"],
    "he": ["cp1255"],
    "ja": ["cp932", "euc_jp", "iso2022_jp"],
    "zh": ["gb18030"],
    "ko": ["cp949"],
}

UNICODE = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


def double_encoded(text: str, encoding: str = "latin-1") -> str:
    """Returns the text that results if the UTF-8 of `text` is decoded as `encoding`."""
    if encoding == "latin-1":
        return text.encode().decode("latin-1")
    # Five bytes have no character in Python's windows-1252. Like browsers, this function decodes
    # them to control characters.
    return "".join(
        bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode()
    )
