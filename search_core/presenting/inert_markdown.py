"""Foreign text in Markdown files of ours: it shows as it is, on one line, and only addresses of the web become links."""

from __future__ import annotations

import re
import unicodedata

from search_core.web_address import markdown_link, web_address

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def link(title: str, url: str) -> str:
    """Return *title* as a link where *url* is an address of the web, or else the title with the address as text."""
    name = escape(title) or escape(url)
    address = web_address(url)
    if address is not None:
        return markdown_link(name, address)
    return f"{name} · {escape(url)}" if url else name


def escape(text: str) -> str:
    """Return *text* on one line with every sign that Markdown could read as its own escaped."""
    visible = "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs") else " " for char in text)
    return _PUNCTUATION.sub(_escape, " ".join(visible.split()))


def _escape(found: re.Match[str]) -> str:
    return "&lt;" if found[0] == "<" else f"\\{found[0]}"
