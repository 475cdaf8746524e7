"""Foreign text in Markdown files of ours: it shows as it is, on one line, and only addresses of the web become links."""

from __future__ import annotations

import re
import unicodedata

from search_core.text.web_address import markdown_link, web_address

_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_SIGN = re.compile(r"[\\`*_\[\]<~$|#@^{}]|&(?=[#\w])|:(?!\d|$)")
"""Signs that mean something wherever they stand; pictures, links and colours need one of them."""
_START = re.compile(r"[-+=](?=[-+=]*$)|[>./:]|(?P<number>\d{1,9})(?P<behind>[.)])$")
"""A word that may begin a list, a quotation or a rule, or go on with an address that another text began."""
_ADDRESS = re.compile(r"//|www|\w\.[a-z]{2}", re.IGNORECASE)
"""What readers' renderers make links of by themselves."""


def link(title: str, url: str) -> str:
    """Return *title* as a link where *url* is an address of the web, or else the title with the address as text."""
    name = escape(title) or escape(url)
    address = web_address(url)
    if address is not None:
        return markdown_link(name, address)
    return f"{name} · {escape(url)}" if url else name


def escape(text: str) -> str:
    """Return *text* on one line with the signs escaped that Markdown would read as its own where they stand."""
    visible = "".join(char if unicodedata.category(char) not in ("Cc", "Cf", "Cs") else " " for char in text)
    return " ".join(_escape_word(word, first=place == 0) for place, word in enumerate(visible.split()))


def _escape_word(word: str, *, first: bool) -> str:
    if _ADDRESS.search(word):
        return _PUNCTUATION.sub(_escape_sign, word)
    start = _START.match(word) if first else None
    if start is None:
        return _SIGN.sub(_escape_sign, word)
    begun = f"{start['number']}\\{start['behind']}" if start["number"] else _escape_sign(start)
    return begun + _SIGN.sub(_escape_sign, word[start.end() :])


def _escape_sign(found: re.Match[str]) -> str:
    return "&lt;" if found[0] == "<" else f"\\{found[0]}"
