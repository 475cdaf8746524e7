"""Brave: web and news, and its lists of languages and countries."""

from __future__ import annotations

from typing import Any

import pytest

from search_core.domain import SearchStatus
from tests.loopback.played import json_answer
from tests.loopback.services.brave import KEY
from tests.loopback.world import Asked, World
from tests.search_core.providers.provider_calls import ask, refusal_of


def web(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"answer": json_answer({"type": "search", "web": {"type": "search", "results": entries}})}


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
    """News has an endpoint with a longer list and fewer parameters; each age of results has its code."""
    made = sent(world, news=True, freshness="week", safe_search="strict", limit=80)
    assert made.path == "/res/v1/news/search"
    assert (made.params["freshness"], made.params["safesearch"], made.params["count"]) == ("pw", "strict", "50")
    assert not {"result_filter", "text_decorations"} & set(made.params)
    assert sent(world, limit=80).params["count"] == "20"
    codes = {age: sent(world, freshness=age).params["freshness"] for age in ("day", "week", "month", "year")}
    assert codes == {"day": "pd", "week": "pw", "month": "pm", "year": "py"}


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


def test_a_query_fits_in_400_characters_and_50_words(world: World):
    """Longer queries are cut; operators for domains follow while they fit, and are left out before any word is."""
    assert sent(world, query="가나다라마바사아 " * 49).params["q"] == ("가나다라마바사아 " * 49)[:400].strip()
    assert len(sent(world, query="a b " * 60).params["q"].split()) == 50
    domains = {"include_domains": ("example.kr", "example.org"), "exclude_domains": ("spam.example",)}
    assert sent(world, query="대역폭", **domains).params["q"] == "대역폭 site:example.kr OR site:example.org -site:spam.example"
    for too_long in ("가" * 370, " ".join(["낱말"] * 48)):
        assert sent(world, query=too_long, **domains).params["q"] == too_long
    wordy = " ".join(["낱말"] * 48)
    assert sent(world, query=wordy, include_domains=("example.kr",)).params["q"] == f"{wordy} site:example.kr"


def test_results_are_read_without_marks_and_with_dates(world: World):
    """Tags go, entities are read, a date without a zone counts as UTC, a missing one is none."""
    entry = {
        "title": "<strong>하나</strong> &amp; 둘",
        "url": "https://www.example.kr/a",
        "description": "with <strong>marks</strong> &lt;b&gt; &amp; entities",
        "page_age": "2026-08-27T15:49:55",
        "age": "4 days ago",
    }
    world.play("brave", **web(entry, {"title": "Second", "url": "https://example.org/b", "description": None}))
    first, second = ask(world, "brave")
    assert (first.title, first.snippet, first.source) == ("하나 & 둘", "with marks <b> & entities", "example.kr")
    assert first.publish_date is not None
    assert first.publish_date.isoformat() == "2026-08-27T15:49:55+00:00"
    assert (second.snippet, second.publish_date, second.ranks) == ("", None, (("brave", 2),))


def test_news_results_are_read_at_the_top_level(world: World):
    """The list of a news answer is read where it is; a web answer in its place cannot be read."""
    entry = {"type": "news_result", "title": "소식", "url": "https://example.kr/n", "page_age": "2026-11-01T09:00:00"}
    world.play("brave", answer=json_answer({"type": "news", "results": [entry]}))
    assert [found.title for found in ask(world, "brave", news=True)] == ["소식"]
    world.play("brave", **web(entry))
    assert refusal_of(world, "brave", news=True).status is SearchStatus.INVALID_RESPONSE


def test_only_a_search_answer_without_a_list_found_none(world: World):
    """Brave leaves ``web`` out when it found nothing; an answer that is none of its own is not taken for that."""
    world.play("brave", answer=json_answer({"type": "search", "query": {"original": "q"}, "mixed": {}}))
    assert ask(world, "brave") == ()
    world.play("brave", **web())
    assert ask(world, "brave") == ()
    world.play("brave", answer=json_answer({"type": "news", "results": []}))
    assert ask(world, "brave", news=True) == ()
    for payload in ({}, {"type": "ErrorResponse", "error": {}}, {"type": "search", "web": {}}, {"type": "search", "web": 3}):
        world.play("brave", answer=json_answer(payload))
        assert refusal_of(world, "brave").status is SearchStatus.INVALID_RESPONSE, payload
