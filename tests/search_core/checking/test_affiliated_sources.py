"""Which pages and sentences come from those who speak in a video."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.checking.verdicts.independence import Speakers
from search_core.domain.result import SearchResult
from search_core.domain.video import VideoContext

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
