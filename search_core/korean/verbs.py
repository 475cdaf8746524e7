"""Verbs of a spoken question as texts write them: nobody writes a page in the words of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.korean.morphemes import Morpheme, conjugate, morphemes

AUXILIARIES = frozenset({"하", "되", "있", "없", "이"})
_SPOKEN = re.compile(r"데|길래|대$|더라$|거든|니까|면서$")
"""Endings inside a sentence with which speakers report and ask; writers end the sentence instead."""
_LONGEST = 8
"""Morphemes of a verb with its auxiliaries and endings."""
_TENSES = frozenset({"었", "겠"})
_ENDS = frozenset({"SF", "SE", "SP"})
_WORD = re.compile(r"[^\W_]+")


def verb_as_written(text: str, start: int) -> str:
    """Return the verb or adjective that begins at ``text[start]`` with its ending, one that ends a sentence as a statement.

    "얹은" stays, and "올랐대요?" is "올랐다".
    """
    analysed = morphemes(text)
    first = next(place for place, m in enumerate(analysed) if m.start >= start)
    for place in range(first + 1, min(len(analysed), first + _LONGEST)):
        here = analysed[place]
        after = analysed[place + 1] if place + 1 < len(analysed) else None
        if here.tag == "EF" or _is_left_open(here, after):
            return _statement(analysed[first:place])
        if here.tag.startswith("E") and here.tag != "EP" and (after is None or after.tag != "VX"):
            written = _WORD.match(text, start)
            whole = written[0] if written and written.end() >= here.end else text[start : here.end]
            return whole if len(whole) > 1 or here.tag != "EC" else _statement(analysed[first:place])
    word = _WORD.match(text, start)
    return word[0] if word else ""


def _statement(stem: Sequence[Morpheme]) -> str:
    """Return the verb *stem*, with its tenses, as a statement: 올리 and 었 are "올렸다"."""
    kept = [m for m in stem if m.tag != "EP" or m.form in _TENSES]
    plain = kept[-1].tag.startswith(("EP", "VA", "XSA")) or kept[-1].form in AUXILIARIES
    return conjugate(kept, "다" if plain else "는다", "EF")


def _is_left_open(ending: Morpheme, after: Morpheme | None) -> bool:
    """Return whether *ending* reports or asks, or nothing follows that it could hang on: an end, or "수 있을까"."""
    if ending.tag == "ETM":
        return after is not None and after.tag == "NNB" and after.form in ("수", "줄")
    if ending.tag == "EP":
        return ending.form == "더"
    return ending.tag == "EC" and (after is None or after.tag in _ENDS or _SPOKEN.search(ending.form) is not None)
