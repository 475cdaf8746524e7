"""The record of searches: events, states and probes, with a store on disk, in Redis, or broken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain import Question, ResearchRequest, SearchOptions, SearchStatus
from search_core.errors import SettingsError
from search_core.health import ProviderState, hide_queries
from search_core.health.report import HIDDEN_QUERY
from search_core.presenting import health_text
from search_core.runtime import ASKED_BY
from tests.loopback.redis_server import RedisServer
from tests.loopback.world import World
from tests.search_core.whole_core import build_core

SERVICES = "wikipedia,searxng;duckduckgo"
QUESTION = Question(text="메모리 대역폭은 왜 중요한가?")


@pytest.fixture(autouse=True)
def _healthy(world: World):
    world.reset()


@pytest.fixture
def cores(world: World, tmp_path: Path) -> Iterator:
    """Return a function that builds cores, all on one data folder; they are closed at the end."""
    made: list[SearchCore] = []

    def build(**changes: object) -> SearchCore:
        made.append(build_core(world, tmp_path, **{"search_providers": SERVICES, "library_samples": False, **changes}))
        return made[-1]

    yield build
    for core in made:
        core.close()


def test_a_search_is_on_the_record_with_every_service_it_asked(cores, world: World):
    """Report, metrics, text and files count what was asked and name the failure; the folder is for its owner only."""
    core = cores()
    world.play("searxng", failure="403")
    core.search(QUESTION)
    report = core.health()
    assert (report.totals.asked, report.totals.success, report.totals.error) == (2, 1, 1)
    rows = {row.name: row for row in report.providers}
    assert rows["wikipedia"].state is ProviderState.HEALTHY
    assert rows["searxng"].state is ProviderState.COOLING_DOWN
    assert rows["searxng"].last_error is not None
    assert rows["searxng"].last_error.status is SearchStatus.BLOCKED
    assert rows["duckduckgo"].state is ProviderState.UNASKED
    assert rows["tavily"].state is ProviderState.ABSENT
    assert {event.query for event in report.events} == {report.events[0].query}
    assert report.store.working
    text, kind = core.metrics()
    assert b'web_search_total{provider="wikipedia",status="success"} 1.0' in text
    assert b'web_search_total{provider="searxng",status="blocked"} 1.0' in text
    assert kind.startswith("text/plain")
    assert "성공: 1 (50%)" in health_text(report, report.until)
    assert b"wikipedia" in core.export_health(report, "csv").data
    assert json.loads(core.export_health(report, "json").data)
    path = core.settings.maekrak_data_dir / "events.sqlite"
    assert not path.parent.stat().st_mode & 0o077  # queries are private


def test_queries_are_shown_to_whoever_asked(cores, world: World):
    """A search, an answer and a run of research are noted with their owner; others see services, states and times of them."""
    core = cores()
    world.play("searxng", failure="403")
    ASKED_BY.set("민수")
    core.start_search(QUESTION, SearchOptions(providers=("wikipedia", "searxng"))).wait(20)
    ASKED_BY.set("")
    chat = core.chat
    chat.ask(chat.new("영희").id, "영희", "HBM4 대역폭은 얼마인가요?").wait(30)
    run = core.research.start(ResearchRequest(question="HBM4 가격은?", owner="철수")).id
    for _ in core.research.events(run, "철수"):
        pass
    report = core.health()
    asked = {name: {event.query for event in report.events if event.owner == name} for name in ("민수", "영희", "철수", "")}
    assert all(asked[name] for name in ("민수", "영희", "철수"))
    assert asked[""] == set()
    seen = hide_queries(report, "민수")
    assert {event.query for event in seen.events} == {*asked["민수"], HIDDEN_QUERY}
    assert [(event.provider, event.status, event.timestamp) for event in seen.events] == [
        (event.provider, event.status, event.timestamp) for event in report.events
    ]
    files = (
        core.export_health(hide_queries(report, "박"), "json").data + core.export_health(hide_queries(report, "박"), "csv").data
    )
    assert not any(words.encode() in files for words in (*asked, *asked["민수"], *asked["영희"], *asked["철수"]) if words)


def test_the_record_outlives_the_process(cores):
    """Another core on the same folder sees what the first has asked."""
    first = cores()
    first.search(QUESTION, SearchOptions(providers=("wikipedia",)))
    first.close()
    assert [event.provider for event in cores().health().events] == ["wikipedia"]


def test_kept_answers_are_recorded_and_counted_apart(cores, world: World):
    """The second equal search asks nobody, and that does not change the success rate."""
    core = cores()
    for _ in range(2):
        core.search(QUESTION, SearchOptions(providers=("wikipedia",)))
    totals = core.health().totals
    assert (totals.asked, totals.success, totals.from_cache, totals.success_rate) == (1, 1, 1, 1.0)


def test_a_probe_asks_each_service_that_is_set_up_once(cores, world: World):
    """Every tier is asked, the replies arrive one by one, a second click shares the round under way."""
    core = cores()
    world.play("wikipedia", latency_s=0.3)
    probe = core.start_probe()
    assert core.start_probe() is probe
    assert core.probe_job() is probe
    assert probe.wait(20)
    assert {reply.provider for reply in probe.replies} == {"wikipedia", "searxng", "duckduckgo"}
    assert probe.waiting == ()
    assert all(line.text for line in core.probe_ledger(probe))
    assert core.health().totals.asked == 0
    assert [event.probe for event in core.health().events] == [True] * 3
    assert b'status="success"} 1.0' not in core.metrics()[0]
    assert core.start_probe() is not probe
    assert core.probe_job().wait(20)


def test_a_probe_wakes_a_service_that_is_well_again(cores, world: World):
    """A service left alone for its refusals is healthy after a probe it answers."""
    core = cores()
    world.play("searxng", failure="blocked")
    core.search(QUESTION)
    assert core.service_states().by_name["searxng"] is ProviderState.COOLING_DOWN
    world.play("searxng")
    assert core.start_probe().wait(20)
    assert core.service_states().by_name["searxng"] is not ProviderState.COOLING_DOWN


def test_an_event_store_that_cannot_be_used_harms_no_search(cores, tmp_path: Path):
    """A folder in the place of the file: the search works, the page still shows this process's events and says why."""
    (tmp_path / "data" / "events.sqlite").mkdir(parents=True)
    core = cores()
    report = core.search(QUESTION, SearchOptions(providers=("wikipedia",)))
    assert report.replies[0].status is SearchStatus.SUCCESS
    health = core.health()
    assert [event.provider for event in health.events] == ["wikipedia"]
    assert not health.store.working
    assert health.store.korean


def test_answers_and_events_are_kept_in_redis(cores, world: World):
    """With REDIS_URL two processes share answers and events; nothing of either is written to disk."""
    with RedisServer() as server:
        first, second = cores(redis_url=server.url), cores(redis_url=server.url)
        first.search(QUESTION, SearchOptions(providers=("wikipedia",)))
        report = second.search(QUESTION, SearchOptions(providers=("wikipedia",)))
        assert report.replies[0].from_cache
        assert [event.from_cache for event in second.health().events] == [True, False]
        folder = first.settings.maekrak_data_dir
        assert not (folder / "events.sqlite").exists()
        assert not (folder / "replies").exists()


@pytest.mark.parametrize("trouble", ["kill", "pause"])
def test_a_redis_that_dies_or_falls_silent_harms_no_search(cores, world: World, trouble: str):
    """Searches go on with every service asked anew, and the page says that the record is in memory only."""
    with RedisServer() as server:
        core = cores(redis_url=server.url)
        core.search(QUESTION, SearchOptions(providers=("wikipedia",)))
        assert core.health().store.working
        getattr(server, trouble)()
        for _ in range(3):
            report = core.search(QUESTION, SearchOptions(providers=("wikipedia",)))
            assert report.replies[0].status is SearchStatus.SUCCESS
            assert not report.replies[0].from_cache
        health = core.health()
        assert health.totals.asked == 4
        assert not health.store.working
        if trouble == "pause":
            server.resume()


def test_wrong_settings_are_errors_at_the_start(cores):
    """An unreadable Redis address is named without its value; an unknown service, with the names there are."""
    with pytest.raises(SettingsError) as caught:
        cores(redis_url="redis-at-home:secret-word")
    assert "REDIS_URL" in caught.value.korean
    assert "secret-word" not in f"{caught.value} {caught.value.korean}"
    with pytest.raises(SettingsError, match=r"'bing'.*known are.*tavily"):
        cores(search_providers="wikipedia,bing")


def test_only_the_keys_that_are_missing_are_named(cores):
    """Of a service that needs two keys, the one that is set is not told to be missing."""
    core = cores(search_providers="wikipedia,naver", naver_client_id="some-id", naver_client_secret="")
    infos = [alert.cause + alert.korean for alert in core.health().alerts if alert.level == "info"]
    assert len(infos) == 1
    assert "NAVER_CLIENT_SECRET" in infos[0]
    assert "NAVER_CLIENT_ID" not in infos[0]


def test_a_missing_key_is_told_once(cores):
    """What was told is told no more, by this process or the next; a key that is missing later is new."""
    first = cores(search_providers="wikipedia,brave", brave_search_api_key="")
    report = first.health()
    assert [alert.provider for alert in report.alerts] == ["brave"]
    assert first.health().alerts == report.alerts
    first.acknowledge_alerts(report)
    assert first.health().alerts == ()
    assert cores(search_providers="wikipedia,brave", brave_search_api_key="").health().alerts == ()
    later = cores(search_providers="wikipedia,brave,youtube", brave_search_api_key="", youtube_api_key="").health()
    assert [alert.provider for alert in later.alerts] == ["youtube"]


def test_what_was_told_may_be_lost_but_breaks_nothing(cores, tmp_path: Path):
    """A damaged record of what was told tells once more; one that cannot be written is kept while the process lives."""
    (tmp_path / "data").mkdir()
    record = tmp_path / "data/told-alerts.json"
    record.write_text("[1, ", encoding="utf-8")
    core = cores(search_providers="wikipedia,brave", brave_search_api_key="")
    assert [alert.provider for alert in core.health().alerts] == ["brave"]
    record.unlink()
    record.mkdir()
    core.acknowledge_alerts(core.health())
    assert core.health().alerts == ()
