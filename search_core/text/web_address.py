"""Addresses of the web: which texts are one, and how one is written in a link.

Search services, models, readers and stored data send addresses. A link that the app draws or writes leads to the web and
nowhere else, and what a reader sees of it is where it leads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import idna

MAX_HOST_CHARS = 253
"""No name of the DNS is longer (RFC 1035)."""
_HOST = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}\.?")
_SAFE = ":/?#@!&+,;=%"
"""Signs that an address needs and that neither Markdown nor HTML takes for its own; a percent sign codes already."""


def web_address(url: str) -> str | None:
    """Return *url* as a link may hold it, percent-encoded and its host in ASCII, or None where it is no ordinary web address.

    An ordinary one is http or https with a named or an IPv4 host and a port that exists. It holds no credentials, spaces,
    backslashes, control or direction characters. IPv6 literals are none: their brackets are signs of Markdown. An address that
    has been returned is returned again unchanged.
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
    """Return the host of *url* as people name it, without ``www.``; empty where it has none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.removesuffix(".").removeprefix("www.")


def split_at_addresses(text: str, runs: re.Pattern[str], address: re.Pattern[str], around: str) -> Iterator[tuple[str, bool]]:
    """Yield *text* in pieces, each with whether it is one of *runs* that holds an *address*, without the signs *around* it."""
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
    """Return a link in Markdown; *label* is Markdown already, *address* comes from ``web_address`` or is a place on the page.

    The ampersand is written as an entity, for renderers would read ``&copy;`` in an address as a sign.
    """
    return f"[{label}]({address.replace('&', '&amp;')})"


def _ascii_host(host: str) -> str:
    """Return *host* as the DNS knows it, by the rules of browsers (UTS 46): ``faß.de`` is another host than ``fass.de``."""
    if len(host) > MAX_HOST_CHARS:
        raise ValueError("The host is too long.")
    return host if host.isascii() else idna.encode(host, uts46=True).decode("ascii")
