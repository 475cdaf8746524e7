"""Articles in two languages that are one, by a played model that knows which sentences translate which."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from search_core.domain import SearchResult, VideoContext
from search_core.stance.independence import standings, translated_pairs

ENGLISH = (
    "Hanbit opened a plant in Ohio on Monday.",
    "The plant cost 3 billion dollars to build.",
    "About 900 people will work there from May.",
    "The governor praised the company at the opening.",
    "Neighbours fear that the river will be polluted.",
)
KOREAN = (
    "한빛은 월요일 오하이오에 공장을 열었다.",
    "공장을 짓는 데 30억 달러가 들었다.",
    "5월부터 약 900명이 그곳에서 일한다.",
    "주지사는 준공식에서 회사를 칭찬했다.",
    "주민들은 강이 오염될까 걱정한다.",
)
DAY = datetime(2026, 5, 1, tzinfo=UTC)


def near(texts: Sequence[str], others: Sequence[str]) -> list[list[float]]:
    """Return 0.9 for a sentence and its translation, 0.3 for any two others."""
    return [[0.9 if (text, other) in PAIRS else 0.3 for other in others] for text in texts]


PAIRS = set(zip(KOREAN, ENGLISH, strict=True))


def same_article(korean: Sequence[str], english: Sequence[str], days: int = 1) -> bool:
    dates = [DAY, DAY + timedelta(days=days)]
    return translated_pairs([" ".join(korean), " ".join(english)], dates, near) == ((0, 1),)


def test_a_translated_article_is_found():
    """Sentence for sentence in one order is one article, also where one of them tells only a part."""
    assert same_article(KOREAN, ENGLISH)
    assert same_article(KOREAN[:4], ENGLISH)


@pytest.mark.parametrize(
    ("korean", "english", "days"),
    [
        (KOREAN, ENGLISH[::-1], 1),
        (KOREAN[:3], ENGLISH[:3], 1),
        (KOREAN, ENGLISH, 40),
        ((KOREAN[0], "날씨는 맑았다고 한다.", "경기는 비겼다고 한다.", "값은 내렸다고 한다.", "그는 웃었다고 한다."), ENGLISH, 1),
    ],
)
def test_what_differs_is_no_translation(korean: Sequence[str], english: Sequence[str], days: int):
    """Another order, too few sentences, weeks between them and a single sentence in common make no one article."""
    assert not same_article(korean, english, days)


def test_other_values_make_another_article():
    """The same sentences with other numbers are next quarter's article; without a model no article is a translation."""
    other = (ENGLISH[0], "The plant cost 7 billion dollars to build.", "About 400 people will work there from May.", *ENGLISH[3:])
    pairs = set(zip(KOREAN, other, strict=True))

    def nearness(texts: Sequence[str], others: Sequence[str]) -> list[list[float]]:
        return [[0.9 if (text, each) in pairs else 0.3 for each in others] for text in texts]

    assert translated_pairs([" ".join(KOREAN), " ".join(other)], [DAY, DAY], nearness) == ()
    texts = [" ".join(KOREAN), " ".join(ENGLISH)]
    assert translated_pairs(texts, [DAY, DAY], None) == translated_pairs(texts, [DAY, DAY], lambda *_: None) == ()


def test_a_translation_is_one_story_with_its_original():
    """Standings join an article and its translation, and leave a third article by itself."""
    texts = [" ".join(KOREAN), " ".join(ENGLISH), "Rain is expected in Ohio. " * 5]
    sources = [
        SearchResult(title=f"title {place}", url=f"https://{place}.example/1", snippet="", source="", publish_date=DAY)
        for place in range(3)
    ]
    groups = [each.group for each in standings(sources, texts, VideoContext(), near)]
    assert groups[0] == groups[1] != groups[2]
    assert len({each.group for each in standings(sources, texts, VideoContext())}) == 3
