"""SearXNG: JSON answers, and the three ways in which it says no."""

from __future__ import annotations

import json

from search_core.providers import build
from search_core.settings import Settings
from tests.loopback.played import json_answer
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import EmptyLibrary, ask, refusal_of


def test_results_keep_their_order_and_dates(world: World):
    """Title, address, excerpt and date are read; a null date is none; results are results, whoever else was blocked."""
    answer = {
        "results": [
            {"url": "https://www.example.kr/a", "title": "하나", "content": "본문", "publishedDate": "2026-08-14T00:00:00"},
            {"url": "https://example.org/b", "title": "둘", "publishedDate": None, "pubdate": "2026-08-13 10:00:00"},
            {"url": "https://example.org/c", "title": "셋", "content": None, "publishedDate": None},
        ],
        "unresponsive_engines": [["google", "CAPTCHA"]],
    }
    world.play("searxng", answer=json_answer(answer))
    found = ask(world, "searxng")
    assert [(r.title, r.source, r.snippet, r.publish_date and r.publish_date.isoformat()) for r in found] == [
        ("하나", "example.kr", "본문", "2026-08-14T00:00:00+00:00"),
        ("둘", "example.org", "", "2026-08-13T10:00:00+09:00"),
        ("셋", "example.org", "", None),
    ]


def test_credentials_in_the_address_stay_out_of_key_and_errors(world: World):
    """An instance behind basic authentication can be asked, and its password is shown nowhere."""
    address = world.settings()["searxng_url"].replace("http://", "http://me:geheim@")
    assert ask(world, "searxng", settings={"searxng_url": address})
    settings = Settings(search_providers="searxng", **world.settings(searxng_url=address))
    assert "geheim" not in json.dumps(build(settings, EmptyLibrary())["searxng"].cache_key())
    world.play("searxng", failure="500")
    assert "geheim" not in str(refusal_of(world, "searxng", settings={"searxng_url": address}))
