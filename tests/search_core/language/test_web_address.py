"""Which texts are addresses of the web, and how they stand in links."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from search_core.language.web_address import host_name, markdown_link, web_address

BREAKING_OUT = "https://a.example/)](http://evil.example)\"'`|$*{}[]^"
ORDINARY = [
    ("https://example.org/a?b=1#c", "https://example.org/a?b=1#c"),
    ("  http://example.org \n", "http://example.org"),
    ("HTTPS://Example.ORG/Path", "https://example.org/Path"),
    ("https://example.org:8443/x", "https://example.org:8443/x"),
    ("https://example.org:/x", "https://example.org/x"),
    ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
    ("https://한글.example/", "https://xn--bj0bj06e.example/"),
    ("https://ｅｖｉｌ。example/", "https://evil.example/"),
    ("https://nеws.example/", "https://xn--nws-rdd.example/"),
    ("https://ko.wikipedia.org/wiki/HBM_(메모리)", "https://ko.wikipedia.org/wiki/HBM_%28%EB%A9%94%EB%AA%A8%EB%A6%AC%29"),
    ("https://a.example/x%20y#z", "https://a.example/x%20y#z"),
    ("http://a.example/?q=1&r=<b>", "http://a.example/?q=1&r=%3Cb%3E"),
    (BREAKING_OUT, "https://a.example/%29%5D%28http://evil.example%29%22%27%60%7C%24%2A%7B%7D%5B%5D%5E"),
]

OTHERS = [
    *("javascript:alert(1)", "JAVASCRIPT:alert(1)", "java\nscript:alert(1)", "vbscript:x", "data:text/html,<script>1</script>"),
    *("file:///etc/passwd", "ftp://example.org/", "library:a.md", "//evil.example/a", "/chat?x=1", "example.org", "x y", "", " "),
    *("#t=761", "https://", "https:///nohost", "https:example.org", "http://:80/", "http://?x", "ht\u200btps://evil.example/"),
    *(
        "https://user:secret@evil.example/",
        "https://user@evil.example/",
        "https://good.example@evil.example/",
        "https://@x.example/",
    ),
    *("https://evil.example\\@good.example/", "https://example.org/a\\b", "https:\\\\example.org/"),
    *("https://evil.example/ onmouseover=1", "https://exa mple.org/", "https://example.org/a\u3000b", "https://example.org/a\tb"),
    *(
        "https://example.org/\u202egnp.exe",
        "https://exam\u202eple.org/",
        "https://example.org/\u200b",
        "https://example.org/\x00",
    ),
    *("https://example.org/\ud800", "https://example.org/a\nb", "https://example.org/\u2028a"),
    *("http://[::1]/", "https://[2001:db8::1]:8443/", "http://[::1", "http://::1]/", "http://[example.org]/", "http://x[::1]/"),
    *("https://example.org:99999/", "https://example.org:port/", "https://example.org:-1/", "https://example.org:80:80/"),
    *("http://example..org/", "http://./", "http://%65xample.org/", 'http://a"b.example/', "http://a,b.example/", "http://a<b/"),
    *("http://℀x.example/", "http://가..example/", "http://가_나.example/", "http://\u0660.example/"),
    *(f"http://{'a' * 64}.example/", f"http://{'a' * 300}/", f"http://{'가' * 300}/", f"http://{'가' * 60}.example/"),
    f"http://{'a.' * 150}example/",
]


@pytest.mark.parametrize(("url", "address"), ORDINARY)
def test_ordinary_addresses_are_written_safely(url: str, address: str):
    """Letters of other scripts and signs of Markdown are coded, hosts are in ASCII; what is coded stays."""
    assert web_address(url) == address


def test_others_are_refused():
    """Other schemes, credentials, hidden characters, broken hosts and ports are no addresses of the web."""
    assert [url for url in OTHERS if web_address(url) is not None] == []


_HOSTS = "http:// https:// HTTPS: // www. example.org 한글 ß - xn-- xn--zca . 。 ① ℀ _ : 80 :99999 [::1] [ ]"
_PATHS = "@ / ? # & &amp; ; % %41 ( ) < > ` |"
_HIDDEN = ("\\", " ", "\t", "\n", "\u202e", "\u200d", "\u3000", "\ud800", "\x00", "😀", "\u0660", "가" * 70, "a" * 300)
_PIECES = st.sampled_from([piece for text in (_HOSTS, _PATHS) for piece in str.split(text)] + [*_HIDDEN])
_TEXTS = st.one_of(
    st.text(st.characters(), max_size=60),
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_PIECES, max_size=8).map(lambda pieces: "http://" + "".join(pieces)),
)


@given(_TEXTS)
@example(BREAKING_OUT)
@example("http://" + "가" * 100_000)
@example("http://" + "a." * 100_000)
def test_any_text_is_an_address_that_stays_or_none(text: str):
    """No text fails; an address holds plain signs only, has a host, and is itself when asked again."""
    address = web_address(text)
    if address is not None:
        assert re.fullmatch(r"https?://[a-z0-9._-]+(?::\d+)?(?:[/?#][\w:/?#@!&+,;=%.~-]*)?", address, re.ASCII)
        assert web_address(address) == address


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/?q=1&copy;=2&amp;r=3",
        "https://a.example/(b)_c_*d*~~e~~",
        BREAKING_OUT,
        "https://한글.example/가?나=다&라",
    ],
)
def test_a_link_in_markdown_leads_to_the_address_itself(url: str):
    """A parser reads one link with exactly the address; a moment on the page itself is written as it is."""
    address = web_address(url)
    assert address is not None
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.normalizeLink = lambda written: written
    [inline] = [token for token in parser.parse(f"앞 {markdown_link('**제목**', address)} 뒤") if token.type == "inline"]
    opened = [token for token in inline.children or () if token.type == "link_open"]
    assert [token.attrs["href"] for token in opened] == [address]
    assert [token.content for token in inline.children or () if token.type == "text"] == ["앞 ", "", "제목", "", " 뒤"]
    assert markdown_link("12:41", "#t=761") == "[12:41](#t=761)"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://user.example.org:80/", "user.example.org"),
        ("http://WWW.Example.org./a", "example.org"),
        ("https://www.a.example/1", "a.example"),
        ("library:7", ""),
        ("http://[bad", ""),
    ],
)
def test_a_host_has_the_name_people_give_it(url: str, name: str):
    """Neither a port, nor ``www.``, nor the dot of the root belongs to it; what has no host has no name."""
    assert host_name(url) == name
