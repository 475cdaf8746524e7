"""Domains: what counts as under one, and the words that ask for them."""

from __future__ import annotations

import pytest

from search_core.provider_kit.domains import is_within, limit_to_domains, site_operators


@pytest.mark.parametrize(
    ("url", "inside"),
    [
        ("https://example.kr/a", True),
        ("https://www.example.kr/a", True),
        ("https://news.example.kr:8443/a?b=https://other.org", True),
        ("HTTPS://NEWS.EXAMPLE.KR./a", True),
        ("https://notexample.kr/a", False),
        ("https://example.kr.evil.org/a", False),
        ("https://other.org/example.kr", False),
        ("https://user@other.org/?example.kr", False),
        ("https://example.kr@other.org/", False),
        ("https://[::1", False),
        ("example.kr", False),
        ("", False),
    ],
)
def test_a_page_is_within_a_domain_by_whole_labels_of_its_host(url: str, inside: bool):
    """Hosts that only end in the same letters, paths and credentials do not count."""
    assert is_within(url, ("example.kr", "sub.example.net")) is inside


def test_no_domains_hold_no_page():
    """An empty list holds nothing, so a caller decides itself what it means."""
    assert not is_within("https://example.kr/", ())


@pytest.mark.parametrize(
    ("include", "exclude", "words"),
    [
        ((), (), ""),
        (("a.kr",), (), "site:a.kr"),
        (("a.kr", "b.org"), (), "site:a.kr OR site:b.org"),
        ((), ("c.net", "d.io"), "-site:c.net -site:d.io"),
        (("a.kr", "b.org"), ("c.net",), "site:a.kr OR site:b.org -site:c.net"),
    ],
)
def test_the_words_for_domains(include: tuple[str, ...], exclude: tuple[str, ...], words: str):
    """Wanted domains are alternatives, unwanted ones are each left out."""
    assert site_operators(include, exclude) == words


def test_a_query_is_held_to_domains_where_that_fits():
    """The operators follow the query; a query that would grow too long is sent without them."""
    assert limit_to_domains("메모리", ("a.kr",), ("b.kr",), 100) == "메모리 site:a.kr -site:b.kr"
    assert limit_to_domains("메모리", (), (), 100) == "메모리"
    assert limit_to_domains("메모리 대역폭", ("a.kr",), (), 10) == "메모리 대역폭"
    assert limit_to_domains("메모리 대역폭", (), (), 3) == "메모리"
