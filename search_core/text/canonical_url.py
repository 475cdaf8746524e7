"""One key for every address under which a page can be reached.

The key distinguishes pages; it is not an address to show or to fetch. Percent-encoding, IDN, dot segments, IPv6 hosts and the
order of query fields are w3lib's (2.5, ``canonicalize_url``), after the URL Standard; what makes two addresses one page is
said here, for the sites that Korean searches find most.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlsplit

from w3lib.url import canonicalize_url

_MAX_STEPS = 5
"""A key may have a shorter one (an AMP page of an AMP page)."""
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
_TRACKING_NAMES = frozenset(
    {"fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "yclid", "igshid", "igsh"}
    | {"mc_cid", "mc_eid", "spm", "_ga", "_gl", "ref_src", "cmpid", "ocid", "amp"}
)
_TRACKING_PREFIX = "utm_"
Fields = list[tuple[str, str]]
Address = tuple[str, str, Fields]
"""Host, path and query fields."""


@lru_cache(maxsize=_MAX_REMEMBERED)
def canonical_url(url: str) -> str:
    """Return the identity key of *url*; never raises, and the key of a key is the key itself.

    Other schemes than http and https (``library:``) and addresses that cannot be parsed come back as they are, without white
    space around them.
    """
    key = url.strip(_EDGE)
    for _ in range(_MAX_STEPS):
        found = _key(key)
        if found == key:
            break
        key = found
    return key


def _key(url: str) -> str:
    """Return *url* brought one step nearer to its key."""
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
    kept = [(name, value) for name, value in given if not _tracks(name.lower())]
    host, path, query = _same_page(host, parts.path, kept)
    fields = "&".join(f"{_quote(name)}={_quote(value)}" for name, value in sorted(query))
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{path.rstrip('/') or '/'}{'?' + fields if fields else ''}{fragment}"


def _plain_host(netloc: str) -> str:
    """Return *netloc* in lower case without default port, final dot and the labels that only name a device."""
    login, _, host = netloc.rpartition("@")
    login = login.removesuffix(":")
    host = _DEFAULT_PORT.sub("", host.lower())
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    labels = _WIKI_MOBILE.sub(r"\1.\2", name.rstrip(".")).split(".")
    while labels[0] in _DEVICE_LABELS and _is_site(labels[1:]):
        labels = labels[1:]
    return f"{login}{'@' if login else ''}{'.'.join(labels)}{colon}{port}"


def _is_site(labels: list[str]) -> bool:
    """Return whether a host of *labels* can be a site by itself, not only a registry such as ``co.kr``."""
    return len(labels) > 2 or (len(labels) == 2 and not (labels[0] in _SECOND_LEVEL and len(labels[1]) == 2))


def _tracks(name: str) -> bool:
    return name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIX)


def _quote(text: str) -> str:
    return quote(text, safe="~", errors="surrogateescape")


def _same_page(host: str, path: str, fields: Fields) -> Address:
    """Return the one address that represents all addresses of this page."""
    values = dict(fields)
    if host in _YOUTUBE_HOSTS:
        video = values.get("v", "") if path.rstrip("/") == "/watch" else _first_group(_YOUTUBE_PATH, path)
        return ("youtube.com", "/watch", [("v", video)]) if video else (host, path, fields)
    if _NAVER_NEWS_HOST.match(host):
        article = _NAVER_ARTICLE.search(path)
        office, number = article.groups() if article else (values.get("oid", ""), values.get("aid", ""))
        return ("n.news.naver.com", f"/article/{office}/{number}", []) if office and number else (host, path, fields)
    if host == "blog.naver.com" and values.get("blogId") and values.get("logNo"):
        return host, f"/{values['blogId']}/{values['logNo']}", []
    return host, _AMP.sub("", path), fields


def _first_group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found[1] if found else ""
