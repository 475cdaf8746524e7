"""What an English question asks about, so that the sentences after it can speak of it as "it"."""

from __future__ import annotations

import re
from dataclasses import replace

from search_core.claims.english_subjects import is_written_as_name, without_article
from search_core.claims.noun_phrases import NounPhrase, Place, noun_phrases

_LEAD = r"^\W*(?:(?:so|and|but|ok|okay|now|well|no|yes|please)[,\s]+)*"
_BE = r"(?:is|are|was|were)(?:n['’]t)?|has|have|had"
_DO = r"(?:do|does|did|can|could|will|would|should)(?:n['’]t)?"
_WH = r"what|who|where|when|why|how|which"
_TELL = re.compile(
    rf"{_LEAD}(?:(?:can|could|would) you\s)?(?:please\s)?"
    r"(?:i(?:['’]d like| want) to (?:know|hear|learn)(?: more)? about|i(?:['’]m| am) interested in"
    r"|tell(?: me)?(?: more)?(?: about)?|describe|explain|compare and contrast|define|what about|how about"
    r"|give me (?:an overview|(?:some )?(?:information|details|facts)) (?:of|on|about)|(?:name|list)(?: some)?"
    r"|i have an? questions? (?:about|on)|(?:let['’]s )?talk about)\b",
    re.IGNORECASE,
)
"""Asks about what follows, with a question mark or without."""
_ASK = re.compile(
    rf"{_LEAD}(?:(?:{_WH})['’]s\b|(?:what|who)\s(?:causes?|makes?)\b"
    rf"|(?:(?:{_WH})\b(?P<noun>[^?,]*?)\s)?(?:(?P<be>{_BE})|(?P<do>{_DO}))\b)",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"^\W*and\b(?=(?:\s[\w'’-]+){1,5}\?)", re.IGNORECASE)
""""And Saturn?"."""
_BARE = re.compile(
    rf"{_LEAD}(?:(?:what|which)\s\w+(?:\s(?!(?:in|to|of|on|at|for|with|from|by|the|an?)\b)(?-i:[a-z]+))?|(?:{_WH})\s\w+)\b",
    re.IGNORECASE,
)
"""Who or what does something to the thing behind: "Who invented …?", "What foods contain …?"."""
_YES_OR_WHY = re.compile(rf"{_LEAD}(?:why\s.*|{_BE})\Z", re.IGNORECASE)
"""Openings of questions that end with what is said of a thing: "Why is the sky blue?"."""
_LONGEST = 200
"""Letters of a plain question; what is longer and ends with a question mark says other things before."""
_END = re.compile(r"[?,;:]|\.(?:\s|$)|\band (?:why|how|what|its|his|her|their)\b|\bthan\b", re.IGNORECASE)
_JOINED = re.compile(r"\s(?:and|or|versus|vs)\s")


def is_question(sentence: str) -> bool:
    """Return whether *sentence* is a question, or an English invitation to explain something."""
    return _ends_asking(sentence) or _asks_to_tell(sentence) is not None


def asked_about(sentence: str) -> str:
    """Return the noun phrase that an English question asks about; empty when it is none or that is not plain."""
    return next((phrase.name for phrase in _foremost(_things_in(sentence))), "")


def topics_of(sentence: str) -> tuple[str, ...]:
    """Return the noun phrases of an English question that one may go on about, what it asks about first."""
    things = _things_in(sentence)
    others = [phrase for phrase in things if phrase.place is Place.BEHIND or phrase.words[0][0].isupper()]
    names = [phrase.name for phrase in (*_foremost(things), *others)]
    return tuple(dict.fromkeys((*names, *(part for name in names for part in _JOINED.split(name)))))


def people_in(sentence: str) -> tuple[str, ...]:
    """Return the possible names of people in an English question; a mayor does not bear the name of the town."""
    who = re.match(rf"{_LEAD}who\b", sentence, re.IGNORECASE) is not None
    names = [phrase.name for phrase in _things_in(sentence) if not (who and phrase.place is Place.BEHIND_OF)]
    parts = [part for name in names for part in (name, *_JOINED.split(name))]
    return tuple(dict.fromkeys(name for name in parts if is_written_as_name(name) and name == without_article(name)))


def asks_on(sentence: str) -> bool:
    """Return whether *sentence* asks for properties alone, of an earlier subject ("What are the types?")."""
    return _opening(sentence) is not None and not _things_in(sentence)


def _foremost(things: list[NounPhrase]) -> list[NounPhrase]:
    of = [phrase for phrase in things if phrase.place is Place.BEHIND_OF]
    return [*reversed(of), *(phrase for phrase in things if phrase.place is Place.FIRST)]


def _things_in(sentence: str) -> list[NounPhrase]:
    """Return what a question names besides properties, in order; the boat of "Which type of boat is it?" last."""
    found = _opening(sentence)
    if found is None:
        return []
    phrases = noun_phrases(_END.split(sentence[found.end() :], maxsplit=1)[0])
    if phrases and phrases[0].place is Place.FIRST:
        phrases[0] = _subject(phrases[0], found)
    kinds = [phrase for phrase in noun_phrases(found.groupdict().get("noun") or "") if phrase.place is Place.BEHIND_OF]
    return [phrase for phrase in (*phrases, *kinds) if phrase.is_thing]


def _subject(phrase: NounPhrase, opening: re.Match[str]) -> NounPhrase:
    """Return *phrase*, behind an *opening*, without the verb or the adjective that an inverted question may end it with."""
    if opening.re is _BARE:
        return replace(phrase, place=Place.BEHIND)
    groups = opening.groupdict()
    ends_with_verb = groups.get("do") and not phrase.is_cut_off
    ends_with_adjective = groups.get("be") and not phrase.after and _YES_OR_WHY.match(opening[0])
    return phrase.without_last_word() if ends_with_verb or ends_with_adjective else phrase


def _opening(sentence: str) -> re.Match[str] | None:
    if len(sentence) > _LONGEST:
        return None
    if not _ends_asking(sentence):
        return _asks_to_tell(sentence)
    return next((found for rule in (_TELL, _ASK, _FRAGMENT, _BARE) if (found := rule.match(sentence))), None)


def _ends_asking(sentence: str) -> bool:
    return sentence.rstrip().endswith("?")


def _asks_to_tell(sentence: str) -> re.Match[str] | None:
    """Return how *sentence* asks without a question mark; what begins small is the rest of another sentence."""
    return _TELL.match(sentence) if sentence[:1].isupper() else None
