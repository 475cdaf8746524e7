"""DuckDuckGo through the real ddgs engine and the real transport, against a TLS loopback proxy."""

from __future__ import annotations

from datetime import UTC, datetime

from search_core.domain.reply import SearchStatus
from tests.loopback.world import HTML_TYPE, Page, World
from tests.search_core.providers.provider_calls import ask, refusal_of


def test_results_come_with_dates_and_without_wrapping_or_advertisements(world: World):
    """Links lead where they say, Korean paths stay as sent, dates are read; words of a block page in a text are no block."""
    url = "https://example.kr/%EA%B8%80?a=1&b=%26"
    dated = Page(title="첫 <글> & 제목", url=url, snippet="g-recaptcha", published="2026-08-14T00:00:00")
    world.play(
        "duckduckgo", pages=(dated, Page(title="What is anomaly-modal?", url="http://example.org/", snippet="no date here"))
    )
    first, second = ask(world, "duckduckgo")
    assert (first.title, first.url, first.snippet) == ("첫 <글> & 제목", url, "g-recaptcha")
    assert first.publish_date == datetime(2026, 8, 14, tzinfo=UTC)
    assert (second.title, second.url, second.publish_date) == ("What is anomaly-modal?", "http://example.org/", None)
    assert (second.language, second.ranks) == ("en", (("duckduckgo", 2),))


def test_one_host_is_asked_with_the_query_region_and_freshness(world: World):
    """Only html.duckduckgo.com gets the query, as the form of the ddgs engine, at most 499 characters of it."""
    ask(world, "duckduckgo", "가나다 " * 200, fresh=True)
    (made,) = world.requests["duckduckgo"]
    assert (world.proxy.hosts, made.method, made.path) == (["html.duckduckgo.com"], "POST", "/html/")
    assert (made.form["l"], made.form["df"], len(made.form["q"])) == ("kr-kr", "m", 499)
    assert "Mozilla" in made.headers["user-agent"]


def test_the_address_is_the_titles_where_there_is_no_snippet(world: World):
    """A result without a text stays a result, and one of the site with scripts is read by the same marks."""
    bare = '<h2 class="result__title"><a class="result__a" href="https://example.kr/bare">본문 없는 결과</a></h2>'
    scripted = (
        '<h2><a class="result__a" href="https://example.kr/2">둘째</a>'
        '<a class="result__check" href="https://example.kr/2">본 곳</a></h2>'
        '<div class="result__snippet">둘째 <b>본문</b></div>'
    )
    blocks = "".join(f'<div class="result__body links_main">{block}</div>' for block in (bare, scripted))
    world.play("duckduckgo", answer=(200, {"content-type": HTML_TYPE}, f'<div id="links">{blocks}</div>'.encode()))
    assert [(found.title, found.url, found.snippet) for found in ask(world, "duckduckgo")] == [
        ("본문 없는 결과", "https://example.kr/bare", ""),
        ("둘째", "https://example.kr/2", "둘째 본문"),
    ]


def test_an_unknown_authority_is_a_network_error(world: World):
    """Without the authority's file the proxy's certificate is refused: verification is on."""
    error = refusal_of(world, "duckduckgo", settings={"proxy_ca_file": ""})
    assert error.status is SearchStatus.NETWORK_ERROR
    assert "SSL_CERT_FILE" in error.korean
    assert world.asked == []
