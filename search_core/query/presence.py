"""Whether a text already holds a name, however it is spaced, cased or written."""

from __future__ import annotations

import re

from search_core.entities import EntityMatcher

_NOT_WORD = re.compile(r"[\W_]+")
_LATIN_ONLY = re.compile(r"[\x00-\x7f]+")


def fold(text: str) -> str:
    """Return *text* without spaces, signs and case."""
    return _NOT_WORD.sub("", text.casefold())


def holds(text: str, name: str) -> bool:
    """Tell whether *text* holds *name*, not minding spaces, signs and case; Latin names only as whole words."""
    folded = fold(name)
    if not folded:
        return False
    if _LATIN_ONLY.fullmatch(name):
        words = [re.escape(word) for word in _NOT_WORD.split(name.casefold()) if word]
        pattern = r"[\W_]*".join(words)
        return re.search(f"(?<![a-z0-9]){pattern}(?![a-z0-9])", text.casefold()) is not None
    return folded in fold(text)


def holds_in_any_script(text: str, name: str) -> bool:
    """Tell whether *text* holds *name* as written or in the other script ("엔비디아", "NVIDIA")."""
    return holds(text, name) or bool(EntityMatcher((name,)).find_in(text))
