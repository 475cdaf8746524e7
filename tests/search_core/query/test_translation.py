from __future__ import annotations

import pytest

from search_core.domain import PartOrigin, QueryPart
from search_core.query.translation import translate_query


def translated(*texts: str) -> str | None:
    found = translate_query([QueryPart(text, PartOrigin.QUESTION) for text in texts])
    return found.text if found else None


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("SK하이닉스", "최근", "실적", "2026년"), "SK hynix 2026"),
        (("HBM", "SK하이닉스", "내용"), "HBM SK hynix"),
        (("세종대왕", "훈민정음"), "King Sejong"),
        (("NASA", "최근", "소식", "2026년"), "NASA 2026"),
        (("오늘", "서울", "날씨", "SK하이닉스"), "Seoul SK hynix"),
        (("엔비디아", "NVIDIA", "AI 가속기"), "NVIDIA AI"),
        (("1446년", "세종대왕", "20"), "1446 King Sejong"),
        (("NVIDIA", "earnings", "2026"), "엔비디아 2026"),
    ],
)
def test_only_the_other_script_is_held(parts: tuple[str, ...], expected: str):
    """Names are translated, words in that script stay, years become digits, and the rest goes."""
    assert translated(*parts) == expected


@pytest.mark.parametrize("parts", [("HBM", "중요"), ("도시", "양봉", "2026년"), ("solid-state", "battery")])
def test_without_a_name_known_in_both_there_is_none(parts: tuple[str, ...]):
    """A word that merely looks foreign is no translation."""
    assert translated(*parts) is None


def test_parts_that_are_one_name_together_are_translated_together():
    """A name written with a space is known too."""
    assert translated("삼성", "전자", "실적") == translated("삼성전자", "실적")
    assert translated("삼성전자", "실적") is not None
