"""Whether a page is about the people and things that a statement names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from search_core.checking.verdicts.missing_support import equal_pairs
from search_core.language import korean
from search_core.language.statements.alignment import SAYS_NOTHING, held_names
from search_core.language.statements.containment import names_of
from search_core.language.statements.proposition import Proposition

_LEAST_CHARS = 3
_NOUNS = frozenset({"NNG", "NNP", "XR", "SL", "XSN", "XPN", "NR", "SN"})
_TOPICS = frozenset({"은", "는", "이", "가", "께서"})
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=4096)
def subject_names(proposition: Proposition) -> tuple[str, ...]:
    """Return the names and products in *proposition*, and the compounds before its topic ("해솔시청", "은봉호")."""
    spent = [part.text for values in (proposition.periods, proposition.figures) for part in values]
    spent += [proposition.text[start:end] for _, start, end in proposition.metrics]
    named = [name for name in names_of(proposition) if len(name) > 1 and not any(name in text for text in spent)]
    compounds = (compound for compound in _compounds(proposition) if not any(compound in name for name in (*named, *spent)))
    return tuple(dict.fromkeys((*named, *proposition.codes, *compounds)))


def _compounds(proposition: Proposition) -> Iterator[str]:
    """Yield the compounds before the topic of *proposition* that are no common words."""
    run: list[korean.Morpheme] = []
    for morpheme in korean.morphemes(proposition.text) if korean.has_hangul(proposition.text) else ():
        if morpheme.tag in _NOUNS and (not run or run[-1].end == morpheme.start):
            run.append(morpheme)
            continue
        start = proposition.text.rfind(" ", 0, run[0].start) + 1 if run else 0
        text = proposition.text[start : run[-1].end] if run else ""
        one = len(run) == 1 or (len(run) == 2 and run[1].tag == "XSN")  # "온난화"
        plain = one and start == run[0].start and run[0].tag != "NNP" and not run[0].unknown
        empty = plain or all(morpheme.form in SAYS_NOTHING for morpheme in run)
        if len(text) >= _LEAST_CHARS and not empty and not _DIGIT.search(text):
            yield text
        if morpheme.tag in ("JKS", "JX") and morpheme.form in _TOPICS:
            return
        run = [morpheme] if morpheme.tag in _NOUNS else []


def speaks_of_same(statement: Proposition, web: Proposition, around: str) -> bool | None:
    """Return whether *web* is about everything that *statement* names; None if the statement names nothing.

    What *web* leaves out may be in *around* (the text before it, or its title) unless it names others. If *web* has two values
    of the statement, half of its names are enough.
    """
    names = subject_names(statement)
    if not names:
        return None
    held = sum(_holds(around, name) for name in names)
    if held < len(names) and not (2 * held >= len(names) and len(equal_pairs(statement, web)) > 1):
        return False
    others = [name for name in subject_names(web) if name not in web.sources and not _holds(statement.text, name)]
    return not others or any(_holds(web.text, name) for name in names)


def _holds(text: str, name: str) -> bool:
    """Return whether *text* contains *name* in either script, its stem ("해솔시청") or its first words."""
    there, wanted_name = (re.sub(r"[\s-]", "", string).casefold() for string in (text, name))
    return (
        wanted_name in there or (len(wanted_name) > _LEAST_CHARS and wanted_name[:-1] in there) or bool(held_names((name,), text))
    )
