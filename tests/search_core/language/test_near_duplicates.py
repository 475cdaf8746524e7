"""Copies of one story are found, different stories are kept apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from search_core.domain.result import SearchResult
from search_core.language.near_duplicates import near_duplicates

LONG = "삼성전자가 오늘 공시를 통해 분기 매출이 시장의 예상을 넘어섰다고 밝혔다. 반도체 부문이 실적을 이끌었다고 설명했다."
OTHER = "기상청은 내일 전국이 대체로 맑겠으나 강원 산지에는 눈이 내리는 곳이 있겠다고 예보했다. 아침 기온은 영하로 떨어진다."


def hit(title: str, host: str, snippet: str = "", date: datetime | None = None) -> SearchResult:
    return SearchResult(title=title, url=f"https://{host}/{abs(hash(title))}", snippet=snippet, source=host, publish_date=date)


def grouped(*results: SearchResult) -> bool:
    return len(near_duplicates(results)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("삼성전자 3분기 영업이익 12조원 기록했다 - 조선일보", "삼성전자 3분기 영업이익 12조원 기록했다 | 연합뉴스"),
        ("[속보] 삼성전자 3분기 영업이익 12조원 기록했다", "삼성전자 3분기 영업이익 12조원 기록했다(종합2보)"),
        ("[단독] 삼성전자 3분기 영업이익 1,200억원 기록했다 - 경향신문", "삼성전자 3분기 영업이익 1200억원 기록했다"),
        ("Samsung posts record profit in third quarter - Reuters", "Samsung posts record profit in third quarter | BBC News"),
    ],
)
def test_a_long_title_under_two_outlets_is_one_story(one: str, other: str):
    """Marks of the press and names of outlets around the same headline do not make two stories."""
    assert grouped(hit(one, "a.kr"), hit(other, "b.kr"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("삼성전자 3분기 영업이익 12조원 기록했다", "삼성전자 4분기 영업이익 12조원 기록했다"),
        ("SK하이닉스 HBM3 양산을 올해 안에 시작한다", "SK하이닉스 HBM4 양산을 올해 안에 시작한다"),
        ("김민수 감독 오늘 구단에 사의 표명 밝혀", "박지성 감독 오늘 구단에 사의 표명 밝혀"),
        ("코스피 지수 오늘 2% 상승 마감 이유", "코스피 지수 오늘 2% 하락 마감 이유"),
        ("[삼성전자] 오늘 주가 전망 자세히 정리", "[현대차] 오늘 주가 전망 자세히 정리"),
        ("아이폰 사용법 정리 안내 - 배터리", "아이폰 사용법 정리 안내 - 카메라"),
    ],
)
def test_a_telling_difference_keeps_stories_apart(one: str, other: str):
    """Another number, date, episode, name or direction is another story, even under the same snippet."""
    assert not grouped(hit(one, "a.kr", LONG), hit(other, "b.kr", LONG))


def test_a_short_equal_title_needs_a_witness():
    """Pages with the same short title, or of one site, are one only when their texts agree; signs alone are no title."""
    assert not grouped(hit("인공지능", "a.org", LONG), hit("인공지능", "b.org", OTHER))
    assert not grouped(hit("인공지능", "a.org"), hit("인공지능", "b.org"))
    assert grouped(hit("삼성전자 실적", "a.org", LONG), hit("삼성전자 실적", "b.org", LONG + " 더 읽기"))
    title = "오늘 아침 서울 도심 교통 상황 안내"
    assert not grouped(hit(title, "a.kr", LONG), SearchResult(title=title, url="https://a.kr/2", snippet=OTHER, source="a.kr"))
    places = near_duplicates([hit("!!!", "a.kr", LONG), hit("삼성전자 실적", "a.kr", LONG), hit("삼성전자 실적", "b.kr", LONG)])
    assert places == ((0,), (1, 2))


def test_another_ending_with_an_agreeing_text_is_one_story():
    """Particles behind the same words, or a title cut off, do not make another story when the texts agree."""
    one, other = "삼성전자가 오늘 3분기 실적을 시장에 발표", "삼성전자 오늘 3분기 실적 시장에 발표"
    assert grouped(hit(one, "a.kr", LONG), hit(other, "b.kr", LONG))
    assert not grouped(hit(one, "a.kr", LONG), hit(other, "b.kr", OTHER))
    whole = "삼성전자 3분기 영업이익 12조원 기록 반도체가 실적을 이끌어"
    assert grouped(hit("삼성전자 3분기 영업이익 12조원 기록 ...", "a.kr", LONG), hit(whole, "b.kr", LONG))


def test_copies_appear_within_days():
    """The same title months later is another story."""
    then = datetime(2026, 3, 1, tzinfo=UTC)
    title = "이번 주 전국 날씨 전망 자세히 정리"
    assert grouped(hit(title, "a.kr", date=then), hit(title, "b.kr", date=then + timedelta(days=1)))
    assert not grouped(hit(title, "a.kr", date=then), hit(title, "b.kr", date=then + timedelta(days=60)))
