"""The noun phrases of an English question, found by the words between them: no tagger of English ships with the app."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto

from search_core.korean.function_words import ENGLISH_ATTRIBUTE_WORDS
from search_core.korean.wordlist import words

_WORD = re.compile(r"[A-Za-z0-9](?:[\w&-]|\.(?=\w))*(?:['’]\w+)?['’]?")
_OF = words("of about between")
_ARTICLES = words("a an the")
_BEFORE_THING = _OF | words("for from in with after before against without behind towards beyond via my our your")
_BEFORE_VERB = words("i you we they he she it people someone to")
"""These precede a verb, and the verb a thing: "How do you make cheese?"."""
_PREDICATES = words(
    """
    bad good safe effective important different difficult available found made used work works help helps happen happened
    happening start started come differ compare be been being become have has had do does did done doing cost look looks known
    called caused related evolve treat learn sleep save change create formed developed invented discovered located get go going
    live eat die worth
    """
)
"""Verbs and adjectives that end what a question asks about."""
_LINKS = words(
    """
    on at to by into during when while if whether because since so that this these those which who what why where how than as is
    are was were also not even still just only ever very too really you i we me us it they he she them him someone somebody people
    one ones there here like such around out up down off away back
    """
)
_STOPS = _BEFORE_THING | _ARTICLES | _PREDICATES | _LINKS
_LIGHT = words(
    """
    some any all its his her their and or versus vs other first second best most more common main types type kind kinds origins
    origin benefits benefit history role examples difference differences similarities relationship terms
    """
)
"""Words that open a noun phrase and say nothing of what it names."""
_NAME_WITH_OF = re.compile(r"\b([A-Z][a-z]\w*) of ([A-Z])")
"""A name such as "Battle of Hastings", which is taken as one word."""
_LONGEST = 5
_PARTICIPLE = re.compile(r"[a-z]{3,}(?:ed|ly)")
"""A verb or an adverb rather than a part of a name, behind one."""
_OWNER = re.compile(r"(?P<owner>.+?)['’]s? (?P<owned>.+)")


class Place(Enum):
    """The position of a noun phrase in a text."""

    FIRST = auto()
    BEHIND_OF = auto()
    BEHIND = auto()
    """Behind another word that a thing follows: a preposition, an article, the verb of "you"."""
    ELSEWHERE = auto()


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A run of words that can be a thing."""

    words: tuple[str, ...]
    article: str
    place: Place
    after: str = ""
    """The word that ends it; empty at the end of a text."""

    @property
    def name(self) -> str:
        """What it names; of "Ada Lovelace's father" and "the moon's origin" the owner alone."""
        name = re.sub(r"\s(?:and|or|versus|vs)$", "", " ".join(self.words)).replace("_of_", " of ")
        found = _OWNER.fullmatch(name)
        if found is not None and (name[0].isupper() or words(found["owned"].casefold()) <= ENGLISH_ATTRIBUTE_WORDS):
            name = found["owner"]
        return f"{self.article} {name}".strip()

    @property
    def is_thing(self) -> bool:
        """Whether it is more than a property, a number or a manner, and short enough to name something."""
        if len(self.words) > _LONGEST or all(word.isdecimal() for word in self.words):
            return False
        return any(
            word.casefold() not in ENGLISH_ATTRIBUTE_WORDS | _LIGHT and not _PARTICIPLE.fullmatch(word) for word in self.words
        )

    @property
    def is_cut_off(self) -> bool:
        """Whether a verb or an adjective known as such ends it."""
        return self.after in _PREDICATES

    def without_last_word(self) -> NounPhrase:
        """Return it without its last word, unless that is all there is."""
        return replace(self, words=self.words[:-1] or self.words)


def noun_phrases(text: str) -> list[NounPhrase]:
    """Return the runs of words of *text* that are not interrupted by words that belong to no name."""
    found: list[NounPhrase] = []
    run = NounPhrase((), "", Place.FIRST)
    before = ""
    for word in _WORD.findall(_NAME_WITH_OF.sub(r"\1_of_\2", text)):
        low = re.split(r"['’]", word.casefold())[0]
        acts = before in _BEFORE_VERB and word.islower() and low not in _STOPS - _PREDICATES
        if acts or low in _STOPS or (run.words and _PARTICIPLE.fullmatch(word)):
            found.append(replace(run, after=low))
            place = Place.BEHIND if acts else _place_behind(low, Place.ELSEWHERE if run.words else run.place)
            run = NounPhrase((), "", place)
        elif run.words:
            run = replace(run, words=(*run.words, word))
        elif low not in _LIGHT:
            run = replace(run, words=(word,), article=before if before in _ARTICLES else "")
        before = low
    return [phrase for phrase in (*found, run) if phrase.words]


def _place_behind(word: str, before: Place) -> Place:
    if word in _OF:
        return Place.BEHIND_OF
    if word in _ARTICLES and before is not Place.ELSEWHERE:
        return before
    return Place.BEHIND if word in _BEFORE_THING | _ARTICLES else Place.ELSEWHERE
