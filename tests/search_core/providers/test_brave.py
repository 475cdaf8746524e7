"""Brave: web and news, and its lists of languages and countries."""

from __future__ import annotations

from tests.loopback.services.brave import KEY
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import sent


def test_a_query_fits_in_400_characters_and_50_words(world: World):
    """Longer queries are cut."""
    assert sent(world, "brave", query="가나다라마바사아 " * 49).params["q"] == ("가나다라마바사아 " * 49)[:400].strip()
    assert len(sent(world, "brave", query="a b " * 60).params["q"].split()) == 50


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
