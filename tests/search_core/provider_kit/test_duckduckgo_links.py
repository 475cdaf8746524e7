"""Links on DuckDuckGo's result pages."""

from __future__ import annotations

import pytest

from search_core.provider_kit.duckduckgo_links import is_advertisement, unwrap_link


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fa%3Fx%3D1&rut=abc", "https://example.org/a?x=1"),
        ("https://duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Fexample.org%2F%EA%B8%80", "https://example.org/글"),
        ("https://example.org/direct?uddg=no", "https://example.org/direct?uddg=no"),
        ("//example.org/a", "https://example.org/a"),
        ("//duckduckgo.com/l/?rut=abc", ""),
        ("", ""),
        ("http://[::1", "http://[::1"),
    ],
)
def test_redirect_links_are_unwrapped(href: str, target: str):
    """What stands in uddg is the address; other links are left alone."""
    assert unwrap_link(href) == target


def test_advertisements_are_known_by_their_link():
    """An advertiser is reached through DuckDuckGo's own counter; what only speaks of it is no advertisement."""
    assert is_advertisement("https://duckduckgo.com/y.js?ad_domain=example.org")
    assert not is_advertisement("https://example.org/y.js")
