"""Korean files in every encoding in use."""

from __future__ import annotations

import pytest

from search_core.errors import VideoReadError
from search_core.korean.decoding import decode_text
from search_core.video.upload import VideoUpload, parse_file

KOREAN = "1\n00:00:01,000 --> 00:00:02,000\n메모리 대역폭은 왜 중요한가요? 오늘은 그 까닭을 살펴봅니다.\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp949", "euc-kr", "johab"]
)
def test_korean_is_read_in_each_encoding(encoding):
    """The same Korean subtitle comes out of every Korean encoding."""
    assert decode_text(KOREAN.encode(encoding))[0] == KOREAN


@pytest.mark.parametrize("encoding", ["cp949", "johab"])
def test_a_few_syllables_are_enough(encoding):
    """Even a short greeting is told apart between the two old Korean encodings."""
    assert decode_text("안녕하세요".encode(encoding))[0] == "안녕하세요"


def test_syllables_outside_euc_kr_are_read():
    """CP949 holds syllables that EUC-KR has no code for."""
    assert decode_text("똠방각하가 펲시를 마셨다고 하네요".encode("cp949"))[0] == "똠방각하가 펲시를 마셨다고 하네요"


def test_latin_text_is_not_taken_for_korean():
    """Western European bytes are read as such."""
    text = "Il était une fois un café très célèbre, où les garçons étaient élégants et les élèves naïfs."
    assert decode_text(text.encode("latin-1"))[0] == text


def test_japanese_is_not_taken_for_korean():
    """Shift JIS stays Japanese."""
    text = "これは日本語の字幕です。今日はメモリについてお話しします。よろしくお願いします。"
    assert decode_text(text.encode("cp932"))[0] == text


def test_line_ends_become_single():
    """Windows and old Mac line ends come out as line feeds."""
    assert decode_text("가\r\n나\r다\n".encode())[0] == "가\n나\n다\n"


def test_a_broken_byte_is_shown_not_fatal():
    """One bad byte in a UTF-8 or CP949 file leaves the rest readable and marks the text as damaged."""
    for encoding in ("utf-8", "cp949"):
        data = (KOREAN * 20).encode(encoding)
        spoilt = data[:60] + b"\xff" + data[60:]
        text, _ = decode_text(spoilt)
        assert text.count("메모리 대역폭") >= 19
        assert any("읽을 수 없는 글자" in warning for warning in parse_file(VideoUpload("a.srt", spoilt)).warnings)


@pytest.mark.parametrize("data", [bytes(range(256)) * 4, b"\x00\x01\x02\x03" * 100, b"\x01\x02\x03\x04" * 50])
def test_binary_is_refused(data):
    """Bytes that are no text are refused with advice in Korean."""
    with pytest.raises(VideoReadError) as caught:
        parse_file(VideoUpload("a.srt", data))
    assert "SRT" in caught.value.korean
