"""Tolerant reading of what foreign services write: texts, addresses, dates, lists, pauses; domains; addresses without secrets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.contract import MAX_RETRY_AFTER_S, retry_after
from search_core.providers.kit.http import without_credentials
from search_core.providers.kit.payload import (
    date,
    hit,
    is_advertisement,
    is_within,
    keep_readable,
    rank_hits,
    text,
    unwrap_link,
    web_url,
)

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("검<b>색</b> 결과", "검색 결과"),
        ("첫 줄<br/>둘째 줄<p>셋째</p>", "첫 줄 둘째 줄 셋째"),
        ("A &amp; B &lt;tag&gt; &#39;따옴표&#39;", "A & B <tag> '따옴표'"),
        ("  여러\n\t 공백\u00a0과\u3000칸 ", "여러 공백 과 칸"),
        (None, ""),
    ],
)
def test_text_is_what_a_person_would_read(raw: object, plain: str):
    """Tags, entities and invisible characters go; letters, jamo and emoji stay."""
    assert text(raw) == plain


@pytest.mark.parametrize(
    ("raw", "address"),
    [
        ("https://example.org/a?b=1#c", "https://example.org/a?b=1#c"),
        ('https://example.org/a b"c', "https://example.org/a%20b%22c"),
        ("https://example.org/" + "a" * 5000, None),
        ("", None),
        (None, None),
    ],
)
def test_only_showable_web_addresses_pass(raw: object, address: str | None):
    """An address is http or https, has a host, no credentials and no hidden characters."""
    assert web_url(raw) == address


@pytest.mark.parametrize(
    ("raw", "when"),
    [
        ("Mon, 26 Sep 2016 07:50:00 +0900", datetime(2016, 9, 26, 7, 50, tzinfo=KST)),
        ("2026-12-25", None),
        ("1970-01-01T00:00:00Z", None),
        ("4 days ago", None),
        (None, None),
    ],
)
def test_dates_outside_the_life_of_the_web_are_none(raw: object, when: datetime | None):
    """A readable date comes back with a time zone; placeholders, prose and the future give None."""
    assert date(raw, NOW) == when


def test_entries_without_a_usable_address_are_not_taken_for_nothing_found():
    """Some entries but none usable is invalid_response, none at all an empty answer; a missing title is that of the site."""
    assert keep_readable([]) == ()
    good = hit(title=None, url="https://www.example.org/a", snippet="한국어 <b>본문</b>")
    assert good is not None
    assert (good.title, good.source, good.snippet, good.language) == ("example.org", "example.org", "한국어 본문", "ko")
    assert keep_readable([None, good]) == (good,)
    with pytest.raises(ProviderError) as caught:
        keep_readable([hit(title="제목", url="javascript:1"), hit(title="제목", url=None)])
    assert caught.value.status is SearchStatus.INVALID_RESPONSE


def test_rank_hits_numbers_each_address_once():
    """Places count from one after repeated addresses are left out, up to the limit."""
    hits = [
        hit(title=title, url=f"https://example.org/{path}")
        for title, path in [("가", "a"), ("나", "a"), ("다", "b"), ("라", "c")]
    ]
    ranked = rank_hits([found for found in hits if found], "searxng", 2)
    assert [(found.title, found.ranks, found.providers) for found in ranked] == [
        ("가", (("searxng", 1),), ("searxng",)),
        ("다", (("searxng", 2),), ("searxng",)),
    ]


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.kr/a", True),
        ("HTTPS://NEWS.EXAMPLE.KR./a", True),
        ("https://notexample.kr/a", False),
        ("https://example.kr.evil.org/a", False),
        ("https://example.kr@other.org/", False),
        ("", False),
    ],
)
def test_a_page_is_within_a_domain_by_whole_labels_of_its_host(url: str, inside: bool):
    """Hosts that only end in the same letters, paths and credentials do not count; no domains hold no page."""
    assert is_within(url, ("example.kr", "sub.example.net")) is inside
    assert not is_within(url, ())


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Fexample.org%2F%EA%B8%80", "https://example.org/글"),
        ("https://example.org/direct?uddg=no", "https://example.org/direct?uddg=no"),
        ("//example.org/a", "https://example.org/a"),
        ("", ""),
        ("http://[::1", "http://[::1"),
    ],
)
def test_duckduckgo_links_are_unwrapped(href: str, target: str):
    """The address of a redirect is in its uddg; other links stay; an advertiser is reached through DuckDuckGo's own counter."""
    assert unwrap_link(href) == target
    assert is_advertisement("https://duckduckgo.com/y.js?ad_domain=example.org")
    assert not is_advertisement("https://example.org/y.js")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://me:geheim@api.example.org:8443/v1?a=b@c", "https://api.example.org:8443/v1?a=b@c"),
        ("", ""),
    ],
)
def test_name_and_password_of_an_address_go_and_the_rest_stays(address: str, shown: str):
    """All before the last @ of the host part is left out."""
    assert without_credentials(address) == shown


@pytest.mark.parametrize(
    ("header", "pause_s"),
    [
        ("3", 3),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0),
        ("1e9", MAX_RETRY_AFTER_S),
        ("-1", None),
        ("soon", None),
        (None, None),
    ],
)
def test_retry_after_is_read_in_both_forms_and_capped(header: str | None, pause_s: float | None):
    """Seconds and dates are read; the pause is never negative and never longer than the cap."""
    assert retry_after(header, NOW) == pause_s
