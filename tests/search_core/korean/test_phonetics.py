from __future__ import annotations

import pytest

from search_core.korean.phonetics import consonants, hangul_sound, latin_sounds


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("엔비디아", "NVIDIA"),
        ("테슬라", "Tesla"),
        ("퀄컴", "Qualcomm"),
        ("넷플릭스", "Netflix"),
        ("제미나이", "Gemini"),
        ("마이클", "Michael"),
        ("앤트로픽", "Anthropic"),
        ("화웨이", "Huawei"),
        ("스탠퍼드", "Stanford"),
    ],
)
def test_rendering_and_spelling_share_consonants(korean: str, english: str) -> None:
    """A Korean rendering has the consonants of one reading of its English spelling, and not those of another name."""
    assert consonants(hangul_sound(korean)) in {consonants(sound) for sound in latin_sounds(english)}
    assert consonants(hangul_sound(korean)) not in {consonants(sound) for sound in latin_sounds("Toyota")}
