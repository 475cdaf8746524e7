"""Of whom a Korean sentence says something, and what is done to whom: its subjects and objects, by their particles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search_core import korean

_NOUN_TAGS = frozenset({"NNG", "NNP", "NR", "XR", "SL", "SN", "XPN", "XSN", "SH"})
_VERBAL = ("VV", "VA")
_MADE_VERBAL = frozenset({"XSV", "XSA"})
_SUBJECT = frozenset({"JKS"})
_TOPIC = frozenset({"은", "는", "도"})
_OBJECT = frozenset({"JKO"})


Phrases = tuple[tuple[str, ...], ...]
"""Noun phrases, each the forms of its nouns in order; the last one is the head."""


class Arguments(NamedTuple):
    """Holds the subjects and the objects of a sentence, and what it says of them."""

    subjects: Phrases = ()
    objects: Phrases = ()
    predicates: tuple[str, ...] = ()
    """Stems of verbs and adjectives, and the nouns in front of -하다 and -되다, in order; empty where only 이다 is."""


def arguments_in(analysed: Sequence[korean.Morpheme]) -> Arguments:
    """Return the subjects (은, 는, 이, 가, 도), the objects (을, 를) and the predicates of a sentence."""
    subjects: list[tuple[str, ...]] = []
    objects: list[tuple[str, ...]] = []
    predicates: list[str] = []
    phrase: list[str] = []
    for morpheme in analysed:
        if morpheme.tag.startswith(_VERBAL):
            predicates.append(morpheme.form)
        elif morpheme.tag in _MADE_VERBAL and phrase:
            predicates.append(phrase[-1])
        if morpheme.tag in _NOUN_TAGS:
            phrase.append(morpheme.form.lower())
            continue
        if phrase and (morpheme.tag in _SUBJECT or (morpheme.tag == "JX" and morpheme.form in _TOPIC)):
            subjects.append(tuple(phrase))
        elif phrase and morpheme.tag in _OBJECT:
            objects.append(tuple(phrase))
        phrase = []
    return Arguments(tuple(subjects), tuple(objects), tuple(predicates))
