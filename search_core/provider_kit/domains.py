"""Searching within, or without, certain domains."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit


def within(url: str, domains: Sequence[str]) -> bool:
    """Tell whether *url* is on one of *domains* or under it; domains are in lower case, without ``www.``."""
    if not domains:
        return False
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
