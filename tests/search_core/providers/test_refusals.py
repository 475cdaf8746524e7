"""How each service says no, and what is made of it: the status, what the user can do, and how long the service wants to be left.

``canary`` in an answer is where a service may repeat anything, the key as well.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

import pytest

from search_core.domain.reply import SearchStatus
from tests.loopback.played import Answer, json_answer
from tests.loopback.services import brave, google, naver, tavily
from tests.loopback.world import HTML_TYPE, PLAYED, World
from tests.search_core.providers.provider_calls import ask, refusal_of

BAD_KEY = SearchStatus.INVALID_API_KEY
SPENT = SearchStatus.QUOTA_EXHAUSTED
LIMITED = SearchStatus.RATE_LIMITED
BLOCKED = SearchStatus.BLOCKED
NETWORK = SearchStatus.NETWORK_ERROR
UNREADABLE = SearchStatus.INVALID_RESPONSE

BRAVE_KEY = "BRAVE_SEARCH_API_KEY"
AS_LIST = {"type": "ErrorResponse", "errors": [{"id": "x", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "meta": {}}]}
BRAVE = [
    (json_answer(AS_LIST, 422), BAD_KEY, BRAVE_KEY),
    (brave.refused(404, "SUBSCRIPTION_NOT_FOUND"), BAD_KEY, BRAVE_KEY),
    (brave.refused(422, "VALIDATION"), UNREADABLE, ""),
    ((422, {}, b"no json"), UNREADABLE, ""),
]

KEY = PLAYED["google"].keys[0]
SUNSET = "2027년 1월 1일"
PER_DAY = {"metadata": {"quota_unit": "1/d/{project}"}}
GOOGLE = [
    (google.error(400, "INVALID_ARGUMENT", KEY, details=({"reason": "API_KEY_INVALID"},)), BAD_KEY, SUNSET),
    (google.error(400, "INVALID_ARGUMENT", f"API key expired: {KEY}"), BAD_KEY, SUNSET),
    (google.error(403, "", KEY, "accessNotConfigured"), BAD_KEY, "켜져 있는지"),
    (google.error(403, "", KEY, "dailyLimitExceeded"), SPENT, ""),
    (google.error(403, "", KEY, "userRateLimitExceeded"), LIMITED, ""),
    ((403, {}, KEY.encode()), BLOCKED, ""),
    (google.over_the_limit("Queries per day"), SPENT, ""),
    (google.error(429, "RESOURCE_EXHAUSTED", KEY, "rateLimitExceeded", details=(PER_DAY,)), SPENT, ""),
    (google.over_the_limit("Queries per minute per user"), LIMITED, ""),
    ((429, {}, KEY.encode()), LIMITED, ""),
    (google.error(400, "INVALID_ARGUMENT", KEY, "badRequest"), UNREADABLE, "SEARCH_ENGINE_ID가 맞는지"),
]

SECRET = naver.SECRET
NAVER = [
    (naver.gateway_error(401, "200", SECRET), BAD_KEY, "NAVER API HUB에서"),
    ((403, {}, b'<form id="challenge-form">'), BLOCKED, ""),
    (naver.gateway_error(429, "400", SECRET), SPENT, ""),
    (naver.gateway_error(429, "410", SECRET), LIMITED, ""),
    (naver.gateway_error(400, "100", SECRET), UNREADABLE, ""),
    (naver.gateway_error(500, "SE99", SECRET), NETWORK, ""),
    (json_answer({"errorMessage": "NID AUTH Result Invalid", "errorCode": "024"}, 401), BAD_KEY, "NAVER_CLIENT_SECRET을 확인"),
    (json_answer({"error": SECRET, "errorCode": [SECRET]}, 429), LIMITED, ""),
]

TAVILY = [
    (tavily.refused(400, "Query is too long. Max query length is 400 characters."), UNREADABLE, ""),
    (tavily.refused(401, "Unauthorized: missing or invalid API key."), BAD_KEY, "TAVILY_API_KEY"),
    (tavily.refused(403, "Forbidden"), BLOCKED, ""),
    (tavily.refused(432, "This request exceeds your plan's set usage limit."), SPENT, "요금제"),
    (json_answer({"detail": {"error": "odd"}}), UNREADABLE, ""),
]

SEARXNG = [
    ((403, {"content-type": HTML_TYPE}, b"<h1>Forbidden</h1>"), UNREADABLE, "search.formats"),
    ((403, {"content-type": HTML_TYPE}, b'<form id="captcha-form">'), BLOCKED, ""),
    ((302, {"location": "/"}, b""), BLOCKED, ""),
    (json_answer({"error": "No query"}, 400), UNREADABLE, ""),
]

CHALLENGE = b'<html><form id="challenge-form"><div class="anomaly-modal__title">bots use DuckDuckGo too</div></form></html>'
DUCKDUCKGO = [
    *(((202, {}, body), BLOCKED, "") for body in (CHALLENGE, b"")),
    *(((200, {"content-type": HTML_TYPE}, CHALLENGE), BLOCKED, ""), ((403, {}, CHALLENGE), BLOCKED, "")),
    *(((status, {}, b""), BLOCKED, "") for status in (400, 403, 418)),
    ((429, {}, CHALLENGE), LIMITED, ""),
    ((302, {}, b""), UNREADABLE, ""),
    ((200, {"content-type": HTML_TYPE}, "<html><body><p>새 디자인이에요</p></body></html>".encode()), UNREADABLE, ""),
]

REFUSALS: Mapping[str, list[tuple[Answer, SearchStatus, str]]] = {
    "brave": BRAVE,
    "duckduckgo": DUCKDUCKGO,
    "google": GOOGLE,
    "naver": NAVER,
    "searxng": SEARXNG,
    "tavily": TAVILY,
}
"""By service: what it sends, the status that is made of it, and words of the advice, none where there is none to give."""


@pytest.mark.parametrize("service", REFUSALS)
def test_each_refusal_has_its_meaning(world: World, service: str, caplog: pytest.LogCaptureFixture):
    """Status, codes and texts tell key, permission, quota and limits apart; nothing of a refusal is repeated."""
    caplog.set_level(logging.DEBUG)
    for answer, status, advice in REFUSALS[service]:
        world.play(service, answer=answer)
        error = refusal_of(world, service)
        assert (error.status, advice in error.advice, bool(error.advice)) == (status, True, bool(advice)), answer
        assert "CANARY" not in f"{error} {error.advice} {caplog.text}"


@pytest.mark.parametrize(
    ("code", "headers", "status", "pause_s"),
    [
        ("RATE_LIMITED", {}, LIMITED, None),
        ("RATE_LIMITED", {"x-ratelimit-reset": "5, 1419704"}, LIMITED, 5.0),
        ("RATE_LIMITED", {"x-ratelimit-reset": "5, 1419704", "retry-after": "9"}, LIMITED, 9.0),
        ("QUOTA_LIMITED", {"x-ratelimit-reset": "5, 1419704"}, SPENT, 3600.0),
        ("QUOTA_LIMITED", {"x-ratelimit-reset": "5, 1419704", "retry-after": "60"}, SPENT, 60.0),
    ],
)
def test_braves_limit_of_a_second_is_not_that_of_a_month(
    world: World, code: str, headers: dict[str, str], status: SearchStatus, pause_s: float | None
):
    """The code decides, and the pause is that of its window."""
    world.play("brave", answer=brave.refused(429, code, headers=headers))
    error = refusal_of(world, "brave")
    assert (error.status, error.retry_after_s) == (status, pause_s)


def test_blocked_engines_of_searxng_are_not_taken_for_nothing_found(world: World):
    """An empty list with unresponsive engines is a block; an operator whose settings leave JSON out reads which one that is."""
    for engines in ([["google", "CAPTCHA"], ["qwant", "Suspended"]], [None, 3]):
        world.play("searxng", answer=json_answer({"results": [], "unresponsive_engines": engines}))
        assert refusal_of(world, "searxng").status is BLOCKED
    found = {"results": [{"url": "https://example.org/a", "title": "글"}], "unresponsive_engines": [["google", "CAPTCHA"]]}
    world.play("searxng", answer=json_answer(found))
    assert len(ask(world, "searxng")) == 1
    world.play("searxng", answer=SEARXNG[0][0])
    assert "json is not enabled in search.formats" in str(refusal_of(world, "searxng"))
