"""Configured addresses, as they may be shown and kept."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def without_credentials(address: str) -> str:
    """Return *address* without the name and password it may hold."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
