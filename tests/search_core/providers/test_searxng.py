"""SearXNG: JSON answers, and the three ways in which it says no."""

from __future__ import annotations

from tests.loopback.played import json_answer
from tests.loopback.world import World
from tests.search_core.providers.provider_calls import ask


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
