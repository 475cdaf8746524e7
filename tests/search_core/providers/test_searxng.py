"""SearXNG: JSON answers, and the three ways in which it says no."""

from __future__ import annotations

import json

import pytest

from search_core.domain import SearchStatus
from search_core.providers import build
from search_core.settings import Settings
from tests.loopback.world import World
from tests.search_core.providers.asking import EmptyShelf, ask, refusal_of

JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html; charset=utf-8"}


def results(*entries: dict[str, object], unresponsive: object = ()) -> dict[str, object]:
    return {"answer": (200, JSON, json.dumps({"results": entries, "unresponsive_engines": unresponsive}).encode())}


def test_results_keep_their_order_and_dates(world: World):
    """Title, address, excerpt and date are read; a null date is none."""
    world.play(
        "searxng",
        **results(
            {"url": "https://www.example.kr/a", "title": "하나", "content": "본문", "publishedDate": "2026-08-14T00:00:00"},
            {
                "url": "https://example.org/b",
                "title": "둘",
                "content": None,
                "publishedDate": None,
                "pubdate": "2026-08-13 10:00:00",
            },
            {"url": "https://example.org/c", "title": "셋", "publishedDate": None},
        ),
    )
    found = ask(world, "searxng")
    assert [(r.title, r.source, r.snippet) for r in found] == [
        ("하나", "example.kr", "본문"),
        ("둘", "example.org", ""),
        ("셋", "example.org", ""),
    ]
    assert [r.publish_date and r.publish_date.isoformat() for r in found] == [
        "2026-08-14T00:00:00+00:00",
        "2026-08-13T10:00:00+00:00",
        None,
    ]


def test_blocked_engines_are_not_taken_for_nothing_found(world: World):
    """An empty list with unresponsive engines is a block that names them; one without is an empty answer."""
    world.play("searxng", **results(unresponsive=[["google", "CAPTCHA"], ["qwant", "Suspended: too many requests"]]))
    error = refusal_of(world, "searxng")
    assert error.status is SearchStatus.BLOCKED
    assert "google: CAPTCHA; qwant: Suspended: too many requests" in str(error)
    world.play("searxng", **results(unresponsive=[None, 3, ["<b>x</b>"]]))
    assert refusal_of(world, "searxng").status is SearchStatus.BLOCKED
    world.play("searxng", **results(unresponsive=[]))
    assert ask(world, "searxng") == ()


def test_some_blocked_engines_do_not_hide_the_results_of_others(world: World):
    """Results are results, whoever else was blocked."""
    world.play("searxng", **results({"url": "https://example.org/a", "title": "하나"}, unresponsive=[["google", "CAPTCHA"]]))
    assert len(ask(world, "searxng")) == 1


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ((403, HTML, b"<h1>Forbidden</h1>"), SearchStatus.INVALID_RESPONSE, "json is not enabled in search.formats"),
        ((403, {"content-type": "text/plain"}, b""), SearchStatus.BLOCKED, "refused"),
        ((429, {"content-type": "text/plain"}, b"Too Many Requests"), SearchStatus.RATE_LIMITED, "too many requests"),
        ((302, {"location": "/"}, b""), SearchStatus.BLOCKED, "robot"),
        ((400, JSON, b'{"error": "No query"}'), SearchStatus.INVALID_RESPONSE, "HTTP 400"),
        ((500, JSON, b'{"error": "search error"}'), SearchStatus.NETWORK_ERROR, "HTTP 500"),
    ],
)
def test_each_refusal_says_what_to_do(world: World, answer: object, status: SearchStatus, words: str):
    """The status and the text together tell a missing format from a block and a limit."""
    world.play("searxng", answer=answer)
    error = refusal_of(world, "searxng")
    assert error.status is status
    assert words in str(error)


def test_without_an_address_it_is_absent_by_choice(world: World):
    """No address, no provider, and a Korean sentence on how to turn it on."""
    settings = Settings(search_providers="searxng", **world.settings(searxng_url=""))
    provider = build(settings, EmptyShelf())["searxng"]
    assert not provider.is_available()
    assert "SEARXNG_URL" in (provider.absent_because() or "")


def test_credentials_in_the_address_stay_out_of_key_and_errors(world: World):
    """An instance behind basic authentication can be asked, and its password is shown nowhere."""
    address = world.settings()["searxng_url"].replace("http://", "http://me:geheim@")
    assert ask(world, "searxng", settings={"searxng_url": address})
    settings = Settings(search_providers="searxng", **world.settings(searxng_url=address))
    assert "geheim" not in json.dumps(build(settings, EmptyShelf())["searxng"].cache_key())
    world.play("searxng", failure="500")
    assert "geheim" not in str(refusal_of(world, "searxng", settings={"searxng_url": address}))
