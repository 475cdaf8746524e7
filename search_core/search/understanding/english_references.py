"""English words that point outside the question: "he", "this company", "the speaker", "that".

Whether a pronoun finds its noun inside the question follows binding theory (Chomsky 1981, principles A and B): a possessive
may take up the subject of its own clause ("Tesla … its factory"), an object pronoun only a noun of an earlier clause.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from search_core.domain import Reference, ReferenceKind
from search_core.text.korean.wordlist import words as word_set


def kinds_of(**lists: str) -> dict[str, ReferenceKind]:
    """Return by word the kind under whose name *lists* have it."""
    return {word: ReferenceKind[kind.upper()] for kind, text in lists.items() for word in word_set(text)}


_POSSESSIVES = kinds_of(person="his her hers", thing="its their theirs")
_PRONOUNS = kinds_of(person="he she him", thing="they them it those these this that") | _POSSESSIVES
_HEADS = kinds_of(
    person="guy man woman person speaker presenter host author lady narrator interviewee",
    organization="company firm business organization organisation startup corporation brand",
    event="event conference summit show fair festival meeting expo",
    video="video talk presentation lecture keynote interview speech clip episode",
    place="place venue location",
)
_PLURAL = word_set("they them their theirs those these")
_TITLED = word_set("ceo president professor director founder chairman minister")
"""Heads that tell more than their kind and stay in the query; "the president" is known to everybody."""
_NARROWING = word_set("of in for that who which behind at from called named")
_CLAUSE_STARTS = word_set(
    """
    who what which when where why how is are was were do does did can could will would should has have had it they
    he she if when because so then while since before after
    """
)
_JOINERS = word_set("and or but so if when because while since before after then as")
_AFTER_LONE_POINTER = _CLAUSE_STARTS | word_set("to in on for from at with by mean work the about")
_NO_NOUN = word_set("of in on to for from by with about the a an and or but not no")
_BEFORE_POINTER = _NO_NOUN | word_set("is was does did do")
_TIMES = word_set("year week month morning evening afternoon weekend time quarter season summer winter")
"""Nouns that "this" dates rather than points with."""
_IDLE = r"(?:true|possible|legal|safe|worth|necessary|better|rain\w*|snow\w*|cold|hot)"
_NO_REFERENCE = re.compile(
    rf"\bit(?:['’]?s| is| was)? (?:mean to|take to|{_IDLE})\b|\b(?:what (?:time|day|date|year) is it|is it {_IDLE})\b",
    re.IGNORECASE,
)
"""The "it" of weather, time and judgements, which stands for nothing."""
_WORD = re.compile(r"[A-Za-z][\w'’]*|[\d][\w.]*|[.?!;,]")


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
    empty = {place for m in _NO_REFERENCE.finditer(text) for place in range(m.start(), m.end())}
    found: list[Reference] = []
    index = 0
    while index < len(words):
        reference, after = _at(text, words, index)
        if reference is not None and not (words[index].low == "it" and words[index].start in empty):
            found.append(reference)
        index = after
    return tuple(found)


def _at(text: str, words: list[_Word], index: int) -> tuple[Reference | None, int]:
    word, following = words[index], [each.low for each in words[index + 1 : index + 3]]
    pointer = word.low in ("this", "that", "these", "those")
    if following and (pointer or word.low in ("the", "such")):
        noun = words[index + 1]
        titled = noun.low in _TITLED and pointer
        kind = ReferenceKind.PERSON if titled else _HEADS.get(noun.low)
        if kind is not None:
            if (word.low == "the" and _is_named(words, index + 2)) or _has_name(words[:index]):
                return None, index + 1
            stop = word.end if titled else noun.start + len(re.split(r"['’]", noun.text)[0])
            return Reference(text[word.start : stop], word.start, stop, kind, noun.low), index + 2
        opens = index == 0 or words[index - 1].low in _BEFORE_POINTER or not any(each[0].isalnum() for each in following[1:])
        if word.low not in ("the", "that") or (word.low == "that" and opens):
            noun_follows = following[0][0].isalpha() and following[0] not in _NO_NOUN | _AFTER_LONE_POINTER | _TIMES
            if noun_follows:
                return Reference(word.text, word.start, word.end, ReferenceKind.THING, following[0]), index + 1
    if pointer and not _stands_alone(words, index):
        return None, index + 1
    kind = _PRONOUNS.get(word.low)
    if kind is None or _inside(words, index, kind):
        return None, index + 1
    end = word.start + len(re.split(r"['’]", word.text)[0])
    return Reference(text[word.start : end], word.start, end, kind), index + 1


def _is_named(words: list[_Word], index: int) -> bool:
    """Return whether a noun before *index* is told by what follows: "the company behind it", "the company Tesla"."""
    return any(word.low in _NARROWING or word.text[0].isupper() for word in words[index : index + 1])


def _has_name(words: list[_Word]) -> bool:
    return any(word.text[0].isupper() and word.start > 0 and word.low not in _TITLED for word in words)


def _stands_alone(words: list[_Word], index: int) -> bool:
    after = words[index + 1].low if index + 1 < len(words) else "?"
    return not after[0].isalnum() or index == 0 or (words[index].low != "that" and after in _AFTER_LONE_POINTER)


def _inside(words: list[_Word], index: int, kind: ReferenceKind) -> bool:
    """Return whether the pronoun at *index* takes up a noun of the same question."""
    possessive = words[index].low in _POSSESSIVES
    if possessive and index > 1 and words[index - 1].low in ("and", "or") and words[index - 2].low not in _NO_NOUN:
        return True
    earlier = [word for word in words[: _clause_start(words, index)] if word.low[0].isalpha()]
    if possessive and not earlier:
        earlier = [word for word in words[1:index] if word.text[0].isupper()]
    if kind is ReferenceKind.PERSON:
        return any(word.text[0].isupper() and word.start > 0 for word in earlier)
    nouns = [word for word in earlier if word.low not in _CLAUSE_STARTS | _NO_NOUN]
    return any(word.low.endswith("s") or word.text[0].isupper() for word in nouns) if words[index].low in _PLURAL else bool(nouns)


def _clause_start(words: list[_Word], index: int) -> int:
    """Return where the clause holding *index* starts, 0 for the first clause."""
    for place in range(index, 0, -1):
        before = words[place - 1]
        opens = words[place].low in _CLAUSE_STARTS
        if before.text in ".?!;" or (before.text == "," and opens):
            return place - 1
        if before.low in _JOINERS and (before.low not in ("and", "or") or opens):
            return place - 1
    return 0
