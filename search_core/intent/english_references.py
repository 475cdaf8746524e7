"""English words that point outside the question: "he", "this company", "the speaker", "that".

Whether a pronoun finds its noun inside the question follows binding theory (Chomsky 1981, principles A and B): a possessive
may take up the subject of its own clause ("Tesla … its factory"), an object pronoun only a noun of an earlier clause.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from search_core.domain import Reference, ReferenceKind
from search_core.korean.wordlist import words as word_set

_P, _O, _E, _V, _T, _L = (
    ReferenceKind.PERSON,
    ReferenceKind.ORGANIZATION,
    ReferenceKind.EVENT,
    ReferenceKind.VIDEO,
    ReferenceKind.THING,
    ReferenceKind.PLACE,
)
_SUBJECTS = {"he": _P, "she": _P, "him": _P, "they": _T, "them": _T, "it": _T, "those": _T, "these": _T, "this": _T, "that": _T}
_POSSESSIVES = {"his": _P, "her": _P, "its": _T, "their": _T, "hers": _P, "theirs": _T}
_PLURAL = word_set("they them their theirs those these")
_HEADS = {
    **dict.fromkeys(
        ("guy", "man", "woman", "person", "speaker", "presenter", "host", "author", "lady", "narrator", "interviewee"), _P
    ),
    **dict.fromkeys(("company", "firm", "business", "organization", "organisation", "startup", "corporation", "brand"), _O),
    **dict.fromkeys(("event", "conference", "summit", "show", "fair", "festival", "meeting", "expo"), _E),
    **dict.fromkeys(("video", "talk", "presentation", "lecture", "keynote", "interview", "speech", "clip", "episode"), _V),
    **dict.fromkeys(("place", "venue", "location"), _L),
}
_TITLED = word_set("ceo president professor director founder chairman minister")
_DEMONSTRATIVES = word_set("this that these those the such")
_CLAUSE_STARTS = word_set(
    """
    who what which when where why how is are was were do does did can could will would should has have had it they
    he she if when because so then while since before after
    """
)
_BEFORE_POINTER = word_set("is was does did do about by of with for to at in on from")
_AFTER_LONE_POINTER = _CLAUSE_STARTS | word_set("to in on for from at with by mean work the about")
_JOINERS = word_set("and or but so if when because while since before after then as")
_BEFORE_PRONOUN_THAT = word_set(
    """
    is was does did do about by of with for like mean to at why how after before from on than though are know know?
    say said
    """
)
_EXPLETIVE_IT = re.compile(
    r"\bit(?:['’]?s| is| was| be| been)? (?:true|possible|legal|illegal|ok|okay|safe|raining|snowing|"
    r"going to (?:rain|snow)|rain|snow|better to|worth|"
    r"important to|necessary|easy to|hard to|difficult to|good to|bad to|take to|cost to|take for|cold|hot|sunny|"
    r"cloudy|mean to)\b"
    r"|\b(?:what (?:time|day|date|year) is it|is it (?:true|possible|legal|ok|okay|safe|better|worth|necessary|"
    r"good|bad|raining|snowing|going|cold|hot)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w'’]*|[\d][\w.]*|[.?!;,]")
_NOT_NOUN = word_set(
    """
    the a an of in on at to for from by with about is are was were do does did can could will would should has have
    had what which who when where why how and or but if me my i you your tell give please more much many some any
    this that these those it its they their he his she her not no be been being into between than as so also main
    most best describe explain say said up out
    """
)


_TIMES = word_set("year week month morning evening afternoon weekend time quarter season summer winter")
"""Nouns that "this" dates rather than points with."""


class _Word(NamedTuple):
    text: str
    low: str
    start: int
    end: int


def english_references(text: str) -> tuple[Reference, ...]:
    """Return the English pointing words of *text* that find no noun inside it, in order, none overlapping."""
    words = [
        _Word(m.group(), re.sub(r"['’](?:s|re|ll|d|ve)$", "", m.group().casefold()), m.start(), m.end())
        for m in _WORD.finditer(text)
    ]
    expletive = {span for m in _EXPLETIVE_IT.finditer(text) for span in range(m.start(), m.end())}
    found: list[Reference] = []
    index = 0
    while index < len(words):
        hit = _at(text, words, index)
        if hit is None or (words[index].low == "it" and words[index].start in expletive):
            index += 1
            continue
        reference, index = hit
        found.append(reference)
    return tuple(found)


def _at(text: str, words: list[_Word], index: int) -> tuple[Reference, int] | None:
    word = words[index]
    after = words[index + 1] if index + 1 < len(words) else None
    if word.low in _DEMONSTRATIVES and after is not None:
        pointed = _pointed_noun(text, words, index)
        if pointed is not None:
            return pointed
    if word.low in ("this", "that", "these", "those") and not _stands_alone(words, index):
        return None
    kind = _SUBJECTS.get(word.low) or _POSSESSIVES.get(word.low)
    if kind is None or _inside(words, index):
        return None
    end = word.start + len(re.split(r"['’]", word.text)[0])
    return Reference(text[word.start : end], word.start, end, kind), index + 1


def _pointed_noun(text: str, words: list[_Word], index: int) -> tuple[Reference, int] | None:
    """Return "this company", "the speaker" and "that new battery"; "the" points only with a noun of the video's own parts."""
    word, noun = words[index], words[index + 1]
    kind = _HEADS.get(noun.low) or (_P if noun.low in _TITLED and word.low != "the" else None)
    following = words[index + 2].low if index + 2 < len(words) else ""
    if kind is not None:
        narrowed = following in ("of", "in", "for", "that", "who", "which", "behind", "at", "from", "called", "named")
        if (word.low == "the" and (narrowed or _capital_follows(words, index + 2))) or _named_before(words, index):
            return None
        stop = word.end if noun.low in _TITLED else noun.start + len(re.split(r"['’]", noun.text)[0])
        return Reference(text[word.start : stop], word.start, stop, kind, noun.low), index + 2
    if word.low in ("this", "these", "those", "such") or (word.low == "that" and _determines(words, index)):
        if noun.low in _NOT_NOUN or not noun.low[0].isalpha() or _sentence_before(words, index):
            return None
        if noun.low in _TIMES:
            return None
        return Reference(word.text, word.start, word.end, _T, noun.low), index + 1
    return None


def _determines(words: list[_Word], index: int) -> bool:
    """Return whether "that" points at the noun after it rather than opening a clause ("things that matter")."""
    if index == 0:
        return True
    return words[index - 1].low in _BEFORE_POINTER


def _stands_alone(words: list[_Word], index: int) -> bool:
    after = words[index + 1].low if index + 1 < len(words) else "?"
    if not after[0].isalnum():
        return True
    if index == 0 or (words[index - 1].low in _BEFORE_PRONOUN_THAT and words[index].low == "that"):
        return True
    return words[index].low != "that" and after in _AFTER_LONE_POINTER


def _inside(words: list[_Word], index: int) -> bool:
    """Return whether the pronoun at *index* takes up a noun of the same question."""
    pronoun = words[index].low
    if pronoun in _POSSESSIVES and index > 1 and words[index - 1].low in ("and", "or") and words[index - 2].low not in _NOT_NOUN:
        return True
    person = (_SUBJECTS.get(pronoun) or _POSSESSIVES.get(pronoun)) is _P
    boundary = _clause_start(words, index)
    earlier = words[:boundary]
    candidates = [w for w in earlier if w.low not in _NOT_NOUN and w.low[0].isalpha()]
    if pronoun in _POSSESSIVES and not candidates:
        candidates = [w for w in words[:index] if w.low not in _NOT_NOUN and w.text[0].isupper() and w.start > 0]
    if person:
        return any(w.text[0].isupper() and w.start > 0 for w in candidates)
    if pronoun in _PLURAL:
        return any(w.low.endswith("s") or w.text[0].isupper() for w in candidates)
    return bool(candidates)


def _clause_start(words: list[_Word], index: int) -> int:
    """Return where the clause holding *index* starts, 0 for the first clause."""
    for place in range(index, 0, -1):
        before = words[place - 1]
        if before.text in ".?!;":
            return place - 1
        if before.low in _JOINERS and (before.low not in ("and", "or") or words[place].low in _CLAUSE_STARTS):
            return place - 1
        if before.text == "," and words[place].low in _CLAUSE_STARTS:
            return place - 1
    return 0


def _named_before(words: list[_Word], index: int) -> bool:
    return any(w.text[0].isupper() and w.start > 0 and w.low not in _TITLED for w in words[:index])


def _sentence_before(words: list[_Word], index: int) -> bool:
    return any(w.text in ".?!" for w in words[: max(0, index - 1)])


def _capital_follows(words: list[_Word], index: int) -> bool:
    return index < len(words) and words[index].text[0].isupper()
