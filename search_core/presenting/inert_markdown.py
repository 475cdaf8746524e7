"""Foreign text in Markdown files of ours: it shows as it is, on one line, and only addresses of the web become links."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_IN_LINKS = "/:?&=%+,;~#@!$'*-._"


def link(title: str, url: str) -> str:
    """Return *title* as a link where *url* is an address of the web, or else the title with the address as text."""
    name = escaped(title) or escaped(url)
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        is_web = False
    if not is_web:
        return f"{name} · {escaped(url)}" if url else name
    return f"[{name}](<{quote(url, safe=_IN_LINKS)}>)"


def escaped(text: str) -> str:
    """Return *text* on one line with every sign that Markdown could read as its own escaped."""
    visible = "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs") else " " for char in text)
    return _PUNCTUATION.sub(r"\\\1", " ".join(visible.split()))
