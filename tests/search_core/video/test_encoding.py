"""Korean files in every encoding in use."""

from __future__ import annotations

import pytest

from search_core.errors import VideoReadError
from search_core.video.encoding import decode

KOREAN = "1\n00:00:01,000 --> 00:00:02,000\n메모리 대역폭은 왜 중요한가요? 오늘은 그 까닭을 살펴봅니다.\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp949", "euc-kr", "johab"]
)
def test_korean_is_read_in_each_encoding(encoding):
    """The same Korean subtitle comes out of every Korean encoding."""
    assert decode(KOREAN.encode(encoding)).text == KOREAN


@pytest.mark.parametrize("encoding", ["cp949", "johab"])
def test_a_few_syllables_are_enough(encoding):
    """Even a short greeting is told apart between the two old Korean encodings."""
    assert decode("안녕하세요".encode(encoding)).text == "안녕하세요"


def test_syllables_outside_euc_kr_are_read():
    """CP949 holds syllables that EUC-KR has no code for."""
    assert decode("똠방각하가 펲시를 마셨다고 하네요".encode("cp949")).text == "똠방각하가 펲시를 마셨다고 하네요"


def test_latin_text_is_not_taken_for_korean():
    """Western European bytes are read as such."""
    text = "Il était une fois un café très célèbre, où les garçons étaient élégants et les élèves naïfs."
    assert decode(text.encode("latin-1")).text == text


def test_japanese_is_not_taken_for_korean():
    """Shift JIS stays Japanese."""
    text = "これは日本語の字幕です。今日はメモリについてお話しします。よろしくお願いします。"
    assert decode(text.encode("cp932")).text == text


def test_line_ends_become_single():
    """Windows and old Mac line ends come out as line feeds."""
    assert decode("가\r\n나\r다\n".encode()).text == "가\n나\n다\n"


def test_a_broken_byte_is_shown_not_fatal():
    """One bad byte in a UTF-8 or CP949 file leaves the rest readable and marks the text as damaged."""
    for encoding in ("utf-8", "cp949"):
        data = (KOREAN * 20).encode(encoding)
        spoilt = data[:60] + b"\xff" + data[60:]
        found = decode(spoilt)
        assert found.damaged
        assert found.text.count("메모리 대역폭") >= 19


@pytest.mark.parametrize("data", [bytes(range(256)) * 4, b"\x00\x01\x02\x03" * 100, b"\x01\x02\x03\x04" * 50])
def test_binary_is_refused(data):
    """Bytes that are no text are refused with advice in Korean."""
    with pytest.raises(VideoReadError) as caught:
        decode(data)
    assert "SRT" in caught.value.korean
