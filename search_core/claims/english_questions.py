"""What an English question asks about, so that the sentences after it can speak of it as "it"."""

from __future__ import annotations

import re

from search_core.korean.function_words import ENGLISH_ATTRIBUTE_WORDS
from search_core.korean.wordlist import words

_ASKING = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|now|well)[,\s]+)*(?:(?:can|could) you\s)?(?:please\s)?"
    r"(?:tell me(?: more)?(?: about)?|describe|explain|compare and contrast|define|what about|how about|give me an overview of"
    r"|(?:what|who|where|when|why|how|which)\b[^?]*?\b(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should)\b"
    r"|(?:what|who|where|when|why|how|which)['’]s|(?:what|who)\s(?:causes?|makes?)"
    r"|(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had)\b)\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z0-9][\w'’&.-]*")
_STOPS = words(
    """
    in for on at with from to by between into about during after before when while if that which who what why how than as
    bad good safe effective important different difficult available found made used work works help helps happen happened start
    started come differ compare be been being become have has had do does did cost look looks known called caused related
    evolve treat learn sleep save change create formed developed invented discovered located get go live eat die
    """
)
_LIGHT = words(
    """
    a an the some any all its his her their my your our this that these those of and or other first best most common main types
    type kind kinds origins origin benefits benefit history role examples difference differences similarities relationship
    """
)
_LONGEST = 5
_NOBODY = words("you i we me us it they he she them him someone somebody people one there us so")


def asked_about(sentence: str) -> str:
    """Return the noun phrase that *sentence* asks or is asked to tell about; empty when it is no question or names nothing."""
    runs = _runs_asked_about(sentence) or []
    behind_of = [run for run, of, _ in runs if of]
    if behind_of:
        return behind_of[-1]
    if runs and runs[0][2]:
        return runs[0][0]
    return next((run for run, _, _ in reversed(runs) if run[0].isupper()), "")


def asks_on(sentence: str) -> bool:
    """Tell whether *sentence* is a question that names properties alone, of what was spoken of before ("What are the types?")."""
    return _runs_asked_about(sentence) == []


def _runs_asked_about(sentence: str) -> list[tuple[str, bool, bool]] | None:
    found = _ASKING.match(sentence)
    if found is None:
        return None
    rest = re.split(r"[?,;:]|\.(?:\s|$)|\b(?:and (?:why|how|what)|than)\b", sentence[found.end() :], maxsplit=1)[0]
    return _runs(rest)


def _runs(text: str) -> list[tuple[str, bool, bool]]:
    """Return the runs of words of *text* that can be a thing, whether each follows "of" and whether *text* begins with it."""
    runs: list[tuple[list[str], bool, bool]] = [([], False, True)]
    for word in _WORD.findall(text):
        low = word.casefold()
        if low in _STOPS or low in _NOBODY or low == "of":
            runs.append(([], low == "of", False))
        elif not (low in _LIGHT and not runs[-1][0]):
            runs[-1][0].append(word)
    return [
        (" ".join(run), of, first)
        for run, of, first in runs
        if len(run) <= _LONGEST and any(word.casefold() not in ENGLISH_ATTRIBUTE_WORDS for word in run)
    ]
