"""A comparison is shown as plain rows and told in one Korean paragraph."""

from __future__ import annotations

from search_core.answering.comparison import compare, stance_summary, stance_table
from search_core.domain import Statement, VideoContext
from tests.search_core.answering.comparison.sample_sentences import AFTER, BEFORE, NOW, VIDEO_DAY, page

VIDEO = VideoContext(title="오늘의 경제", published_at=VIDEO_DAY)
SAID = Statement(761.0, 770.0, "한국은행 기준금리는 2.5퍼센트입니다.")
WIRE = "한국은행 기준금리는 연 2.50%다. 금융통화위원회는 물가와 가계 부채를 함께 살펴 이번 결정을 내렸다고 설명했다."


def test_a_row_reads_as_people_write():
    """Moment, stance, date and time of the evidence come in Korean form."""
    sources = [page("한국은행 기준금리는 2.25%다.", AFTER, host="b.kr")]
    (row,) = stance_table(compare([SAID], sources, VIDEO, NOW), sources)
    assert (row.moment, row.stance, row.source, row.date, row.time) == (
        "12:41",
        "이후 변경",
        "b.kr",
        "2026년 11월 2일",
        "영상 이후",
    )
    assert row.url == sources[0].url


def test_an_unknown_date_is_said_to_be_unknown():
    """A source without a date says so in both columns."""
    sources = [page(WIRE, None)]
    (row,) = stance_table(compare([SAID], sources, VIDEO, NOW), sources)
    assert (row.date, row.time) == ("날짜 모름", "시기 모름")


def test_a_story_counts_once():
    """Of copies only the first row is independent, and the paragraph counts them as one."""
    sources = [page(WIRE, BEFORE, host="a.kr"), page(WIRE, BEFORE, host="b.kr")]
    found = compare([SAID], sources, VIDEO, NOW)
    assert [row.independent for row in stance_table(found, sources)] == [True, False]
    told = stance_summary(found)
    assert "독립된 출처 1곳" in told
    assert "일치 1건" in told
    assert "옮긴 1곳은 하나로" in told


def test_a_change_is_not_held_against_the_video():
    """The paragraph says that a later change does not make the video wrong."""
    found = compare([SAID], [page("한국은행 기준금리는 2.25%다.", AFTER)], VIDEO, NOW)
    assert "영상이 틀렸다는 뜻은 아니에요" in stance_summary(found)


def test_nothing_found_is_said():
    """Without rows the paragraph says that no source speaks of the statements."""
    assert stance_summary(compare([SAID], [], VIDEO, NOW)) == "영상의 발언을 다루는 웹 자료를 찾지 못했어요."
