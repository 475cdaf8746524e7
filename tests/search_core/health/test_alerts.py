"""What an operator is told to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.health import ProviderFacts, StoreState, alerts

from .played_events import S, event, many

TAVILY = ProviderFacts(name="tavily", label="Tavily")
BRAVE = ProviderFacts(name="brave", label="Brave")
WORKS = StoreState(label="이 서버의 기록")


@pytest.mark.parametrize(
    ("success", "failed", "level"),
    [(10, 10, None), (9, 11, "warning"), (2, 18, "warning"), (1, 19, "critical"), (0, 5, "critical"), (0, 4, None)],
)
def test_success_of_the_last_hour_is_watched(success: int, failed: int, level: str | None):
    """Under 50 % is a warning, under 10 % critical, the bounds themselves not; fewer than five requests say nothing."""
    found = alerts(many(success=success, network_error=failed), [TAVILY], WORKS)
    assert [each.level for each in found if each.provider is None] == ([level] if level else [])


def test_the_alert_tells_the_numbers():
    """It has the counts of the hour; services that did not answer and services that found nothing are told apart."""
    (alert, _) = alerts(many(success=1, timeout=9, network_error=10), [TAVILY], WORKS)
    assert alert.cause == "1 of 20 requests of the last hour succeeded; 0 found nothing."
    assert "물은 20건 중 1건만 결과를 찾았어요. 19건은 검색 서비스가 답하지 못했어요." in alert.korean
    (alert,) = alerts(many(success=1, no_results=18, timeout=1), [TAVILY], WORKS)
    assert alert.level == "critical"
    assert "18건은 검색 서비스가 답했지만 찾은 것이 없었어요" in alert.korean
    assert "장애가 아니라" in alert.korean


def test_what_did_not_go_out_is_no_miss():
    """Services left alone, without a key, and kept answers change nothing."""
    quiet = [*many(success=5, cooling_down=50, api_key_missing=50), event(from_cache=True)]
    assert alerts(quiet, [TAVILY], WORKS) == ()


def test_one_failing_service_is_named():
    """One that answers under half of its requests is a warning while all together are well; one that is off is not blamed."""
    events = [event() for _ in range(20)] + [event(S.BLOCKED, provider="brave") for _ in range(5)]
    (alert,) = alerts(events, [TAVILY, BRAVE], WORKS)
    assert (alert.level, alert.provider) == ("warning", "brave")
    assert alert.korean.startswith("Brave: 최근 1시간 동안 물은 5건 중 0건에만 답했어요.")
    assert "다른 검색 서비스가 대신 답하고 있어요." in alert.korean
    assert alerts(events, [TAVILY, replace(BRAVE, in_use=False)], WORKS) == ()


def test_where_nobody_answers_no_other_is_said_to():
    """Services that all fail do not stand in for each other, and what the library finds does not either."""
    library = ProviderFacts(name="library", label="내 자료", web=False)
    events = [event(S.NETWORK_ERROR, provider=name) for name in ("tavily", "brave") for _ in range(5)]
    found = alerts([*events, event(provider="library")], [library, TAVILY, BRAVE], WORKS)
    told = [alert.korean for alert in found if alert.provider]
    assert len(told) == 2
    assert all("대신 답한 검색 서비스도 없어요." in korean for korean in told)


def test_each_missing_key_is_told_once():
    """A service of SEARCH_PROVIDERS without its keys gives one info per key; one left out of it gives none."""
    keys = ("NAVER_CLIENT_ID", "NAVER_CLIENT_SECRET")
    naver = ProviderFacts(name="naver", label="네이버", absent_because="키가 없어요.", missing_keys=keys)
    unused = ProviderFacts(name="google", label="구글", missing_keys=("GOOGLE_CUSTOM_SEARCH_API_KEY",), in_use=False)
    found = alerts([], [TAVILY, naver, unused], WORKS)
    assert [(each.level, each.provider) for each in found] == [("info", "naver"), ("info", "naver")]
    assert all(key in each.korean for key, each in zip(keys, found, strict=True))


def test_the_most_serious_comes_first():
    """Critical, then warnings, then infos, whatever they are about."""
    keyless = ProviderFacts(name="brave", label="Brave", absent_because="키가 없어요.", missing_keys=("BRAVE_SEARCH_API_KEY",))
    broken = StoreState(label="Redis", working=False, korean="Redis에 닿지 않아요.")
    found = alerts(many(timeout=20), [keyless, TAVILY], broken)
    assert [each.level for each in found] == ["critical", "warning", "warning", "info"]
    assert found[2].korean == "Redis에 닿지 않아요."


def test_the_library_does_not_hide_an_outage():
    """The library answering counts for no success of the web, and being able to ask it is not being able to ask somebody."""
    library = ProviderFacts(name="library", label="내 자료", web=False)
    own = [event(provider="library") for _ in range(50)]
    found = alerts([*many(network_error=5), *own], [TAVILY, library], WORKS)
    assert [each.level for each in found if each.provider is None] == ["critical"]
    keyless = replace(BRAVE, absent_because="키가 없어요.")
    for facts in ([keyless, library], [keyless]):
        (nobody,) = alerts([], facts, WORKS)
        assert (nobody.level, nobody.cause) == ("critical", "No search service can be asked.")
    assert alerts(own, [library], WORKS) == ()
