"""The health page: what is said of the services, in which words, and what a click does."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pages.parts import health_events, health_timeline, services
from search_core.core import SearchCore
from search_core.domain import SearchEvent, SearchStatus
from search_core.health import StoreState
from search_core.settings import Settings
from tests.app import health_double
from tests.app.conftest import Visit

NOON = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
"""Noon in Korea."""


@pytest.fixture
def health(visit):
    """Return a function that opens the health page in a world of its own."""

    def open_page(world: str = "found") -> Visit:
        here = visit(world)
        here.open_health()
        return here

    return open_page


def rows(here: Visit):
    """Return the rows of the event table on the page."""
    return here.at.dataframe[0].value


def test_a_day_at_a_glance(health):
    """The numbers stand there as in the dashboard of the specification, with the slowest twentieth beside them."""
    here = health()
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
    assert here.core.health_read == [24]


def test_nothing_searched_yet_shows_the_way(health):
    """Without any request the page says so and leads to the search; the services are listed, and no table stands empty."""
    here = health("silent")
    assert "지난 24시간 동안 검색한 기록이 없어요" in here.texts()
    assert [link.proto.label for link in here.at.get("page_link")] == ["검색하러 가기"]
    assert "아직 묻지 않음" in here.texts()
    assert not here.at.metric
    assert not here.at.dataframe


def test_alerts_are_words_and_missing_keys_are_folded(health):
    """What is wrong stands on top with its level in words, in no red box; what is merely good to know is folded together."""
    here = health()
    assert ":orange-badge[:material/warning: 주의] DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요." in here.texts()
    folded = next(panel for panel in here.at.expander if panel.label == "참고할 점 2가지 · 한 번만 알려 드려요")
    assert "Brave는 키가 없어서 묻지 않아요." in folded.markdown[0].value.replace("\\", "")
    assert "Tavily는 키가 없어서 묻지 않아요." in folded.markdown[0].value.replace("\\", "")
    assert not here.at.error
    assert not here.at.warning


def test_without_alerts_the_page_says_how_things_are(health, monkeypatch):
    """With nothing pressing, services that are not well are named, and else that all is well."""
    here = health()
    calm = replace(health_double.report(), alerts=())
    monkeypatch.setattr(here.core, "health", lambda _: calm)
    here.look()
    assert "상태가 좋지 않은 검색 서비스가 2곳 있어요: 위키백과, DuckDuckGo" in here.texts()
    well = replace(calm, providers=calm.providers[:1])
    monkeypatch.setattr(here.core, "health", lambda _: well)
    here.look()
    assert "지금은 살펴볼 문제가 없어요." in here.texts()


def test_each_service_has_its_row(health):
    """State as a word beside its colour, last success, times and counts; the last error in words."""
    here = health()
    table = next(text.value for text in here.at.markdown if text.value.startswith("| 검색 서비스"))
    lines = table.replace("\\", "").splitlines()
    assert [line.split("**")[1] for line in lines[2:]] == ["내 자료", "위키백과", "DuckDuckGo", "브라우저"]
    wikipedia = lines[3]
    assert ":orange-badge[:material/warning: 불안정]" in wikipedia
    assert "마지막 오류 1시간 전: 시간 안에 답하지 않았어요" in wikipedia
    assert "2분 전 성공" in wikipedia
    assert "보통 **0.8초** · 느릴 때 2.3초" in wikipedia.replace("\u00a0", " ")
    assert "성공 **15** · 시간 초과 1" in wikipedia.replace("\u00a0", " ")
    assert ":violet-badge[:material/bedtime: 쉬는 중]" in lines[4]
    assert "아직 묻지 않음" in lines[5]
    assert "요청 없음" in lines[5]


def test_what_is_kept_and_cannot_be_used_is_said_with_what_to_do(health):
    """A damaged library is told on the page, not only in the log, and again no more when it is mended."""
    here = health()
    assert not here.at.error
    here.core.broken = {"library": "자료 저장소가 손상되었어요. 앱을 끄고 되살려 주세요."}
    here.look()
    assert [each.value.replace("\\", "") for each in here.at.error] == ["자료 저장소가 손상되었어요. 앱을 끄고 되살려 주세요."]
    here.core.broken = {}
    here.look()
    assert not here.at.error


def test_services_off_by_choice_are_folded_and_say_how_to_turn_them_on(health):
    """They come last, behind one line."""
    here = health()
    folded = next(panel for panel in here.at.expander if panel.label == "꺼 둔 검색 서비스 2곳 · 켜는 방법")
    assert "**SearXNG** — SEARXNG_URL을 정하면 켜져요." in folded.markdown[0].value.replace("\\", "")
    assert "**Brave** — BRAVE_SEARCH_API_KEY를 넣으면 켜져요." in folded.markdown[0].value.replace("\\", "")


def test_events_are_listed_newest_first_as_they_are(health):
    """Text of a query stays text, kept answers are marked, and a page holds twenty."""
    here = health()
    shown = rows(here)
    assert len(shown) == 20
    assert list(shown["시각"]) == sorted(shown["시각"], reverse=True)
    assert health_double.HOSTILE_QUERY in set(shown["검색어"])
    kept = [list(badges) for badges in shown["결과"] if "저장된 결과" in badges]
    assert kept == [["성공", "저장된 결과"]] * 2
    assert "52건 · 새것부터" in here.texts()


def test_filters_narrow_the_table(health):
    """Status, service and text narrow it together; what is left is counted, and one click takes them all away."""
    here = health()
    here.at.multiselect(key=health_events.STATUS_KEY).set_value(["timeout", "rate_limited"])
    here.look()
    assert [list(badges) for badges in rows(here)["결과"]] == [["요청 한도 초과"], ["시간 초과"]]
    assert "52건 중 2건 · 새것부터" in here.texts()
    here.at.multiselect(key=health_events.SERVICE_KEY).set_value(["wikipedia"])
    here.look()
    assert list(rows(here)["검색 서비스"]) == ["위키백과"]
    here.at.text_input(key=health_events.TEXT_KEY).set_value("없는 말")
    here.look()
    assert "조건에 맞는 기록이 없어요." in here.texts()
    here.click("events-clear")
    assert "52건 · 새것부터" in here.texts()


def test_text_is_found_in_any_case_and_in_errors(health):
    """The box looks into queries, error sentences and names of services."""
    here = health()
    for text, count in (("nvidia gtc", 9), ("answered 429", 1), ("duckduckgo", 19)):
        here.at.text_input(key=health_events.TEXT_KEY).set_value(text)
        here.look()
        assert f"52건 중 {count}건 · 새것부터" in here.texts()


def test_a_change_of_filter_begins_at_the_first_page(health):
    """The second page of all events is not the second page of some."""
    here = health()
    here.at.session_state["events-page-0"] = 3
    here.look()
    assert len(rows(here)) == 12
    here.at.text_input(key=health_events.TEXT_KEY).set_value("e")
    here.look()
    assert len(rows(here)) == 20


def test_another_span_is_read_anew(health):
    """The switch asks the core for the hours it names."""
    here = health()
    here.at.get_by_key("health-range").set_value(1)
    here.look()
    assert here.core.health_read == [24, 1]
    assert "지난 1시간 한눈에" in here.texts()


def test_without_refreshing_the_numbers_stand_still_until_asked(health):
    """With the switch off the time of the numbers is named, and a button reads them anew."""
    here = health()
    assert "방금 갱신 · " in here.texts()
    here.at.toggle(key="health-auto").set_value(False)
    here.look()
    assert "기준 · 자동 새로고침 꺼짐" in here.texts()
    assert here.has_button("health-refresh")


def test_a_check_is_started_once_and_its_outcome_is_told(health):
    """While a check is under way the button rests and each service is named; then each has its sentence."""
    here = health()
    assert "유료 서비스는 요청 1건이 쓰여요" in here.texts()
    here.click("probe")
    assert here.button("probe").disabled
    assert "검색 서비스를 점검하고 있어요 · 2곳 중 1곳 끝남" in here.texts()
    assert "위키백과 결과 없음 · 0.3초" in here.texts()
    assert "DuckDuckGo 응답 대기 중" in here.texts()
    (job,) = here.core.probes
    job.end()
    here.look()
    assert not here.button("probe").disabled
    assert "점검을 마쳤어요" in here.texts()
    assert "DuckDuckGo: 요청 한도를 넘었어요. 2분 뒤 다시 시도해 주세요." in here.texts()
    here.click("probe-close")
    assert "점검을 마쳤어요" not in here.texts()


def test_a_check_somebody_else_started_is_shown_and_not_doubled(health, visit):
    """A second visitor sees the running check; no second one starts."""
    here = health()
    here.click("probe")
    other = Visit(here.core, {})
    other.open_health()
    assert "2곳 중 1곳 끝남" in other.texts()
    assert other.button("probe").disabled
    assert len(here.core.probes) == 1


def test_an_old_check_is_not_shown_to_a_newcomer(health):
    """What came of a check belongs to those who watched it."""
    here = health()
    here.core.start_probe().end()
    newcomer = Visit(here.core, {})
    newcomer.open_health()
    assert "점검을 마쳤어요" not in newcomer.texts()


def test_where_events_are_kept_and_when_that_fails(health, monkeypatch):
    """The place is named; a store that fails says what that means, and how many events it did not take."""
    here = health()
    assert "기록 보관: 이 컴퓨터의 파일 (events.sqlite)" in here.texts()
    broken = StoreState(
        label="Redis", working=False, korean="Redis가 답하지 않아요. 기록은 메모리에 있어요.", lost=3, capped=True
    )
    monkeypatch.setattr(here.core, "health", lambda hours: replace(health_double.report(hours), store=broken))
    here.look()
    assert "Redis가 답하지 않아요. 기록은 메모리에 있어요." in here.texts()
    assert "저장하지 못한 기록이 3건 있어요" in here.texts()
    assert "이 기간의 앞부분은 빠져 있을 수 있어요" in here.texts()


def test_the_sidebar_has_no_search_controls(health):
    """Sliders and service switches belong to the search page."""
    here = health()
    assert not here.at.sidebar.slider
    assert not here.at.sidebar.checkbox


def test_bars_stack_from_success_to_error_and_keep_korean_time():
    """Each stretch is a pile of rectangles in milliseconds of Korea's clock; an empty one still holds the axis."""
    events = (
        health_double.event(30, "a", SearchStatus.SUCCESS, NOON),
        health_double.event(31, "a", SearchStatus.TIMEOUT, NOON),
        health_double.event(32, "a", SearchStatus.BLOCKED, NOON),
    )
    report = replace(health_double.report(24, NOON), timeline=health_double._slices(NOON, 24, events))
    bars = health_timeline._bars(report)
    last = [place for place, count in enumerate(bars["count"]) if count]
    assert [(bars["kind"][place], bars["low"][place], bars["high"][place]) for place in last] == [
        ("성공", 0, 1),
        ("시간 초과", 1, 2),
        ("오류", 2, 3),
    ]
    assert {bars["time"][place] for place in last} == {"11-21 11:00–12:00"}
    eleven = datetime(2026, 11, 21, 11, 0, tzinfo=UTC).timestamp() * 1000
    assert all(eleven < bars["start"][place] < bars["end"][place] < eleven + 3_600_000 for place in last)
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
    columns = health_events._columns([event], {})
    assert columns["검색어"] == [f"가나 다{health_double.HOSTILE_QUERY}"]
    assert columns["자세히"] == ["알 수 없는 문제가 생겼어요. 다시 시도해 주세요."]
    assert columns["검색 서비스"] == ["nobody"]
    assert columns["응답"] == [1.234]
    assert columns["건수"] == [None]


def test_a_missing_key_is_told_in_one_visit_only(tmp_path):
    """The first visit sees it as long as it lasts; the page loaded anew does not have it, only how to turn the service on."""
    settings = Settings(
        maekrak_data_dir=tmp_path, embedding_model="kiwi", search_providers="library,brave", library_samples=False
    )
    label = "참고할 점 1가지 · 한 번만 알려 드려요"
    with closing(SearchCore.from_settings(settings)) as core:
        services.provide(lambda: core)
        try:
            first = Visit(core, {})
            first.open_health()
            assert label in first.texts()
            first.look()
            assert label in first.texts()
            again = Visit(core, {})
            again.open_health()
            assert "참고할 점" not in again.texts()
            assert "BRAVE_SEARCH_API_KEY" in again.texts()
        finally:
            services.provide(services.from_settings)
