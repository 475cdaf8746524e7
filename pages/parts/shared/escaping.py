"""Making foreign text safe for the page.

Streamlit's Markdown strips HTML and ``javascript:`` addresses but renders pictures, headings and colours, in labels too. All
text that is not our own goes through here (or through ``st.text``, which renders nothing). Streamlit draws addresses and icons
even if every sign is escaped, because it looks for them in the rendered text; only code is exempt.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from search_core.language.sentences import shorten
from search_core.language.web_address import markdown_link, split_at_addresses, web_address

_CONTROL = re.compile(r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_MEANT = re.compile(r"([#$&*+\-:<=>@\[-`{-~])")
"""Signs with a meaning to Markdown or Streamlit anywhere in a text; other signs have one only at its beginning."""
_LIST = re.compile(r"^(\d{1,9})([.)])")
_SPACES = re.compile(r"\s+")
_RUN = re.compile(r"[^\s|`\[\](){}<>\"']+")
_ADDRESS = re.compile(r"://|www\.|[\w.+-]@[\w-]|:(?:streamlit|material/\w+):", re.IGNORECASE)
_AROUND = "“”‘’「」『』.,;!?…·。、"


def clean(text: str, limit: int = 2000) -> str:
    """Return *text* on one line, without control and direction characters, cut to *limit* characters."""
    text = str(text)
    if text.isprintable():  # as most texts are: no control or direction characters, and no space but the ordinary one
        text = " ".join(text.split()) if "  " in text else text.strip()
    else:
        text = _SPACES.sub(" ", _CONTROL.sub("", _SPACES.sub(" ", text))).strip()
    return shorten(text, limit)


def md(text: str, limit: int = 2000) -> str:
    """Return *text* for Markdown and labels: every ASCII punctuation mark escaped, addresses and icons as code."""
    return _inert(clean(text, limit), _escape)


def md_piece(text: str) -> str:
    """Return a piece of a longer text for Markdown, with its outer spaces, which ``md`` strips."""
    inside = text.strip()
    return text.replace(inside, md(inside)) if inside else text


def label(text: str, limit: int = 2000) -> str:
    """Return *text* for labels that screen readers read aloud: signs without meaning there get no backslash."""
    quiet = _inert(clean(text, limit), partial(_MEANT.sub, r"\\\1"))
    return _LIST.sub(r"\1\\\2", quiet)


def has_address(text: str) -> bool:
    """Return whether Markdown would draw something in *text* as a link or an icon."""
    return bool(_ADDRESS.search(text))


def _inert(text: str, escape: Callable[[str], str]) -> str:
    pieces = split_at_addresses(text, _RUN, _ADDRESS, _AROUND)
    return "".join(f"`{piece}`" if is_address else escape(piece) for piece, is_address in pieces)


def _escape(text: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", text)


def tooltip(text: str) -> str:
    """Return *text* for the quoted title of a Markdown link, where nothing is drawn and nothing needs to be code."""
    return _escape(clean(text, 400))


def link(text: str, url: str, limit: int = 300) -> str:
    """Return a Markdown link, or the bare text where *url* is no ordinary web address."""
    address = web_address(url)
    label = md(text, limit)
    return markdown_link(label, address) if address else label
