"""Google Custom Search: what is asked, how it says no, and its end."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.providers.google import ENDS, OFFICIAL_URL, GoogleProvider
from search_core.settings import Settings
from tests.loopback.services.google import ENGINE, KEY
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import sent

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def provider_at(base_url: str = OFFICIAL_URL, *, key: str = "k", engine: str = "e", now: datetime = NOON) -> GoogleProvider:
    settings = Settings(
        google_custom_search_api_key=key,
        google_custom_search_engine_id=engine,
        google_custom_search_base_url=base_url,
        web_search_timeout=5.0,
    )
    return GoogleProvider(settings, now=lambda: now)


def test_what_the_request_asks_for_is_passed_on(world: World):
    """The key is in a header, for addresses end up in logs; all that is asked for has Google's names and bounds."""
    made = sent(world, "google")
    assert (made.path, made.headers["x-goog-api-key"]) == ("/customsearch/v1", KEY)
    korean = {"gl": "kr", "hl": "ko", "lr": "lang_ko"}
    assert made.params == {"q": "메모리 대역폭", "cx": ENGINE, "num": "10", "safe": "active", **korean}
    assert [sent(world, "google", limit=limit).params["num"] for limit in (50, 3)] == ["10", "3"]
    assert sent(world, "google", fresh=True).params["dateRestrict"] == "m1"
    english = sent(world, "google", language="en").params
    assert (english["gl"], english["hl"], english["lr"]) == ("us", "en", "lang_en")


def test_absence_names_what_is_missing_and_the_end():
    """Either missing setting is absence; from the day it ends the service itself is absent, at its own address only."""
    assert provider_at().absent_because() is None
    for missing in ("key", "engine"):
        reason = provider_at(**{missing: ""}).absent_because() or ""
        assert "GOOGLE_CUSTOM_SEARCH_API_KEY와 GOOGLE_CUSTOM_SEARCH_ENGINE_ID" in reason
        assert "2027년 1월 1일에 끝나요" in reason
    assert provider_at(now=datetime(2026, 12, 31, 23, 59, tzinfo=UTC)).absent_because() is None
    assert "끝났어요" in (provider_at(now=ENDS).absent_because() or "")
    assert provider_at("http://127.0.0.1:1", now=ENDS).absent_because() is None
