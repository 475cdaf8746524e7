"""Brave: web and news, and its lists of languages and countries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from search_core.domain.reply import SearchStatus
from tests.loopback.played import json_answer
from tests.loopback.services.brave import KEY
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask, refusal_of, sent


def web(*entries: dict[str, Any]) -> dict[str, Any]:
    return {"answer": json_answer({"type": "search", "web": {"type": "search", "results": entries}})}


def test_a_query_fits_in_400_characters_and_50_words(world: World):
    """Longer queries are cut."""
    assert sent(world, "brave", query="가나다라마바사아 " * 49).params["q"] == ("가나다라마바사아 " * 49)[:400].strip()
    assert len(sent(world, "brave", query="a b " * 60).params["q"].split()) == 50


def test_results_are_read_without_marks_and_with_dates(world: World):
    """Tags go, entities are read, a time without a zone on a Korean page is Korean; a news answer has its list at the top."""
    entry = {
        "title": "<strong>하나</strong> &amp; 둘",
        "url": "https://www.example.kr/a",
        "description": "with <strong>marks</strong> &lt;b&gt; &amp; entities",
        "page_age": "2026-08-27T15:49:55",
        "age": "4 days ago",
    }
    world.play("brave", **web(entry))
    (found,) = ask(world, "brave")
    assert (found.title, found.snippet, found.source) == ("하나 & 둘", "with marks <b> & entities", "example.kr")
    assert found.publish_date == datetime(2026, 8, 27, 6, 49, 55, tzinfo=UTC)
    assert refusal_of(world, "brave", news=True).status is SearchStatus.INVALID_RESPONSE
    world.play("brave", answer=json_answer({"type": "news", "results": [entry]}))
    assert [found.title for found in ask(world, "brave", news=True)] == ["하나 & 둘"]


def test_a_question_is_asked_as_brave_writes_it(world: World):
    """The key is in a header and nowhere else; news has an endpoint with a longer list and fewer parameters."""
    made = sent(world, "brave")
    assert (made.method, made.path, made.headers["x-subscription-token"]) == ("GET", "/res/v1/web/search", KEY)
    plain = {"q": "메모리 대역폭", "country": "KR", "search_lang": "ko", "ui_lang": "ko-KR", "spellcheck": "false"}
    web_only = {"result_filter": "web", "text_decorations": "false"}
    assert made.params == {**plain, **web_only, "count": "10", "safesearch": "moderate"}
    made = sent(world, "brave", news=True, fresh=True, limit=80)
    assert made.path == "/res/v1/news/search"
    assert made.params == {**plain, "freshness": "pm", "safesearch": "moderate", "count": "50"}
    assert sent(world, "brave", limit=80).params["count"] == "20"
    english = sent(world, "brave", language="en").params
    assert (english["search_lang"], english["country"], english["ui_lang"]) == ("en", "US", "en-US")
