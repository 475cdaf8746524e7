"""The health page: what it says of the services, in which words, and what a click does."""

from __future__ import annotations

from dataclasses import replace

from pages.parts import health
from search_core.health.report import StoreState
from tests.app import health_double
from tests.app.conftest import Visit


def first_words(here: Visit) -> str:
    return next(str(text.value) for text in here.at.main.markdown).replace("\\", "")


def test_a_day_at_a_glance(visit):
    """Four numbers, alerts in words, a row a service, last how one is turned on that is off; no search control is beside them."""
    here = visit(page="health")
    assert {tile.label: tile.value for tile in here.at.metric} == {
        "성공": "45 (90%)",
        "결과 없음": "3 (6%)",
        "시간 초과": "1 (2%)",
        "오류": "1 (2%)",
    }
    assert "50번 물어봤어요 · 평균 결과 수 4.5 · 평균 응답 시간 1.1초 · 응답 시간 p50 / p95 0.9초 / 2.0초" in here.texts()
    assert first_words(here) == ":orange-badge[:material/warning: 주의] DuckDuckGo가 지난 1시간 동안 절반도 답하지 못했어요."
    table = here.at.dataframe[0].value
    assert list(table["검색 서비스"])[:4] == ["내 자료", "위키백과", "DuckDuckGo", "브라우저"]
    wikipedia = table.iloc[1]
    assert "마지막 오류 1시간 전" in wikipedia["설명"]
    shown = [wikipedia[name] for name in ("상태", "마지막 성공", "보통 응답", "느린 응답", "요청")]
    assert shown == ["불안정", "2분 전", "0.9초", "2.0초", "성공 15 · 시간 초과 1"]
    assert (table.iloc[2]["상태"], table.iloc[3]["요청"]) == ("쉬는 중", "")
    assert "SEARXNG_URL을 정하면 켜져요." in set(table["설명"])
    assert not here.at.sidebar.slider


def test_what_is_wrong_is_named_and_what_is_well_too(visit, monkeypatch):
    """Unwell services, a damaged file and a failing store are sentences; so is that nothing was searched yet."""
    here = visit(page="health")
    calm = replace(health_double.report(), alerts=())
    broken = StoreState(label="Redis", working=False, korean="Redis가 답하지 않아요. 기록은 메모리에 있어요.")
    here.core.broken = {"library": "자료 저장소가 손상되었어요. 앱을 끄고 새로 만들어 주세요."}
    monkeypatch.setattr(here.core, "health", lambda: replace(calm, store=broken))
    here.look()
    assert "서비스가 있어요: 위키백과, DuckDuckGo. 왜 그런지는" in here.texts()
    assert broken.korean in here.texts()
    assert "자료 저장소가 손상되었어요. 앱을 끄고 새로 만들어 주세요." in here.errors()
    here.core.broken = {}
    monkeypatch.setattr(here.core, "health", lambda: replace(calm, providers=calm.providers[:1]))
    here.look()
    assert here.errors() == ""
    assert first_words(here) == ":green[:material/check_circle:] 모두 잘 되고 있어요. 지금은 살펴볼 문제가 없어요."
    monkeypatch.setattr(here.core, "health", lambda: health_double.report(silent=True))
    here.look()
    assert "지난 24시간 동안 검색한 기록이 없어요" in here.texts()
    assert (len(here.at.metric), len(here.at.dataframe)) == (0, 1)


def test_the_log_holds_the_newest_requests_as_they_are(visit, monkeypatch):
    """Every request has a row, the newest first, without control characters; of more than fit files have the rest."""
    here = visit(page="health")
    shown = here.at.dataframe[1].value
    assert len(shown) == 52
    assert list(shown["시각"]) == sorted(shown["시각"], reverse=True)
    assert health_double.HOSTILE_QUERY in set(shown["검색어"])
    assert "결과를 찾았어요. · 저장된 결과" in set(shown["결과"])
    many = health_double.report()
    monkeypatch.setattr(here.core, "health", lambda: replace(many, events=many.events * 5))
    here.look()
    assert len(here.at.dataframe[1].value) == health.LOG_LENGTH
    assert "가장 새로운 200건이에요." in here.texts()
