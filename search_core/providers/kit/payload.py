"""Reads values of services' answers without failing at unexpected types, and tells which results are in given domains."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from search_core.domain.result import Rank, SearchResult
from search_core.language import korean
from search_core.language.dates import in_korea, read_date
from search_core.language.sentences import visible
from search_core.language.web_address import host_name, web_address
from search_core.providers.kit.contract import unreadable

MAX_TEXT_CHARS = 20_000
"""Length to which a title or snippet is cut before it is cleaned; normal ones are far shorter."""
MAX_URL_CHARS = 4_000
_EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
"""Earliest date that is accepted; earlier ones are zeros and placeholders, as no web page is older."""
_FUTURE_SLACK = timedelta(days=2)
"""How far in the future a publish date may lie, as clocks and time zones differ."""

_INLINE = "b|strong|em|i|u|mark|span|font|small|big|code|tt|sup|sub|a|abbr|wbr"
_BLOCK = "p|br|div|li|ul|ol|hr|h[1-6]|td|tr|th|table|tbody|blockquote|pre|section|article|img|script|style"
_INLINE_TAG = re.compile(rf"</?(?:{_INLINE})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK})(?:\s[^<>]*)?/?>|<!--[^<>]*-->", re.IGNORECASE)
_UNSAFE_IN_URL = re.compile('[ \u00a0\u3000"<>^`{|}]')
"""Characters that services leave in an address although they must be percent-encoded there."""


def text(value: Any) -> str:
    """Return *value* as one line of plain text; empty for anything but a string.

    Tags and invisible characters (controls, zero-width, direction marks, Hangul fillers, lone surrogates) are removed, entities
    are read once, white space collapses, and Unicode is NFC. A joiner between two emoji stays.
    """
    if not isinstance(value, str):
        return ""
    plain = _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", value[:MAX_TEXT_CHARS]))
    plain = html.unescape(plain)
    return " ".join(visible(plain).split())


def web_url(value: object) -> str | None:
    """Return *value* as a readable web address, or None."""
    if not isinstance(value, str) or len(value) > MAX_URL_CHARS:
        return None
    address = _UNSAFE_IN_URL.sub(lambda match: quote(match[0]), value.strip())
    return address if web_address(address) else None


def date(value: object, now: datetime) -> datetime | None:
    """Return *value* as a date in any form of ``read_date``; None for invalid dates and those after *now*."""
    moment = read_date(value)
    try:
        return moment if moment is not None and _EARLIEST <= moment.astimezone(UTC) <= now + _FUTURE_SLACK else None
    except OverflowError:  # its time zone moves it beyond the supported years
        return None


def items(payload: Any, *path: str) -> list[dict[str, Any]]:
    """Return the objects in the list at *path* of *payload*.

    Other entries are left out. Raises ProviderError(INVALID_RESPONSE) if there is no list, or one without objects.
    """
    node = payload
    for key in path:
        if not isinstance(node, dict) or key not in node:
            raise unreadable(f"The answer has no {'.'.join(path)}.")
        node = node[key]
    if not isinstance(node, list):
        raise unreadable(f"The answer's {'.'.join(path) or 'top level'} is no list.")
    entries = [entry for entry in node if isinstance(entry, dict)]
    if node and not entries:
        raise unreadable(f"The answer's {'.'.join(path) or 'top level'} holds no objects.")
    return entries


def hit(
    *, title: object, url: object, snippet: object = "", published: datetime | None = None, language: str = ""
) -> SearchResult | None:
    """Return one hit with cleaned texts, its site as a missing title; None for an invalid address."""
    address = web_url(url)
    if address is None:
        return None
    source = host_name(address)
    name, excerpt = text(title), text(snippet)
    language = language or korean.detect_language(f"{name} {excerpt}")
    return SearchResult(
        title=name or source,
        url=address,
        snippet=excerpt,
        source=source,
        publish_date=in_korea(published, language, source),
        language=language,
    )


def keep_readable(hits: Sequence[SearchResult | None]) -> tuple[SearchResult, ...]:
    """Return the valid *hits*; raises ProviderError(INVALID_RESPONSE) if there were entries but none is valid."""
    readable = tuple(result for result in hits if result is not None)
    if hits and not readable:
        raise unreadable(f"None of the {len(hits)} entries of the answer has a usable address.")
    return readable


def rank_hits(hits: Iterable[SearchResult], provider: str, limit: int) -> tuple[SearchResult, ...]:
    """Return the first *limit* of *hits*, each marked with *provider* and its rank; a repeated address counts once."""
    return tuple(
        replace(result, providers=(provider,), ranks=(Rank(provider, rank),))
        for rank, result in enumerate(once(hits)[:limit], start=1)
    )


def once(hits: Iterable[SearchResult]) -> list[SearchResult]:
    """Return *hits* without repeated addresses, in order."""
    unique: dict[str, SearchResult] = {}
    for result in hits:
        unique.setdefault(result.url, result)
    return list(unique.values())


def is_within(url: str, domains: Sequence[str]) -> bool:
    """Return whether the host of *url* is one of *domains* or below one."""
    host = host_name((web_address(url) or url) if domains else "")
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def unwrap_link(href: str) -> str:
    """Return the target of DuckDuckGo's redirect link *href*, or the address itself."""
    address = f"https:{href}" if href.startswith("//") else href
    try:
        parts = urlsplit(address)
    except ValueError:
        return href
    if (parts.hostname or "").endswith("duckduckgo.com") and parts.path == "/l/":
        return parse_qs(parts.query).get("uddg", [""])[0]
    return address


def is_advertisement(href: str) -> bool:
    """Return whether *href* leads to an advertiser."""
    return "duckduckgo.com/y.js" in href
