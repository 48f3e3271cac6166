import pickle

import pytest
from texts import ENCODINGS, SENTENCES, UNICODE, WESTERN

import utflane


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("encoding", UNICODE)
def test_unicode_encodings(language: str, encoding: str) -> None:
    data = SENTENCES[language].encode(encoding)
    found = utflane.detect(data)
    assert found.encoding is not None
    assert data.decode(found.encoding) == SENTENCES[language]
    assert found.candidates[0] == found.encoding
    assert utflane.decode(data).text == SENTENCES[language]


@pytest.mark.parametrize("language", ENCODINGS)
def test_legacy_encodings(language: str) -> None:
    text = SENTENCES[language]
    for encoding in ENCODINGS[language]:
        found = utflane.detect(text.encode(encoding))
        texts = [utflane.decode(text.encode(encoding), name, "replace").text for name in found.candidates]
        assert texts[0] == text, (encoding, found)


def test_confidence_marks_and_binary_data() -> None:
    found = utflane.detect(b"gr\xf6\xdfer und k\xfchler")
    assert (found.encoding, found.confidence) == ("latin1", "likely")
    one_word = utflane.detect(b"gr\xf6\xdfer")
    assert (one_word.encoding, one_word.confidence) == ("latin1", "guess")
    marked = utflane.detect("größer".encode("utf-8-sig"))
    assert (marked.encoding, marked.confidence, marked.mark_length) == ("utf-8", "certain", 3)
    binary = utflane.detect(bytes(range(8)) * 100)
    assert binary.encoding is None and binary.candidates == []
    with pytest.raises(LookupError, match="not text"):
        utflane.decode(bytes(range(8)) * 100)
    assert utflane.detect(b"").encoding == "ascii"
    detections = utflane.detect([SENTENCES[language].encode() for language in WESTERN])
    assert [found.encoding for found in detections] == ["utf-8"] * len(WESTERN)


def test_a_prefix_may_end_inside_a_character() -> None:
    prefix = "größer".encode()[:3]
    assert utflane.detect(prefix, prefix=True).encoding == "utf-8"
    assert utflane.detect(prefix).encoding != "utf-8"


def test_a_short_czech_text_is_not_detected_as_utf16() -> None:
    data = "Příliš žluťoučký kůň".encode("cp1250")
    decoded = utflane.decode(data)
    assert (decoded.text, decoded.encoding) == ("Příliš žluťoučký kůň", "windows-1250")
    assert "utf-16be" not in utflane.detect(data).candidates


def test_detector_reads_a_text_in_chunks() -> None:
    detector = utflane.Detector()
    assert detector.is_plain and detector.length == 0
    data = b"plain ascii\n" * 10_000 + "größer\n".encode() * 10_000
    for offset in range(0, len(data), 997):
        assert detector.is_plain == (offset <= 120_002)
        detector.push(data[offset : offset + 997])
    assert detector.length == len(data) and detector.is_decided and not detector.is_mixed()
    assert detector.detection() == utflane.detect(data)
    detector.push("größer\n".encode("utf-16-be") * 100)
    assert detector.is_mixed()
    assert detector.detection().parts == ((0, "utf-8"), (len(data), "utf-16be"))
    assert not detector.is_plain and utflane.Detector().detection() == utflane.detect(b"")


def test_language_and_probability() -> None:
    text = "Zapomněl jsem deštník a čekal na autobus. Přišel až večer."
    found = utflane.detect(text.encode("cp852"))
    assert (found.encoding, found.language, found.confidence) == ("cp852", "cs", "likely")
    assert 0.97 < found.probability <= 1
    assert utflane.detect(b"plain").language is None
    assert found == utflane.detect(text.encode("cp852"))
    assert pickle.loads(pickle.dumps(found)) == found


def test_expected_languages() -> None:
    data = b"Ja\xbc\xf1"
    assert utflane.detect(data, languages=["pl", "cs"]).encoding == "iso-8859-2"
    detector = utflane.Detector(languages=["PL"])
    detector.push(data)
    assert detector.detection().encoding == "iso-8859-2"
    assert utflane.detect([data], languages=["pl"])[0].encoding == "iso-8859-2"
    with pytest.raises(ValueError, match="unknown language: xx; the languages are af, ar"):
        utflane.detect(data, languages=["xx"])
