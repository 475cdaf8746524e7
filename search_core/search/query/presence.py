"""Whether a text already holds a name, however it is spaced, cased or written."""

from __future__ import annotations

import re

from search_core.text.entities.cues import AFTER_NAME

_NOT_WORD = re.compile(r"[\W_]+")
_RUN = re.compile(r"\d+|[가-힣]+|[^\W\d_가-힣]+")
_LATIN_ONLY = re.compile(r"[\x00-\x7f]+")


def fold(text: str) -> str:
    """Return *text* without spaces, signs and case."""
    return _NOT_WORD.sub("", text.casefold())


def holds(text: str, name: str) -> bool:
    """Return whether *text* holds *name*, not minding spaces, signs and case; Latin names only as whole words."""
    folded = fold(name)
    if not folded:
        return False
    if _LATIN_ONLY.fullmatch(name):
        words = [re.escape(word) for word in _NOT_WORD.split(name.casefold()) if word]
        pattern = r"[\W_]*".join(words)
        return re.search(f"(?<![a-z0-9]){pattern}(?![a-z0-9])", text.casefold()) is not None
    return folded in fold(text)


def names(text: str, name: str) -> bool:
    """Return whether *name* stands in *text* as a word of its own, not minding case, spaces and signs; particles may follow it.

    "HBM은" names HBM, "SK 하이닉스의" names SK하이닉스, and "HBM4", a generation of it, names HBM; "C18B" does not name C18, nor
    삼성전자 삼성.
    """
    runs = [re.escape(run) for run in _RUN.findall(name.casefold())]
    if not runs:
        return False
    pattern = r"[\W_]*".join(runs) + (r"\d*" if name.rstrip()[-1:].isalpha() else "")
    return re.search(rf"(?<![^\W_]){pattern}(?![a-z0-9]){AFTER_NAME}", text.casefold()) is not None
