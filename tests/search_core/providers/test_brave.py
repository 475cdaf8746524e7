"""Brave: web and news, its lists of languages and countries, its limits, and keys that fail with a 422."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from search_core.domain import SearchStatus
from search_core.providers import build, catalogue
from search_core.settings import Settings
from tests.loopback.services.brave import KEY, refused
from tests.loopback.world import Asked, World, pages
from tests.search_core.providers.asking import EmptyShelf, ask, refusal_of

JSON = {"content-type": "application/json"}


def answer(payload: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    return {"answer": (status, {**JSON, **(headers or {})}, json.dumps(payload).encode())}


def web(*entries: dict[str, Any]) -> dict[str, Any]:
    return answer({"type": "search", "web": {"type": "search", "results": entries}})


def sent(world: World, **request: Any) -> Asked:
    """Return the request that asking for *request* makes."""
    world.requests["brave"].clear()
    ask(world, "brave", **request)
    (made,) = world.requests["brave"]
    return made


def test_a_plain_question_asks_the_web_endpoint_in_korean(world: World):
    """The key is in a header and nowhere else; language, country and interface are written as Brave writes them."""
    made = sent(world)
    assert (made.method, made.path) == ("GET", "/res/v1/web/search")
    assert made.headers["x-subscription-token"] == KEY
    assert KEY not in "".join(made.params.values())
    assert "api-version" not in made.headers
    assert made.params == {
        "q": "메모리 대역폭",
        "count": "10",
        "country": "KR",
        "search_lang": "ko",
        "ui_lang": "ko-KR",
        "safesearch": "moderate",
        "spellcheck": "false",
        "result_filter": "web",
        "text_decorations": "false",
    }


def test_news_freshness_and_safe_search_are_passed_on(world: World):
    """News has an endpoint with a longer list and fewer parameters."""
    made = sent(world, news=True, freshness="week", safe_search="strict", limit=80)
    assert made.path == "/res/v1/news/search"
    assert (made.params["freshness"], made.params["safesearch"], made.params["count"]) == ("pw", "strict", "50")
    assert "result_filter" not in made.params
    assert "text_decorations" not in made.params
    assert sent(world, limit=80).params["count"] == "20"


@pytest.mark.parametrize(("freshness", "code"), [("day", "pd"), ("week", "pw"), ("month", "pm"), ("year", "py")])
def test_freshness_has_brave_codes(world: World, freshness: str, code: str):
    """Each age of results has its code."""
    assert sent(world, freshness=freshness).params["freshness"] == code


@pytest.mark.parametrize(
    ("language", "search_lang", "country", "ui_lang"),
    [
        ("ko", "ko", "KR", "ko-KR"),
        ("en", "en", "US", "en-US"),
        ("ja", "jp", "JP", "ja-JP"),
        ("zh", "zh-hans", "CN", "zh-CN"),
        ("pt", "pt-br", "BR", "pt-BR"),
        ("vi", "vi", "ALL", None),
        ("xx", None, "US", None),
    ],
)
def test_languages_are_written_as_brave_knows_them(
    world: World, language: str, search_lang: str | None, country: str, ui_lang: str | None
):
    """One code does not fit all lists; what is on none of them is left out, for Brave refuses it."""
    params = sent(world, language=language).params
    assert (params.get("search_lang"), params["country"], params.get("ui_lang")) == (search_lang, country, ui_lang)


def test_domains_are_asked_for_while_they_fit(world: World):
    """Operators follow the query; a query they would make too long or too wordy goes without them, not without its words."""
    domains = {"include_domains": ("example.kr", "example.org"), "exclude_domains": ("spam.example",)}
    assert sent(world, query="대역폭", **domains).params["q"] == "대역폭 site:example.kr OR site:example.org -site:spam.example"
    long = "가" * 370
    assert sent(world, query=long, **domains).params["q"] == long
    wordy = " ".join(["낱말"] * 48)
    assert sent(world, query=wordy, **domains).params["q"] == wordy
    assert sent(world, query=wordy, include_domains=("example.kr",)).params["q"] == f"{wordy} site:example.kr"


def test_a_query_is_cut_to_400_characters_and_50_words(world: World):
    """Brave refuses longer ones."""
    assert sent(world, query="가나다라마바사아 " * 49).params["q"] == ("가나다라마바사아 " * 49)[:400].strip()
    assert len(sent(world, query="a b " * 60).params["q"].split()) == 50


def test_results_are_read_without_marks_and_with_dates(world: World):
    """Tags go, entities are read, a date without a zone counts as UTC, a missing one is none."""
    world.play(
        "brave",
        **web(
            {
                "title": "<strong>하나</strong> &amp; 둘",
                "url": "https://www.example.kr/a",
                "description": "with <strong>marks</strong> &lt;b&gt; &amp; entities",
                "page_age": "2026-08-27T15:49:55",
                "age": "4 days ago",
            },
            {"title": "Second", "url": "https://example.org/b", "description": None},
        ),
    )
    first, second = ask(world, "brave")
    assert (first.title, first.snippet, first.source) == ("하나 & 둘", "with marks <b> & entities", "example.kr")
    assert first.publish_date is not None
    assert first.publish_date.isoformat() == "2026-08-27T15:49:55+00:00"
    assert (second.snippet, second.publish_date, second.ranks) == ("", None, (("brave", 2),))


def test_news_results_stand_at_the_top_level(world: World):
    """The list of a news answer is read where it is; a web answer in its place cannot be read."""
    entry = {"type": "news_result", "title": "소식", "url": "https://example.kr/n", "page_age": "2026-11-01T09:00:00"}
    world.play("brave", **answer({"type": "news", "results": [entry]}))
    assert [found.title for found in ask(world, "brave", news=True)] == ["소식"]
    world.play("brave", **web(entry))
    assert refusal_of(world, "brave", news=True).status is SearchStatus.INVALID_RESPONSE


def test_no_more_results_than_wanted(world: World):
    """A service that sends more than it was asked for is cut."""
    world.play("brave", pages=pages(12))
    assert len(ask(world, "brave", limit=5)) == 5


def test_only_a_search_answer_without_a_list_found_none(world: World):
    """Brave leaves ``web`` out when it found nothing; an answer that is none of its own is not taken for that."""
    world.play("brave", **answer({"type": "search", "query": {"original": "q"}, "mixed": {}}))
    assert ask(world, "brave") == ()
    world.play("brave", **web())
    assert ask(world, "brave") == ()
    world.play("brave", **answer({"type": "news", "results": []}))
    assert ask(world, "brave", news=True) == ()
    for payload in ({}, {"type": "ErrorResponse", "error": {}}, {"type": "search", "web": {}}, {"type": "search", "web": 3}):
        world.play("brave", **answer(payload))
        assert refusal_of(world, "brave").status is SearchStatus.INVALID_RESPONSE, payload


MISSING_KEY = {"errors": [{"loc": ["header", "x-subscription-token"], "msg": "Field required", "type": "missing"}]}
WRONG_COUNTRY = {"errors": [{"loc": ["query", "country"], "msg": "Input should be …", "type": "enum"}]}
AS_LIST = {"type": "ErrorResponse", "errors": [{"id": "x", "status": 422, "code": "SUBSCRIPTION_TOKEN_INVALID", "meta": {}}]}


@pytest.mark.parametrize(
    ("sends", "status"),
    [
        ({"answer": refused(422, "SUBSCRIPTION_TOKEN_INVALID")}, SearchStatus.INVALID_API_KEY),
        (answer(AS_LIST, 422), SearchStatus.INVALID_API_KEY),
        ({"answer": refused(422, "VALIDATION", meta=MISSING_KEY)}, SearchStatus.INVALID_API_KEY),
        ({"answer": refused(404, "SUBSCRIPTION_NOT_FOUND")}, SearchStatus.INVALID_API_KEY),
        ({"answer": refused(401, "X")}, SearchStatus.INVALID_API_KEY),
        ({"answer": refused(422, "VALIDATION", meta=WRONG_COUNTRY)}, SearchStatus.INVALID_RESPONSE),
        (
            {"answer": refused(422, "VALIDATION", meta={"errors": [None, {"loc": 3}, {"loc": ["x"]}]})},
            SearchStatus.INVALID_RESPONSE,
        ),
        ({"answer": (422, JSON, b"no json")}, SearchStatus.INVALID_RESPONSE),
        (answer({"error": ["a"], "errors": {"code": 1}}, 422), SearchStatus.INVALID_RESPONSE),
        ({"answer": refused(404, "X")}, SearchStatus.INVALID_RESPONSE),
        ({"answer": refused(403, "X")}, SearchStatus.BLOCKED),
        ({"answer": refused(500, "X")}, SearchStatus.NETWORK_ERROR),
    ],
)
def test_keys_parameters_and_trouble_are_told_apart_by_the_body(world: World, sends: dict[str, Any], status: SearchStatus):
    """Only the code says whether a 422 is about the key; both shapes of the error are read."""
    world.play("brave", **sends)
    error = refusal_of(world, "brave")
    assert error.status is status
    assert ("BRAVE_SEARCH_API_KEY" in error.advice) == (status is SearchStatus.INVALID_API_KEY)


@pytest.mark.parametrize(
    ("code", "headers", "status", "pause_s"),
    [
        ("RATE_LIMITED", {}, SearchStatus.RATE_LIMITED, None),
        ("RATE_LIMITED", {"x-ratelimit-reset": "5, 1419704"}, SearchStatus.RATE_LIMITED, 5.0),
        ("RATE_LIMITED", {"x-ratelimit-reset": "5, 1419704", "retry-after": "9"}, SearchStatus.RATE_LIMITED, 9.0),
        ("RATE_LIMITED", {"x-ratelimit-reset": "soon"}, SearchStatus.RATE_LIMITED, None),
        ("RATE_LIMITED", {"x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "0, 0"}, SearchStatus.RATE_LIMITED, None),
        ("QUOTA_LIMITED", {"x-ratelimit-reset": "5, 1419704"}, SearchStatus.QUOTA_EXHAUSTED, 3600.0),
        ("X", {"x-ratelimit-limit": "50, 0", "x-ratelimit-remaining": "0, 0"}, SearchStatus.RATE_LIMITED, None),
        ("X", {"x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "1, 0"}, SearchStatus.QUOTA_EXHAUSTED, None),
        ("X", {"x-ratelimit-limit": "1, 2000", "x-ratelimit-remaining": "0, 1999"}, SearchStatus.RATE_LIMITED, None),
        ("X", {"x-ratelimit-limit": "1", "x-ratelimit-remaining": "0"}, SearchStatus.RATE_LIMITED, None),
    ],
)
def test_the_limit_of_a_second_is_not_that_of_a_month(
    world: World, code: str, headers: dict[str, str], status: SearchStatus, pause_s: float | None
):
    """The code decides, then the window of the month, in which 0 of 0 means no limit; the pause is that of the window."""
    world.play("brave", answer=refused(429, code, headers=headers))
    error = refusal_of(world, "brave")
    assert (error.status, error.retry_after_s) == (status, pause_s)


def test_results_are_not_kept_on_disk():
    """The terms forbid storing; the provider says so to whoever keeps answers."""
    assert catalogue()["brave"].storable is False


def test_the_cache_key_holds_the_address_without_secrets(world: World):
    """Key and password of the address stay out."""
    settings = Settings(**world.settings(search_providers="brave", brave_base_url="https://me:geheim@proxy.example/brave"))
    provider = build(settings, EmptyShelf())["brave"]
    assert provider.cache_key() == {"base_url": "https://proxy.example/brave"}
