"""English words that point outside the question: "he", "this company", "the speaker", "that"."""

from __future__ import annotations

import re
from typing import NamedTuple

from search_core.domain.query import Reference, ReferenceKind
from search_core.text.korean.wordlist import words as word_set


def kinds_of(**lists: str) -> dict[str, ReferenceKind]:
    """Return by word the kind under whose name *lists* have it."""
    return {word: ReferenceKind[kind.upper()] for kind, text in lists.items() for word in word_set(text)}


_PRONOUNS = kinds_of(person="he she him his her hers", thing="they them it those these this that its their theirs")
_HEADS = kinds_of(
    person="guy man woman person speaker presenter host author lady narrator interviewee",
    organization="company firm business organization organisation startup corporation brand",
    event="event conference summit show fair festival meeting expo",
    video="video talk presentation lecture keynote interview speech clip episode",
    place="place venue location",
)
_TITLED = word_set("ceo president professor director founder chairman minister")
"""Heads that tell more than their kind and stay in the query; "the president" is known to everybody."""
_NARROWING = word_set("of in for that who which behind at from called named")
_AFTER_LONE_POINTER = word_set(
    """
    who what which when where why how is are was were do does did can could will would should have has had it they
    he she if because so then while since before after to in on for from at with by mean work the about
    """
)
_NO_NOUN = word_set("of in on to for from by with about the a an and or but not no")
_BEFORE_POINTER = _NO_NOUN | word_set("is was does did do")
_TIMES = word_set("year week month morning evening afternoon weekend time quarter season summer winter")
"""Nouns that "this" dates rather than points with."""
_WORD = re.compile(r"[A-Za-z][\w'’]*|[\d][\w.]*|[.?!;,]")


class _Word(NamedTuple):
    text: str
    low: str
    start: int
    end: int


def english_references(text: str) -> tuple[Reference, ...]:
    """Return the English pointing words of *text*, in order, none overlapping."""
    words = [
        _Word(m.group(), re.sub(r"['’](?:s|re|ll|d|ve)$", "", m.group().casefold()), m.start(), m.end())
        for m in _WORD.finditer(text)
    ]
    found: list[Reference] = []
    index = 0
    while index < len(words):
        reference, index = _at(text, words, index)
        found += [] if reference is None else [reference]
    return tuple(found)


def _at(text: str, words: list[_Word], index: int) -> tuple[Reference | None, int]:
    """Return what points at *index*, if anything does, and where to read on."""
    word, following = words[index], [each.low for each in words[index + 1 : index + 3]]
    pointer = word.low in ("this", "that", "these", "those")
    if following and (pointer or word.low in ("the", "such")):
        noun = words[index + 1]
        titled = noun.low in _TITLED and pointer
        kind = ReferenceKind.PERSON if titled else _HEADS.get(noun.low)
        if kind is not None:
            if word.low == "the" and _is_named(words, index + 2):
                return None, index + 1
            stop = word.end if titled else noun.start + len(re.split(r"['’]", noun.text)[0])
            return Reference(text[word.start : stop], word.start, stop, kind, noun.low), index + 2
        opens = index == 0 or words[index - 1].low in _BEFORE_POINTER or not any(each[0].isalnum() for each in following[1:])
        if word.low not in ("the", "that") or (word.low == "that" and opens):
            noun_follows = following[0][0].isalpha() and following[0] not in _NO_NOUN | _AFTER_LONE_POINTER | _TIMES
            if noun_follows:
                return Reference(word.text, word.start, word.end, ReferenceKind.THING, following[0]), index + 1
    kind = None if pointer and not _stands_alone(words, index) else _PRONOUNS.get(word.low)
    if kind is None or _takes_up(words[:index]):
        return None, index + 1
    end = word.start + len(re.split(r"['’]", word.text)[0])
    return Reference(text[word.start : end], word.start, end, kind), index + 1


def _is_named(words: list[_Word], index: int) -> bool:
    """Return whether a noun before *index* is told by what follows: "the company behind it", "the company Tesla"."""
    return any(word.low in _NARROWING or word.text[0].isupper() for word in words[index : index + 1])


def _takes_up(before: list[_Word]) -> bool:
    """Return whether a pronoun takes up a name *before* it, or what it is joined to: "feijoada and its significance"."""
    return any(each.text[0].isupper() and each.start > 0 for each in before) or (len(before) > 1 and before[-1].low == "and")


def _stands_alone(words: list[_Word], index: int) -> bool:
    after = words[index + 1].low if index + 1 < len(words) else "?"
    return not after[0].isalnum() or index == 0 or (words[index].low != "that" and after in _AFTER_LONE_POINTER)
