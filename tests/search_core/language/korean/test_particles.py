from __future__ import annotations

import pytest

from search_core.language.korean.particles import join_particle, last_coda, with_particle


@pytest.mark.parametrize(
    ("word", "particle", "expected"),
    [
        ("엔비디아", "은", "엔비디아는"),
        ("황", "가", "황이"),
        ("서울", "으로", "서울로"),
        ("2", "은", "2는"),
        ("7", "으로", "7로"),
        ("HBM", "가", "HBM이"),
        ("엔비디아(NVIDIA)", "은", "엔비디아(NVIDIA)는"),
        ("50%", "을", "50%를"),
        ("", "은", "는"),
    ],
)
def test_a_particle_follows_the_last_sound(word: str, particle: str, expected: str) -> None:
    """The form is chosen by the last sound as read aloud, whichever form is given."""
    assert with_particle(word, particle) == expected


def test_what_is_written_on_to_a_word_follows_its_sound():
    """A particle at the head of the rest takes the form that the word asks for; a space, or nothing, leaves the word as it is."""
    assert join_particle("인텔", "는 얼마야?") == ("인텔은", " 얼마야?")
    assert join_particle("애플", " 매출") == ("애플", " 매출")
    assert join_particle("애플", "") == ("애플", "")
    assert (last_coda("나무"), last_coda("숲")) == ("", "ㅍ")
