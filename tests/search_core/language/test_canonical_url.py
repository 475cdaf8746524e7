"""One key for every address of a page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_core.language.web_address import canonical_url

SAME = [
    ("HTTP://Example.COM:80/a", "https://example.com/a/"),
    ("https://example.com/a#:~:text=hello", "https://example.com/a"),
    ("https://한국.kr/뉴스", "https://xn--3e0b707e.kr/%EB%89%B4%EC%8A%A4"),
    ("https://ko.wikipedia.org/wiki/인공지능", "https://ko.m.wikipedia.org/wiki/%ec%9d%b8%EA%B3%B5%EC%A7%80%EB%8A%A5"),
    ("https://example.com/a?utm_source=x&fbclid=1&id=3&gclid=z&igshid=q&spm=1.2", "https://example.com/a?id=3"),
    ("https://www.example.com/a", "https://m.example.com/a"),
    ("https://example.com/story/amp?amp=1", "https://example.com/story"),
    (
        "https://n.news.naver.com/mnews/article/001/0012345678?sid=105",
        "https://news.naver.com/main/read.nhn?mode=LSD&oid=001&aid=0012345678",
    ),
    ("https://n.news.naver.com/article/001/0012345678", "https://m.sports.naver.com/kbaseball/article/001/0012345678"),
    ("https://blog.naver.com/PostView.naver?blogId=abc&logNo=123", "https://m.blog.naver.com/abc/123"),
    ("https://youtu.be/dQw4w9WgXcQ?si=abc", "https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=42s"),
]

DIFFERENT = [
    ("https://example.com/?id=1", "https://example.com/?id=2"),
    ("https://example.com/#!/a", "https://example.com/#!/b"),
    ("https://n.news.naver.com/article/001/0012345678", "https://n.news.naver.com/article/002/0012345678"),
    ("https://example.com/amp", "https://example.com/"),
    ("https://example.com:8443/a", "https://example.com/a"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
]

UNTOUCHED = ["library:notes/제목 문서.md", "mailto:a@b.kr", "http://[::1", "https://a.com:99999/", "", "그냥 글", "ftp://a.com/b"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_addresses_of_one_page_share_a_key(one: str, other: str):
    """Two ways of writing the address of one page have one key."""
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_addresses_of_two_pages_keep_two_keys(one: str, other: str):
    """What chooses the page stays in the key."""
    assert canonical_url(one) != canonical_url(other)


@pytest.mark.parametrize("address", UNTOUCHED)
def test_other_schemes_and_broken_addresses_stay(address: str):
    """What is no web address, or cannot be parsed, is its own key."""
    assert canonical_url(f" {address}\n") == address


def test_the_key_is_readable():
    """The key of a plain address is over https without ``www.`` and a final slash; a fragment with ``!`` names a page."""
    assert canonical_url("https://example.com/#!/talk") == "https://example.com/#!/talk"
    assert canonical_url("http://www.example.com/path/?b=1&a=%ea%b0%80") == "https://example.com/path?a=%EA%B0%80&b=1"


PIECES = """
http:// https:// // www. m. amp. example.com 한국.kr /amp / ? & = #! # utm_source=1 %EA%B0 %2e :80 :443 [::1] @ youtu.be/
watch?v= dQw4w9WgXcQ /article/001/0012345678 n.news.naver.com cdn.ampproject.org/c/s/ google.com/amp/s/ . .. \\ 가 é ; + %00
"""
_PIECES = st.sampled_from([*PIECES.split(), " ", "\t", "\ud800"])


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=12).map("".join)))
def test_never_raises_and_is_idempotent(address: str):
    """Any text has a key, and the key of a key is the key."""
    key = canonical_url(address)
    assert canonical_url(key) == key
