from __future__ import annotations

import pytest

from search_core.domain import PartOrigin, QueryPart
from search_core.search.query.broadening import translate_query


def translated(*texts: str) -> str | None:
    found = translate_query([QueryPart(text, PartOrigin.QUESTION) for text in texts])
    return found.text if found else None


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("SK하이닉스", "최근", "실적", "2026년"), "SK hynix 2026"),
        (("오늘", "서울", "날씨", "SK하이닉스"), "Seoul SK hynix"),
        (("엔비디아", "NVIDIA", "AI 가속기"), "NVIDIA AI"),
        (("1446년", "세종대왕", "20"), "1446 King Sejong"),
        (("NVIDIA", "earnings", "2026"), "엔비디아 2026"),
        (("삼성", "전자", "실적"), "Samsung Electronics"),
        (("HBM", "중요"), None),
        (("도시", "양봉", "2026년"), None),
    ],
)
def test_only_the_other_script_is_held(parts: tuple[str, ...], expected: str | None):
    """Names, also those over two parts, are translated, words in that script stay, years become digits; no name, no query."""
    assert translated(*parts) == expected
