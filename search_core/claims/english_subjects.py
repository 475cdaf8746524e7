"""Which name an English sentence is about, and what it calls a thing by ("the James Webb Space Telescope")."""

from __future__ import annotations

import re

from search_core.korean.wordlist import words

_FINITE = (
    r"(?:is|are|was|were|has|have|had|did|does|do|will|would|can|could|may|might|must|should|came|went|took|made|gave|got|became"
    r"|began|fell|rose|grew|lost|won|cut|paid|sent|brought|built|found|led|ran|kept|left|held|said|told|runs|sold|bought|"
    r"[a-z]{2,}(?:ed|es|s))"
)
_NAME = r"(?:[A-Z][\w'’.&-]*|\d+[A-Z]\w*)(?:\s(?:(?:of|for|and|de|van|von|the)\s)?(?:[A-Z][\w'’.&-]*|\d[\w.-]*))*"
_OPENING = r"(?:(?:And|But|So|Then|Now|Also|Well|Today|However|Meanwhile|In fact|In (?:\w+ )?\d{4}|Finally),?\s+)*"
_SUBJECT = re.compile(rf"^{_OPENING}(?P<the>[Tt]he\s+)?(?P<name>{_NAME})(?:'s|’s)?(?=,?\s+(?:\w+ly\s+)?{_FINITE}\b)")
_PLAIN = re.compile(rf"^{_OPENING}(?:[Tt]he|[Tt]his|[Tt]hat)\s([a-z]+)(?=,?\s(?:\w+ly\s)?{_FINITE}\b)")
_NOT_NAMES = words(
    """
    he she it they we you i this that these those there here who what when where why how if as at in on for to from by with about
    some many most all both each every no not one two three another other such my our your his her its their and but so yes now
    then today yesterday tomorrow everything everyone something nothing people
    """
)
"""Words that begin sentences with a capital and name nobody."""


def subject_of(sentence: str) -> str:
    """Return the name that *sentence* begins with as its subject, with its article; empty when it begins with none."""
    found = _SUBJECT.match(sentence.strip())
    if found is None or found["name"].casefold() in _NOT_NAMES:
        return ""
    name = found["name"]
    first, _, rest = name.partition(" ")
    if first.casefold() in _NOT_NAMES:
        name = rest
    if found["the"] is None and " " not in name and name[1:].islower() and name.endswith("s"):
        return ""  # a plural that only begins the sentence
    return f"the {name}" if found["the"] else name


def plain_subject_of(sentence: str) -> str:
    """Return the noun of a subject that names nothing by itself ("telescope" of "The telescope is …"); empty otherwise."""
    found = _PLAIN.match(sentence.strip())
    return "" if found is None else found[1].casefold()


def called(sentence: str, head: str) -> str:
    """Return the name in *sentence* that ends in *head* ("the Space Telescope"); empty when there is none."""
    found = re.search(rf"\b(?P<name>(?:[A-Z][\w'’.-]*\s){{1,5}}{re.escape(head.capitalize())})\b(?! [A-Z])", sentence)
    return "" if found is None else f"the {re.sub(r'^(?:The|A|An) ', '', found['name'])}"
