from __future__ import annotations

import pytest

from search_core.language.korean.decoding import decode_text

SENTENCE = "메모리 대역폭은 일 초에 옮길 수 있는 데이터의 양이다. 그래서 중요하다."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp949", "euc_kr", "johab"])
def test_korean_is_read_in_every_encoding(encoding: str):
    """Korean text comes back the same from each encoding Korean files are kept in."""
    text, _ = decode_text(SENTENCE.encode(encoding))
    assert text == SENTENCE


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4, bytes(1000), b"\x01\x02\x03\x04" * 50]
)
def test_binary_is_refused(data: bytes):
    """Bytes that are no text raise ValueError."""
    with pytest.raises(ValueError, match="not text"):
        decode_text(data)


def test_other_texts_are_read():
    """Syllables that only CP949 has, Western European letters and Japanese are read right, and line ends become line feeds."""
    rare = "똠방각하가 펲시를 마시는 것을 보았다."
    assert decode_text(rare.encode("cp949")) == (rare, "cp949")
    german = "Die Straße führt über schöne Brücken, größere Plätze und ältere Häuser für müde Gäste."
    assert decode_text(german.encode("cp1252"))[0] == german
    japanese = "これは日本語の字幕です。今日はメモリについてお話しします。よろしくお願いします。"
    assert decode_text(japanese.encode("cp932"))[0] == japanese
    assert decode_text(b"a\r\nb\rc\n")[0] == "a\nb\nc\n"
