"""Links on DuckDuckGo's result pages (html.duckduckgo.com and duckduckgo.com, read 2026-11)."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit


def unwrap_link(href: str) -> str:
    """Return where *href* leads: the target of DuckDuckGo's redirect link, or the address itself."""
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
