"""Statements are held against sources, with moments, times and independence."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.checking.verdicts.compare import judge_sources
from search_core.checking.verdicts.weighing import stance_summary
from search_core.domain.stance import Stance, Statement
from search_core.domain.video import TranscriptSegment, VideoContext
from tests.search_core.checking.verdicts.sample_sentences import AFTER, BEFORE, NOW, VIDEO_DAY, compare_sentences, page

VIDEO = VideoContext(
    video_id="dQw4w9WgXcQ",
    title="AI 메모리 대전: 한빛반도체 서도윤 연구위원 강연",
    channel="테크인사이드",
    published_at=VIDEO_DAY,
    transcript=(
        TranscriptSegment(0, 9, "오늘은 고대역폭 메모리가 왜 인공지능 서버의 성능을 좌우하는지 차근차근 말씀드리겠습니다"),
        TranscriptSegment(9, 20, "한빛반도체의 세계 D램 점유율은 34퍼센트이고 앞으로 더 높아질 것으로 저희는 기대하고 있습니다"),
    ),
)
SHARE = Statement(9.0, "한빛반도체의 세계 D램 점유율은 34퍼센트예요.")
WIRE = (
    "시장조사업체 집계에 따르면 한빛반도체의 세계 D램 점유율은 34%로 나타났다. "
    "지난 분기보다 출하량이 고르게 늘어난 결과라고 업체는 설명했다. "
    "다음 분기에도 같은 흐름이 이어질 것으로 내다봤다."
)


def test_a_row_quotes_both_sides_and_names_the_reason():
    """A row holds the moment, both sentences as written, the numbers that decided, and the time of the source."""
    row = compare_sentences(
        "안녕하세요. 한빛반도체의 1분기 매출은 12조 원입니다.",
        "날씨가 맑다. 한빛반도체는 1분기 매출이 9조 8천억원이라고 공시했다.",
    )
    assert row is not None
    assert (row.moment_s, row.statement) == (75.0, "한빛반도체의 1분기 매출은 12조 원입니다.")
    assert row.quote == "한빛반도체는 1분기 매출이 9조 8천억원이라고 공시했다."
    assert row.stance is Stance.CONTRADICTS
    assert "12조 원 ↔ 9조 8천억원" in row.why
    assert row.after_video is False


def test_before_after_and_undated_are_kept_apart():
    """Evidence from up to the video's day, from later, and without a date, or with one to come, are told apart."""
    dates = ((BEFORE, "a.kr"), (AFTER, "b.kr"), (None, "c.kr"), (datetime(2031, 1, 1, tzinfo=UTC), "d.kr"))
    found = judge_sources([SHARE], [page(WIRE, date, host=host) for date, host in dates], VIDEO, NOW).comparison()
    assert {row.source: row.after_video for row in found.rows} == {0: False, 1: True, 2: None, 3: None}
    assert [row.date for row in found.rows if row.after_video is None] == [None, None]


def test_copies_of_one_story_are_one_group():
    """One text under different titles and hosts counts once, and so does a publisher; another text or figure by itself."""
    other = page("조사에서 한빛반도체의 세계 D램 점유율은 34%로 집계됐다.", host="d.kr", title="점유율 조사 결과")
    sources = [page(WIRE, host="a.kr", title="한빛반도체 1위"), page(WIRE, host="b.kr", title="D램 판도 굳히기"), other]
    groups = {row.source: row.independent_of for row in judge_sources([SHARE], sources, VIDEO, NOW).rows}
    assert groups[0] == groups[1] != groups[2]
    said = Statement(0, "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트입니다.")
    one = page("HBM4 표준의 대역폭은 한 묶음에 초당 최대 1.6테라바이트다.", BEFORE, title="대역폭 해설", host="a.kr")
    revised = page("개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.8테라바이트다.", AFTER, title="표준 개정 소식")
    short = page(one.snippet, BEFORE, title="대역폭 소식", host="www.mk.co.kr")
    same_house = page("한 묶음에 초당 최대 2테라바이트가 HBM4 표준의 대역폭이다.", BEFORE, title="메모리", host="news.mk.co.kr")
    rows = judge_sources([said], [one, revised, short, same_house], VideoContext(title="강연", published_at=VIDEO_DAY), NOW).rows
    groups = {row.source: row.independent_of for row in rows}
    assert groups[0] == groups[2] == groups[3] != groups[1]


def test_a_page_that_retells_the_video_confirms_nothing():
    """The video's own page, a page of its title and a transcript share one group, and agreement there adds nothing."""
    segment = VIDEO.transcript[1].text
    sources = [
        page(f"{VIDEO.transcript[0].text}. {segment}.", AFTER, host="blog.kr", title="강연 받아쓰기"),
        page("한빛반도체의 세계 D램 점유율은 34%다.", None, host="portal.kr", title=f"{VIDEO.title} - 다시보기"),
    ]
    found = judge_sources([SHARE], sources, VIDEO, NOW).comparison()
    assert [row.restates_video for row in found.rows] == [True, True]
    assert len({row.independent_of for row in found.rows}) == 1
    assert found.adds_nothing
    assert all("영상을 옮긴 글" in row.why for row in found.rows)


def test_what_is_older_than_the_video_does_not_retell_it():
    """An article from before the video, whose words or title the video takes up, is a source of its own, as are its copies."""
    article = f"{VIDEO.transcript[0].text}. {VIDEO.transcript[1].text}."
    sources = [
        page(article, BEFORE, host="press.kr", title="메모리 기사"),
        page(article, AFTER, host="again.kr", title="다시 실은 기사"),
        page("한빛반도체의 세계 D램 점유율은 34%다.", BEFORE, host="paper.kr", title=VIDEO.title),
    ]
    rows = {row.source: row for row in judge_sources([SHARE], sources, VIDEO, NOW).rows}
    assert [rows[place].restates_video for place in range(3)] == [False, False, False]
    assert rows[0].independent_of == rows[1].independent_of != rows[2].independent_of


def test_nothing_found_adds_nothing():
    """Without sources on the subject there is no row; a source of its own adds something, read from its page."""
    for sources in ([], [page("서울의 내일 아침 기온은 영하 3도로 예보됐다.")]):
        found = judge_sources([SHARE], sources, VIDEO, NOW).comparison()
        assert found.rows == ()
        assert found.adds_nothing
    assert not judge_sources([SHARE], [page(WIRE)], VIDEO, NOW).comparison().adds_nothing
    source = page("한빛반도체 소식을 전한다.")
    found = judge_sources([SHARE], [source], VIDEO, NOW, {source.url: "한빛반도체의 세계 D램 점유율은 34%다."}).comparison()
    assert found.rows[0].stance is Stance.AGREE


def test_odd_texts_are_borne():
    """Empty, endless and broken texts give rows or none, never an error."""
    odd = ["", " ", "\ud800", "1" * 5000, "가" * 5000, "(((((", "12조 " * 900, "?" * 300]
    found = judge_sources(
        [Statement(0, text) for text in odd], [page(text, title=text[:50]) for text in odd], VideoContext(), NOW
    ).comparison()
    assert all(row.confidence <= 1 for row in found.rows)


BASE_RATE = Statement(761.0, "한국은행 기준금리는 2.5퍼센트입니다.")
ECONOMY = VideoContext(title="오늘의 경제", published_at=VIDEO_DAY)


def test_a_paragraph_is_written_for_people():
    """A later change does not make the video wrong."""
    found = judge_sources([BASE_RATE], [page("한국은행 기준금리는 2.25%다.", AFTER, host="b.kr")], ECONOMY, NOW).comparison()
    assert "영상이 틀렸다는 뜻은 아니에요" in stance_summary(found)
