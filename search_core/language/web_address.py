"""Addresses of the web: valid ones, how to write them in links, and one key for all addresses of a page."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlsplit

import idna
from w3lib.url import canonicalize_url

MAX_HOST_CHARS = 253
"""Longest host name in the DNS (RFC 1035)."""
_HOST = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")
_SAFE = ":/?#@!&+,;=%"
"""Characters left as they are: addresses need them, neither Markdown nor HTML gives them a meaning, and "%" already encodes."""


def web_address(url: str) -> str | None:
    """Return *url* in a form for links, percent-encoded with an ASCII host, or None if it is no ordinary web address.

    An ordinary one is http or https with a named or an IPv4 host and a port that exists. It holds no credentials, spaces,
    backslashes, control or direction characters. IPv6 literals are refused, because their brackets are Markdown signs. A
    returned address is returned again unchanged.
    """
    url = url.strip()
    if any(char == "\\" or char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in url):
        return None
    try:
        parts = urlsplit(url)
        host, port = _ascii_host(parts.hostname or ""), parts.port
    except ValueError:  # broken brackets, a port beyond 65535, a host that IDNA refuses
        return None
    if parts.scheme not in ("http", "https") or any(sign in parts.netloc for sign in "@[") or not _HOST.fullmatch(host):
        return None
    place = host if port is None else f"{host}:{port}"
    behind = url.partition("//")[2][len(parts.netloc) :]
    return f"{parts.scheme}://{place}{quote(behind, safe=_SAFE)}"


def host_name(url: str) -> str:
    """Return the host of *url* without ``www.``; empty without one."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removesuffix(".").removeprefix("www.")


def split_at_addresses(text: str, runs: re.Pattern[str], address: re.Pattern[str], around: str) -> Iterator[tuple[str, bool]]:
    """Yield *text* in pieces, each with whether it is a match of *runs* with an *address*; signs *around* it stay outside."""
    done = 0
    for run in runs.finditer(text):
        if address.search(run[0]):
            inside = run[0].strip(around)
            if not address.search(inside):
                inside = run[0]  # as in ".@host": the full stop is a name
            start = run.start() + run[0].index(inside)
            yield text[done:start], False
            yield inside, True
            done = start + len(inside)
    yield text[done:], False


def markdown_link(label: str, address: str) -> str:
    """Return a link in Markdown; *label* is Markdown, *address* comes from ``web_address`` or is an anchor of the page.

    The ampersand is written as an entity, because renderers would show ``&copy;`` in an address as ©.
    """
    return f"[{label}]({address.replace('&', '&amp;')})"


def _ascii_host(host: str) -> str:
    """Return *host* in ASCII by the rules of browsers (UTS 46): ``faß.de`` differs from ``fass.de``."""
    if len(host) > MAX_HOST_CHARS:
        raise ValueError("The host is too long.")
    return host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")


_MAX_STEPS = 5
"""Most steps to a canonical form, as a result may be simplified again (the AMP page of an AMP page)."""
_MAX_REMEMBERED = 4096
_EDGE = "".join(map(chr, range(0x21)))
_INSIDE = re.compile(r"[\t\r\n]")
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_DEFAULT_PORT = re.compile(r":(?:80|443)?$")
_SECOND_LEVEL = frozenset({"co", "com", "or", "org", "go", "gov", "ne", "net", "ac", "edu", "re", "pe"})
_DEVICE_LABELS = frozenset({"www", "m", "mobile", "amp"})
_WIKI_MOBILE = re.compile(r"^([a-z-]+)\.m\.(wik[a-z]+\.org)$")
_AMP = re.compile(r"^/amp(?=/[^/])|(?<=[^/])/amp/?$")
_NAVER_NEWS_HOST = re.compile(r"^(?:[a-z]+\.)*(?:news|sports|entertain)\.naver\.com$")
_NAVER_ARTICLE = re.compile(r"/article/(?:[a-z]+/)?(\d{3})/(\d{10})(?:/|$)")
_YOUTUBE_HOSTS = frozenset({"youtu.be", "youtube.com", "music.youtube.com", "youtube-nocookie.com"})
_YOUTUBE_PATH = re.compile(r"^/(?:(?:shorts|embed|live|v)/)?([\w-]{11})/?$")
_TRACKING = re.compile(
    "utm_.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|twclid|yclid|igshid|igsh|mc_cid|mc_eid|spm|_ga|_gl|ref_src|cmpid|ocid|amp",
    re.IGNORECASE | re.DOTALL,
)
Fields = list[tuple[str, str]]
Address = tuple[str, str, Fields]
"""Host, path and query fields."""


@lru_cache(maxsize=_MAX_REMEMBERED)
def canonical_url(url: str) -> str:
    """Return the canonical form of *url*, for comparison; never raises, and is idempotent.

    Other schemes than http and https (``library:``) and addresses that cannot be parsed come back as they are, without white
    space around them.
    """
    key = url.strip(_EDGE)
    for _ in range(_MAX_STEPS):
        next_key = _key(key)
        if next_key == key:
            break
        key = next_key
    return key


def _key(url: str) -> str:
    """Return *url* after one step towards its canonical form; ``canonical_url`` repeats this."""
    bare = _INSIDE.sub("", url).strip(_EDGE)
    if not _WEB.match(bare):
        return bare
    try:
        parts = urlsplit(canonicalize_url(unicodedata.normalize("NFC", bare), keep_fragments=True))
        host = _plain_host(parts.netloc)
    except ValueError:
        return bare
    if not host:
        return bare
    given = parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape")
    kept = [(name, value) for name, value in given if not _TRACKING.fullmatch(name)]
    host, path, query = _same_page(host, parts.path, kept)
    fields = "&".join(f"{_quote(name)}={_quote(value)}" for name, value in sorted(query))
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{path.rstrip('/') or '/'}{'?' + fields if fields else ''}{fragment}"


def _plain_host(netloc: str) -> str:
    """Return *netloc* in lower case without default port, final dot and device labels ("m.")."""
    login, _, host = netloc.rpartition("@")
    login = login.removesuffix(":")
    host = _DEFAULT_PORT.sub("", host.lower())
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    labels = _WIKI_MOBILE.sub(r"\1.\2", name.rstrip(".")).split(".")
    while labels[0] in _DEVICE_LABELS and _is_site(labels[1:]):
        labels = labels[1:]
    return f"{login}{'@' if login else ''}{'.'.join(labels)}{colon}{port}"


def _is_site(labels: list[str]) -> bool:
    """Return whether a host with *labels* can be a site, not just a registry such as ``co.kr``."""
    return len(labels) > 2 or (len(labels) == 2 and not (labels[0] in _SECOND_LEVEL and len(labels[1]) == 2))


def _quote(text: str) -> str:
    return quote(text, safe="~", errors="surrogateescape")


def _same_page(host: str, path: str, fields: Fields) -> Address:
    """Return the address that stands for all addresses of this page (``youtube.com/watch`` for a short link)."""
    values = dict(fields)
    if host in _YOUTUBE_HOSTS:
        named = _YOUTUBE_PATH.match(path)
        video = values.get("v") if path.rstrip("/") == "/watch" else named and named[1]
        return ("youtube.com", "/watch", [("v", video)]) if video else (host, path, fields)
    if _NAVER_NEWS_HOST.match(host):
        article = _NAVER_ARTICLE.search(path)
        office, number = article.groups() if article else (values.get("oid", ""), values.get("aid", ""))
        return ("n.news.naver.com", f"/article/{office}/{number}", []) if office and number else (host, path, fields)
    if host == "blog.naver.com" and values.get("blogId") and values.get("logNo"):
        return host, f"/{values['blogId']}/{values['logNo']}", []
    return host, _AMP.sub("", path), fields
