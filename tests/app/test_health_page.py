"""The health page: what it says of the services, in which words, and what a click does."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pages.parts import health_board
from search_core.core import SearchCore
from search_core.domain import SearchEvent, SearchStatus
from search_core.health import StoreState
from search_core.settings import Settings
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
    """Figures, alerts in words, a row a service, and folded how a service is turned on; no search control is beside them."""
    here = visit(page="health")
    tiles = {tile.label.split()[-1] if "평균" not in tile.label else tile.label: tile.value for tile in here.at.metric}
    small = ":small[:gray[({})]]".format
    assert tiles == {
        "성공": f"45 {small('90%')}",
        "없음": f"3 {small('6%')}",
        "초과": f"1 {small('2%')}",
        "오류": f"1 {small('2%')}",
        "평균 결과 수": "4.2",
        "평균 응답": "1.2초",
        "5%": "2.3초",
    }
    assert "50번 물어봤어요 · 저장된 결과로 2번 바로 답했어요" in here.texts()
    assert first_words(here) == ":orange-badge[:material/warning: 주의] DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요."
    assert "Tavily는 키가 없어서 묻지 않아요." in fold(here, "참고할 점 2가지 · 한 번만 알려 드려요")
    table = next(text.value for text in here.at.markdown if text.value.startswith("| 검색 서비스"))
    lines = table.replace("\\", "").replace("\u00a0", " ").splitlines()
    assert [line.split("**")[1] for line in lines[2:]] == ["내 자료", "위키백과", "DuckDuckGo", "브라우저"]
    for words in (
        "불안정]",
        "마지막 오류 1시간 전: 시간 안에",
        "2분 전 성공",
        "보통 **0.8초** · 느릴 때 2.3초",
        "성공 **15** · 시간 초과 1",
    ):
        assert words in lines[3]
    assert ":violet-badge[:material/bedtime: 쉬는 중]" in lines[4]
    assert "요청 없음" in lines[5]
    assert "**SearXNG** — SEARXNG_URL을 정하면 켜져요." in fold(here, "꺼 둔 검색 서비스 2곳 · 켜는 방법")
    assert not here.at.sidebar.slider
    here.at.get_by_key("health-range").set_value(1)
    here.look()
    assert here.core.health_read == [24, 1]
    assert "지난 1시간 한눈에" in here.texts()
    here.set("toggle", "health-auto", False)
    assert "기준 · 자동 새로고침 꺼짐" in here.texts()
    assert here.has_button("health-refresh")


def test_what_is_wrong_is_named_and_what_is_well_too(visit, monkeypatch):
    """Unwell services, a damaged file and a failing store are sentences; where nothing was searched yet a link leads there."""
    here = visit(page="health")
    calm = replace(health_double.report(), alerts=())
    broken = StoreState(
        label="Redis", working=False, korean="Redis가 답하지 않아요. 기록은 메모리에 있어요.", lost=3, capped=True
    )
    here.core.broken = {"library": "자료 저장소가 손상되었어요. 앱을 끄고 되살려 주세요."}
    monkeypatch.setattr(here.core, "health", lambda _: replace(calm, store=broken))
    here.look()
    for words in (
        "서비스가 2곳 있어요: 위키백과, DuckDuckGo. 왜 그런지는",
        broken.korean,
        "저장하지 못한 기록이 3건",
        "앞부분은 빠져 있을 수 있어요",
    ):
        assert words in here.texts()
    assert "자료 저장소가 손상되었어요. 앱을 끄고 되살려 주세요." in here.errors()
    here.core.broken = {}
    monkeypatch.setattr(here.core, "health", lambda _: replace(calm, providers=calm.providers[:1]))
    here.look()
    assert here.errors() == ""
    assert first_words(here) == ":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요."
    urgent = [alert for alert in health_double.report().alerts if alert.level != "info"]
    monkeypatch.setattr(here.core, "health", lambda _: replace(calm, alerts=(*urgent, replace(urgent[0], korean="둘째예요."))))
    here.look()
    assert first_words(here).startswith("**살펴볼 것이 2가지 있어요.**")
    monkeypatch.setattr(here.core, "health", health_double.silence)
    here.look()
    assert "지난 24시간 동안 검색한 기록이 없어요" in here.texts()
    assert first_words(here).endswith("‘지금 점검’을 누르면 서비스마다 한 번씩 물어봐요.")
    assert [link.proto.label for link in here.at.get("page_link")] == ["검색하러 가기"]
    assert (len(here.at.metric), len(here.at.dataframe)) == (0, 0)


def test_events_are_listed_newest_first_and_narrowed(visit):
    """A page holds twenty as they are; status, service and text narrow them together, from the first page on, until cleared."""
    here = visit(page="health")
    shown = rows(here)
    assert len(shown) == 20
    assert list(shown["시각"]) == sorted(shown["시각"], reverse=True)
    assert health_double.HOSTILE_QUERY in set(shown["검색어"])
    assert "52건 · 새것부터" in here.texts()
    here.at.session_state["events-page-0"] = 3
    here.look()
    assert len(rows(here)) == 12
    here.enter(health_board.TEXT_KEY, "e")
    assert len(rows(here)) == 20
    here.enter(health_board.TEXT_KEY, "answered 429")
    assert "52건 중 1건 · 새것부터" in here.texts()
    here.at.text_input(key=health_board.TEXT_KEY).set_value("")
    here.set("multiselect", health_board.STATUS_KEY, ["timeout", "rate_limited"])
    assert [list(badges) for badges in rows(here)["결과"]] == [["요청 한도 초과"], ["시간 초과"]]
    here.set("multiselect", health_board.SERVICE_KEY, ["wikipedia"])
    assert list(rows(here)["검색 서비스"]) == ["위키백과"]
    here.enter(health_board.TEXT_KEY, "없는 말")
    assert "조건에 맞는 기록이 없어요." in here.texts()
    here.click("events-clear")
    assert "52건 · 새것부터" in here.texts()


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


def test_bars_stack_from_success_to_error_in_korean_time():
    """Each hour is a pile of rectangles in milliseconds of Korea's clock; an empty one still holds the axis."""
    events = (
        health_double.event(30, "a", SearchStatus.SUCCESS, NOON),
        health_double.event(31, "a", SearchStatus.TIMEOUT, NOON),
        health_double.event(32, "a", SearchStatus.BLOCKED, NOON),
    )
    report = replace(health_double.report(24, NOON), timeline=health_double._slices(NOON, 24, events))
    bars = health_board._bars(report)
    last = [index for index, count in enumerate(bars["count"]) if count]
    assert [(bars["kind"][index], bars["low"][index], bars["high"][index]) for index in last] == [
        ("성공", 0, 1),
        ("시간 초과", 1, 2),
        ("오류", 2, 3),
    ]
    assert {bars["time"][index] for index in last} == {"11-21 11:00–12:00"}
    eleven = datetime(2026, 11, 21, 11, 0, tzinfo=UTC).timestamp() * 1000
    assert all(eleven < bars["start"][index] < bars["end"][index] < eleven + 3_600_000 for index in last)
    assert len(bars["count"]) == 26


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
    columns = health_board._columns([event], {})
    assert columns["검색어"] == [f"가나 다{health_double.HOSTILE_QUERY}"]
    assert columns["자세히"] == ["알 수 없는 문제가 생겼어요. 다시 시도해 주세요."]
    assert columns["검색 서비스"] == ["nobody"]
    assert columns["응답"] == [1.234]
    assert columns["건수"] == [None]


def test_a_missing_key_is_shown_in_one_visit_only(visit, tmp_path):
    """The first visit sees it as long as it lasts; a page loaded anew says only how to turn the service on."""
    settings = Settings(
        maekrak_data_dir=tmp_path, embedding_model="kiwi", search_providers="library,brave", library_samples=False
    )
    label = "참고할 점 1가지 · 한 번만 알려 드려요"
    with closing(SearchCore.from_settings(settings)) as core:
        first = visit(page="health", core=core)
        assert label in first.texts()
        first.look()
        assert label in first.texts()
        again = visit(page="health", core=core)
        assert "참고할 점" not in again.texts()
        assert "BRAVE_SEARCH_API_KEY" in again.texts()
