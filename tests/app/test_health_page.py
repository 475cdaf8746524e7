"""The health page: what it says of the services, in which words, and what a click does."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pages.parts import health_board
from search_core.domain import SearchEvent, SearchStatus
from search_core.health import StoreState, TimeSlice
from tests.app import health_double
from tests.app.conftest import Visit

NOON = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
"""Noon in Korea."""


def rows(here: Visit):
    """Return the rows of the event table on the page."""
    return here.at.dataframe[0].value


def fold(here: Visit, label: str) -> str:
    """Return what the fold of this label holds."""
    return next(fold for fold in here.at.expander if fold.label == label).markdown[0].value.replace("\\", "")


def first_words(here: Visit) -> str:
    """Return what stands first under the title."""
    return next(str(text.value) for text in here.at.main.markdown).replace("\\", "")


def test_a_day_at_a_glance(visit):
    """Four numbers, alerts in words, a row a service, and folded how a service is turned on; no search control is beside them."""
    here = visit(page="health")
    small = ":small[:gray[({})]]".format
    assert {tile.label.split(" ", 1)[1]: tile.value for tile in here.at.metric} == {
        "성공": f"45 {small('90%')}",
        "결과 없음": f"3 {small('6%')}",
        "시간 초과": f"1 {small('2%')}",
        "오류": f"1 {small('2%')}",
    }
    assert "50번 물어봤어요 · 평균 결과 수 4.5 · 평균 응답 시간 1.1초 · 응답 시간 p50 / p95 0.9초 / 2.0초" in here.texts()
    assert first_words(here) == ":orange-badge[:material/warning: 주의] DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요."
    table = next(text.value for text in here.at.markdown if text.value.startswith("| 검색 서비스"))
    lines = table.replace("\\", "").replace("\u00a0", " ").splitlines()
    assert [line.split("**")[1] for line in lines[2:]] == ["내 자료", "위키백과", "DuckDuckGo", "브라우저"]
    for words in (
        "불안정]",
        "마지막 오류 1시간 전: 시간 안에",
        "| 2분 전 |",
        "보통 **0.9초** · 느릴 때 2.0초",
        "성공 15 · 시간 초과 1",
    ):
        assert words in lines[3]
    assert ":violet-badge[:material/bedtime: 쉬는 중]" in lines[4]
    assert "요청 없음" in lines[5]
    assert "**SearXNG** — SEARXNG_URL을 정하면 켜져요." in fold(here, "꺼 둔 검색 서비스 2곳 · 켜는 방법")
    assert not here.at.sidebar.slider
    assert here.core.health_read == 1


def test_what_is_wrong_is_named_and_what_is_well_too(visit, monkeypatch):
    """Unwell services, a damaged file and a failing store are sentences; where nothing was searched yet a link leads there."""
    here = visit(page="health")
    calm = replace(health_double.report(), alerts=())
    broken = StoreState(label="Redis", working=False, korean="Redis가 답하지 않아요. 기록은 메모리에 있어요.", lost=3)
    here.core.broken = {"library": "자료 저장소가 손상되었어요. 앱을 끄고 새로 만들어 주세요."}
    monkeypatch.setattr(here.core, "health", lambda: replace(calm, store=broken))
    here.look()
    for words in (
        "서비스가 있어요: 위키백과, DuckDuckGo. 왜 그런지는",
        broken.korean,
        "저장하지 못한 기록이 3건",
    ):
        assert words in here.texts()
    assert "자료 저장소가 손상되었어요. 앱을 끄고 새로 만들어 주세요." in here.errors()
    here.core.broken = {}
    monkeypatch.setattr(here.core, "health", lambda: replace(calm, providers=calm.providers[:1]))
    here.look()
    assert here.errors() == ""
    assert first_words(here) == ":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요."
    monkeypatch.setattr(here.core, "health", lambda: health_double.report(silent=True))
    here.look()
    assert "지난 24시간 동안 검색한 기록이 없어요" in here.texts()
    assert first_words(here).endswith("‘지금 점검’을 누르면 모두에 물어봐요.")
    assert [link.proto.label for link in here.at.get("page_link")] == ["검색하러 가기"]
    assert (len(here.at.metric), len(here.at.dataframe)) == (0, 0)


def test_the_log_holds_the_newest_requests_as_they_are(visit, monkeypatch):
    """Every request has a row, the newest first; of more than fit the page says that files have the rest."""
    here = visit(page="health")
    shown = rows(here)
    assert len(shown) == 52
    assert list(shown["시각"]) == sorted(shown["시각"], reverse=True)
    assert health_double.HOSTILE_QUERY in set(shown["검색어"])
    assert "성공 · 저장된 결과" in set(shown["결과"])
    many = health_double.report()
    monkeypatch.setattr(here.core, "health", lambda: replace(many, events=many.events * 5))
    here.look()
    assert len(rows(here)) == health_board.LOG_LENGTH
    assert "가장 새로운 200건이에요." in here.texts()


def test_a_check_is_started_once_and_its_outcome_is_shown(visit):
    """While it runs each service is named to all visitors and no second one starts; its outcome is for those who saw it run."""
    here = visit(page="health")
    assert "유료 서비스는 요청 1건이 쓰여요" in here.button("probe").help
    here.click("probe")
    assert here.button("probe").disabled
    assert "검색 서비스를 점검하고 있어요 · 2곳 중 1곳 끝남" in here.texts()
    assert "DuckDuckGo 응답 대기 중" in here.texts()
    other = Visit(here.core, {}, "health")
    assert "2곳 중 1곳 끝남" in other.texts()
    assert other.button("probe").disabled
    (job,) = here.core.probes
    job.end()
    here.look()
    assert not here.button("probe").disabled
    assert "점검을 마쳤어요" in here.texts()
    assert "DuckDuckGo: 요청 한도를 넘었어요. 2분 뒤 다시 시도해 주세요." in here.texts()
    assert "점검을 마쳤어요" not in Visit(here.core, {}, "health").texts()
    here.click("probe-close")
    assert "점검을 마쳤어요" not in here.texts()


def test_bars_count_each_outcome_in_korean_time():
    """Each hour has its beginning on Korea's clock and a count for each way in which requests ended."""
    slices = (TimeSlice(start=NOON - timedelta(hours=1), success=2, error=1), TimeSlice(start=NOON, timeout=3))
    assert health_board._bars(slices) == {
        "시각": ["11시", "12시"],
        "성공": [2, 0],
        "결과 없음": [0, 0],
        "시간 초과": [0, 3],
        "오류": [1, 0],
    }


def test_a_hostile_event_cannot_leave_its_cell():
    """Control characters and line breaks are taken out of what goes into the table; nothing else is."""
    event = SearchEvent(
        query="가\u202e나\n다" + health_double.HOSTILE_QUERY,
        status=SearchStatus.UNKNOWN_ERROR,
        result_count=0,
        provider="nobody",
        latency_ms=1234.0,
        timestamp=NOON - timedelta(minutes=1),
        error_message="a\x00b",
    )
    row = health_board._log_row(event, event.provider)
    assert row["검색어"] == f"가나 다{health_double.HOSTILE_QUERY}"
    assert row["자세히"] == "알 수 없는 문제가 생겼어요. 다시 시도해 주세요."
    assert (row["검색 서비스"], row["응답"], row["건수"]) == ("nobody", 1.234, None)
