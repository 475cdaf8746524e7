"""What a request asks for: domains, and addresses without what is secret in them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from search_core.providers.kit.http import without_credentials
from search_core.providers.kit.payload import is_advertisement, is_within, unwrap_link

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


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
