"""Who publishes a page, whatever its address."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.checking.verdicts.independence import Speakers, publisher_of, registered_domain
from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext


def publisher(url: str, source: str = "") -> str:
    return publisher_of(SearchResult(title="", url=url, snippet="", source=source))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://news.mt.co.kr/a", "https://www.mt.co.kr/b", True),
        ("https://www.mk.co.kr/a", "https://www.mbn.co.kr/b", True),
        ("https://n.news.naver.com/mnews/article/001/0001", "https://n.news.naver.com/article/001/0002", True),
        ("https://x.com/maekrak/status/1", "https://x.com/maekrak/status/2", True),
        ("https://maekrak.tistory.com/1", "https://maekrak.tistory.com/2", True),
        ("https://n.news.naver.com/mnews/article/001/0001", "https://n.news.naver.com/mnews/article/023/0001", False),
        ("https://v.daum.net/v/1", "https://v.daum.net/v/2", False),
        ("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b", False),
        ("", "not an address", False),
    ],
)
def test_addresses_of_one_publisher_share_a_key(one: str, other: str, same: bool):
    """Parts of a site and sites of one house are one publisher; other users of a platform are not."""
    assert (publisher(one) == publisher(other)) is same


def test_a_platform_goes_by_the_outlet_that_the_search_names():
    """Two pages of a portal that carry one outlet's articles are of that outlet."""
    assert publisher("https://v.daum.net/v/1", "연합뉴스") == publisher("https://v.daum.net/v/2", "연합뉴스")
    assert publisher("https://v.daum.net/v/1", "연합뉴스") != publisher("https://v.daum.net/v/2", "한겨레")


def test_the_registered_part_of_a_host():
    """A public suffix of two parts is known, a number has none, and an unknown ending leaves the host."""
    assert registered_domain("https://biz.news.mt.co.kr/a") == "mt.co.kr"
    assert registered_domain("http://10.0.0.1/a") == ""
    assert registered_domain("https://b.example/a") == "b.example"


VIDEO = VideoContext(
    video_id="abcdefghijk",
    title="엔비디아 CEO 젠슨 황 기조연설",
    channel="GTC Live",
    speakers=("젠슨 황",),
    published_at=datetime(2026, 3, 2, tzinfo=UTC),
)


def page(url: str, title: str = "기사", source: str = "") -> SearchResult:
    return SearchResult(title=title, url=url, snippet="", source=source)


@pytest.mark.parametrize(
    ("found", "own"),
    [
        (page("https://www.youtube.com/watch?v=abcdefghijk"), True),
        (page("https://www.youtube.com/watch?v=zzzzzzzzzzz", "다른 영상 - GTC Live"), True),
        (page("https://www.prnewswire.com/news/1", "Jensen Huang Announces a New Platform"), True),
        (page("https://www.reuters.com/technology/article-1"), False),
        (page("https://www.youtube.com/watch?v=zzzzzzzzzzz", "남의 영상"), False),
    ],
)
def test_pages_of_the_speakers_are_their_own(found: SearchResult, own: bool):
    """The video, its channel and what a speaker announces are; the press about them and other videos are not."""
    assert Speakers(VIDEO).published(found) is own


@pytest.mark.parametrize(
    ("sentence", "reports"),
    [
        ("젠슨 황은 새 칩이 두 배 빠르다고 말했다.", True),
        ("Jensen Huang said the new chip is twice as fast.", True),
        ("시험 결과 새 칩은 두 배 빨랐다고 시험소는 밝혔다.", False),
        ("젠슨 황이 소개한 새 칩은 두 배 빠르다.", False),
    ],
)
def test_a_sentence_may_only_report_the_speaker(sentence: str, reports: bool):
    """A quotation of a speaker of the video is their own word; what others measured or mention is not."""
    assert Speakers(VIDEO).are_quoted(sentence) is reports
