"""Which texts are addresses of the web, how they stand in links, and one key for every address of a page."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from search_core.language.web_address import canonical_url, host_name, markdown_link, web_address

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
    *("https://user:secret@evil.example/", "https://user@evil.example/", "https://good.example@evil.example/"),
    *("https://evil.example\\@good.example/", "https://example.org/a\\b", "https:\\\\example.org/"),
    *("https://evil.example/ onmouseover=1", "https://exa mple.org/", "https://example.org/a\u3000b", "https://example.org/a\tb"),
    *("https://example.org/\u202egnp.exe", "https://exam\u202eple.org/", "https://example.org/\u200b", "https://a.org/\x00"),
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
_PATHS = "@ / ? # #! & &amp; = ; % %41 %EA%B0 ( ) < > ` | utm_source=1 /amp /article/001/0012345678 n.news.naver.com youtu.be/"
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
    """No text fails; an address holds plain signs only, has a host, and is itself when asked again, as is the key of any text."""
    address = web_address(text)
    if address is not None:
        assert re.fullmatch(r"https?://[a-z0-9._-]+(?::\d+)?(?:[/?#][\w:/?#@!&+,;=%.~-]*)?", address, re.ASCII)
        assert web_address(address) == address
    assert canonical_url(canonical_url(text)) == canonical_url(text)


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


def test_other_schemes_and_broken_addresses_stay():
    """What is no web address, or cannot be parsed, is its own key."""
    assert [canonical_url(f" {address}\n") for address in UNTOUCHED] == UNTOUCHED


def test_the_key_is_readable():
    """The key of a plain address is over https without ``www.`` and a final slash; a fragment with ``!`` names a page."""
    assert canonical_url("https://example.com/#!/talk") == "https://example.com/#!/talk"
    assert canonical_url("http://www.example.com/path/?b=1&a=%ea%b0%80") == "https://example.com/path?a=%EA%B0%80&b=1"
