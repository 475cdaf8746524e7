"""The content of a question: its nouns and names as written, without particles, endings and the formulas of asking."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from search_core.korean.function_words import (
    ASKING_NOUNS,
    ATTRIBUTE_NOUNS,
    ENGLISH_ATTRIBUTE_WORDS,
    ENGLISH_FUNCTION_WORDS,
    FILLER_NOUNS,
    KEPT_DETERMINERS,
    LIGHT_PREDICATES,
)
from search_core.korean.morphemes import Morpheme, has_hangul, morphemes

_ATTACHED = frozenset({"전", "신", "구", "총", "본", "현", "한", "양"})
"""Determiners that make a new word when written together with the noun ("전고체")."""
_NOUN_START = frozenset({"NNG", "NNP", "SL", "SH", "SN", "XPN", "XR", "UN", "SW"})
_NOUN_INSIDE = _NOUN_START | {"NR", "XSN"}
_SIGNS = frozenset({"SO", "SW", "SP", "SS", "SY"})
_JOINERS = frozenset("-.&/+#_'’·@:%")
_LATIN_WORD = re.compile(r"[^\W_](?:[\w.&+#/'’·:%-]*[\w+#%])?")
_LETTERS = re.compile(r"[^\W_]+")
_GLUED = frozenset({"NNG", "NNP", "XPN"})
_POWERS = ("제곱", "세제곱")
"""Between a number and its unit: "483제곱킬로미터"."""
_OUR_COUNTRY = re.compile(r"(?<![가-힣])우리나라")
_SPACED = re.compile(r"(?<!\S)[가-힣]+(?=[\s?.!,]|$)")
_WORDLIKE = re.compile(r"[^\W_]")
_TRAILING_SUFFIXES = frozenset({"들", "님", "씨", "째"})
_ENDS = frozenset({"SF", "SE", "SP"})
_WRITTEN = re.compile(r"\w+")


class ContentTerm(NamedTuple):
    """One content word of a text: ``text`` stands at ``source[start:end]`` unless it is a predicate in dictionary form."""

    text: str
    start: int
    end: int
    predicate: bool
    attribute: bool
    """True when the word names a property and leaves open of what ("매출", "types")."""


def content_terms(text: str) -> tuple[ContentTerm, ...]:
    """Return the content words of *text* in order, doubles kept.

    Noun morphemes written together stay one term ("대역폭", "HBM4"); plural and honorific suffixes, question words, pronouns and
    the formulas of asking are left out; verbs and adjectives that carry meaning come in dictionary form.
    """
    if not has_hangul(text):
        return _latin_terms(text)
    analysed = _with_known_words(text, morphemes(text))
    found: list[ContentTerm] = []
    index = 0
    while index < len(analysed):
        index = _take(text, analysed, index, found)
    return tuple(_with_uncovered(text, analysed, found))


def word_as_written(text: str, term: ContentTerm) -> str:
    """Return *term* of *text* as it is written there: a verb or an adjective with its ending."""
    written = _WRITTEN.match(text, term.start) if term.predicate else None
    return written[0] if written else term.text


def is_attribute(word: str) -> bool:
    """Tell whether *word* names a property and leaves open of what."""
    folded = word.casefold()
    return folded in ATTRIBUTE_NOUNS or folded in ENGLISH_ATTRIBUTE_WORDS


def _with_known_words(text: str, analysed: Sequence[Morpheme]) -> Sequence[Morpheme]:
    """Return *analysed* with misread words as one noun.

    A spaced word that is a known property is one ("주가" is no "주" with a particle), and "우리나라" always; so is one read as a
    noun with a verb stuck to it, for Korean puts a particle or a space between ("소버린" is no "소" that is thrown away).
    """
    spans = {m.start(): m.end() for m in _SPACED.finditer(text) if m.group() in ATTRIBUTE_NOUNS}
    spans |= {m.start(): m.end() for m in _OUR_COUNTRY.finditer(text)}
    for before, here in pairwise(analysed):
        glued = here.start == before.end and before.tag in _GLUED and here.tag.startswith(("VV", "VA"))
        if glued and here.form not in LIGHT_PREDICATES:
            start, end = _spaced_word(text, here.start)
            spans[start] = max(here.end, _without_particles(analysed, end))
    if not spans:
        return analysed
    kept = [m for m in analysed if not any(start <= m.start < end for start, end in spans.items())]
    whole = [Morpheme(text[start:end], "NNG", start, end) for start, end in spans.items()]
    return sorted([*kept, *whole], key=lambda m: m.start)


def _spaced_word(text: str, position: int) -> tuple[int, int]:
    start = text.rfind(" ", 0, position) + 1
    end = re.compile(r"[\s?.!,]|$").search(text, position)
    return start, end.start() if end else len(text)


def _without_particles(analysed: Sequence[Morpheme], end: int) -> int:
    """Return where the spaced word that ends at *end* ends without its particles."""
    for m in reversed([m for m in analysed if m.end <= end]):
        if not m.tag.startswith("J"):
            return m.end
    return end


def _latin_terms(text: str) -> tuple[ContentTerm, ...]:
    terms = []
    for match in _LATIN_WORD.finditer(text):
        word = re.sub(r"['’]s?$", "", match.group())
        bare = re.split(r"['’]", word)[0]
        if word and bare.casefold() not in ENGLISH_FUNCTION_WORDS:
            terms.append(ContentTerm(word, match.start(), match.start() + len(word), False, is_attribute(word)))
    return tuple(terms)


def _take(text: str, analysed: Sequence[Morpheme], index: int, found: list[ContentTerm]) -> int:
    """Add the term that starts at *index*, if any, and return where to go on."""
    first = analysed[index]
    if _starts_noun(analysed, index):
        end = _run_end(text, analysed, index)
        term = _noun_term(text, analysed, index, end)
        if term:
            found.append(term)
        return end
    if first.tag == "MM" and first.form in KEPT_DETERMINERS:
        found.append(ContentTerm(first.form, first.start, first.end, False, True))
    elif first.tag.startswith(("VV", "VA")) and first.form not in LIGHT_PREDICATES:
        found.append(ContentTerm(first.form + "다", first.start, first.end, True, False))
    return index + 1


def _starts_noun(analysed: Sequence[Morpheme], index: int) -> bool:
    first = analysed[index]
    if first.tag == "MM":
        touching = index + 1 < len(analysed) and analysed[index + 1].start == first.end
        return first.form in _ATTACHED and touching and analysed[index + 1].tag in ("NNG", "NNP")
    return first.tag.startswith("W_") or (first.tag in _NOUN_START and _WORDLIKE.search(first.form) is not None)


def _run_end(text: str, analysed: Sequence[Morpheme], index: int) -> int:
    end = index + 1
    while end < len(analysed):
        here, before = analysed[end], analysed[end - 1]
        if here.start != before.end:
            break
        if (
            (here.tag in _NOUN_INSIDE and here.tag not in _SIGNS)
            or (here.tag == "NNB" and (before.tag in ("SN", "NR") or before.form in _POWERS))
            or (here.tag in _SIGNS and set(here.form) <= _JOINERS and _joins(text, analysed, end))
        ):
            end += 1
        else:
            break
    return end


def _joins(text: str, analysed: Sequence[Morpheme], index: int) -> bool:
    """Tell whether a sign belongs to the word around it: inside one ("GPT-4o") or closing it ("C++", "5%")."""
    sign = analysed[index]
    if sign.form[-1] in "+#%":
        return True
    return sign.end < len(text) and _WORDLIKE.match(text[sign.end]) is not None


def _noun_term(text: str, analysed: Sequence[Morpheme], start: int, end: int) -> ContentTerm | None:
    last = end
    while last > start + 1 and analysed[last - 1].tag == "XSN" and analysed[last - 1].form in _TRAILING_SUFFIXES:
        last -= 1
    word = text[analysed[start].start : analysed[last - 1].end]
    if word in FILLER_NOUNS or (word in ASKING_NOUNS and _asks(analysed, end)):
        return None
    return ContentTerm(word, analysed[start].start, analysed[last - 1].end, False, is_attribute(word))


def _asks(analysed: Sequence[Morpheme], end: int) -> bool:
    """Tell whether the noun before *end* only asks: a light verb follows, or nothing more but signs and particles."""
    if end < len(analysed) and analysed[end].tag in ("XSV", "XSA", "VX"):
        return True
    rest = [m for m in analysed[end:] if m.tag not in _ENDS]
    return not rest or (rest[0].tag.startswith("J") and (len(rest) == 1 or rest[1].tag in ("VV", "XSV", "VA")))


def _with_uncovered(text: str, analysed: Sequence[Morpheme], found: Sequence[ContentTerm]) -> list[ContentTerm]:
    """Return *found* with the words of other scripts that the analyser passed over."""
    covered = {position for m in analysed for position in range(m.start, m.end)}
    missing = [
        ContentTerm(match.group(), match.start(), match.end(), False, False)
        for match in _LETTERS.finditer(text)
        if match.start() not in covered and not has_hangul(match.group())
    ]
    return sorted([*found, *missing], key=lambda term: term.start)
