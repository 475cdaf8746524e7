"""One key for every address under which a page can be reached.

The key distinguishes pages; it is not an address to show or to fetch. Percent-encoding, IDN, dot segments, IPv6 hosts and the
order of query fields are w3lib's (2.5, ``canonicalize_url``), after the URL Standard; what makes two addresses one page is
said here.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from w3lib.url import canonicalize_url

from search_core.merging.page_identity import same_page
from search_core.merging.tracking import without_tracking

MAX_UNWRAPPED = 5
"""Addresses inside addresses (an AMP cache of an AMP cache) are followed this deep."""

_MAX_REMEMBERED = 4096
_EDGE = "".join(map(chr, range(0x21)))
_INSIDE = re.compile(r"[\t\r\n]")
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_DEFAULT_PORT = re.compile(r":(?:80|443)?$")
_JAMO_BYTES = re.compile(r"%E1%8[4-7]|%CC%8|%CC%9", re.IGNORECASE)
"""First bytes of conjoining Hangul letters and accents, as file systems that decompose text put them into addresses."""
_SECOND_LEVEL = frozenset({"co", "com", "or", "org", "go", "gov", "ne", "net", "ac", "edu", "re", "pe"})
_DEVICE_LABELS = frozenset({"www", "m", "mobile", "amp", "wap"})
_WIKI_MOBILE = re.compile(r"^([a-z-]+)\.m\.(wik[a-z]+\.org)$")


@lru_cache(maxsize=_MAX_REMEMBERED)
def canonical_url(url: str) -> str:
    """Return the identity key of *url*; never raises, and the key of a key is the key itself.

    Other schemes than http and https (``library:``) and addresses that cannot be parsed come back as they are, without white
    space around them.
    """
    key = url.strip(_EDGE)
    for _ in range(MAX_UNWRAPPED):
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
        normal = canonicalize_url(unicodedata.normalize("NFC", bare), keep_fragments=True)
        parts = urlsplit(normal)
        host = _plain_host(parts.netloc)
    except ValueError:
        return bare
    if not host:
        return bare
    path = _compose(parts.path) if _JAMO_BYTES.search(parts.path) else parts.path
    query = without_tracking(host, parse_qsl(parts.query, keep_blank_values=True, errors="surrogateescape"))
    host, path, query = same_page(host, path, query)
    fields = "&".join(f"{_quote(name)}={_quote(value)}" for name, value in sorted(query))
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{path.rstrip('/') or '/'}{'?' + fields if fields else ''}{fragment}"


def _plain_host(netloc: str) -> str:
    """Return *netloc* in lower case without default port, final dot and the labels that only name a device."""
    login, _, host = netloc.rpartition("@")
    login = login.removesuffix(":")
    host = _DEFAULT_PORT.sub("", host.lower())
    name, colon, port = host.partition(":") if not host.startswith("[") else (host, "", "")
    name = _WIKI_MOBILE.sub(r"\1.\2", name.rstrip("."))
    labels = name.split(".")
    while labels[0] in _DEVICE_LABELS and _is_site(labels[1:]):
        labels = labels[1:]
    return f"{login}{'@' if login else ''}{'.'.join(labels)}{colon}{port}"


def _is_site(labels: list[str]) -> bool:
    """Return whether a host of *labels* can be a site by itself, not only a registry such as ``co.kr``."""
    return len(labels) > 2 or (len(labels) == 2 and not (labels[0] in _SECOND_LEVEL and len(labels[1]) == 2))


def _compose(path: str) -> str:
    """Return *path* with decomposed letters put together, or as it is when its bytes are no UTF-8."""
    try:
        return quote(unicodedata.normalize("NFC", unquote(path, errors="strict")), safe="/!$&'()*+,;=:@~%")
    except UnicodeDecodeError:
        return path


def _quote(text: str) -> str:
    return quote(text, safe="~", errors="surrogateescape")
