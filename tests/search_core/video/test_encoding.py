"""Files whose encoding is odd or damaged; ``tests/search_core/korean/test_decoding.py`` has the others."""

from __future__ import annotations

import pytest

from search_core.korean.decoding import decode_text
from search_core.video.upload import VideoUpload, parse_file

KOREAN = "1\n00:00:01,000 --> 00:00:02,000\n메모리 대역폭은 왜 중요한가요? 오늘은 그 까닭을 살펴봅니다.\n"


OTHERS = {
    "syllables of CP949 alone": ("똠방각하가 펲시를 마셨다고 하네요", "cp949"),
    "a greeting": ("안녕하세요", "johab"),
    "Western European": ("Il était une fois un café très célèbre, où les élèves étaient élégants et naïfs.", "latin-1"),
    "Japanese": ("これは日本語の字幕です。今日はメモリについてお話しします。よろしくお願いします。", "cp932"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_no_text_is_taken_for_another(case: str):
    """Korean encodings are told apart by a few syllables, and other languages from Korean."""
    text, encoding = OTHERS[case]
    assert decode_text(text.encode(encoding))[0] == text


def test_a_broken_byte_is_shown_not_fatal():
    """One bad byte in a UTF-8 or CP949 file leaves the rest readable and marks the text as damaged."""
    for encoding in ("utf-8", "cp949"):
        data = (KOREAN * 20).encode(encoding)
        spoilt = data[:60] + b"\xff" + data[60:]
        text, _ = decode_text(spoilt)
        assert text.count("메모리 대역폭") >= 19
        assert any("읽을 수 없는 글자" in warning for warning in parse_file(VideoUpload("a.srt", spoilt)).warnings)
