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
_OPENING = r"(?:(?:And|But|So|Then|Now|Also|Well|Today|However|Meanwhile|In fact|In (?:\w+ )?\d{4}|Finally),?\s+){0,4}"
_SUBJECT = re.compile(rf"^{_OPENING}(?P<the>[Tt]he\s+)?(?P<name>{_NAME})(?:'s|’s)?(?=,?\s+(?:\w+ly\s+)?{_FINITE}\b)")
_PLAIN = re.compile(rf"^{_OPENING}(?:[Tt]he|[Tt]his|[Tt]hat)\s([a-z]+)(?=,?\s(?:\w+ly\s)?{_FINITE}\b)")
_SEVERAL = re.compile(r"\s(?:and|versus|vs)\s")
_IRREGULAR = dict(
    pair.split(":")
    for pair in words(
        """
        child:children person:people man:men woman:women foot:feet tooth:teeth mouse:mice goose:geese wolf:wolves leaf:leaves
        knife:knives life:lives fish:fish sheep:sheep deer:deer species:species
        """
    )
)
_NOT_NAMES = words(
    """
    he she it they we you i this that these those there here who what when where why how if as at in on for to from by with about
    some many most all both each every no not one two three another other such my our your his her its their and but so yes now
    then today yesterday tomorrow everything everyone something nothing people nobody everybody hey oh ah alright well while
    because since though although unless until once before after whether let sometimes maybe perhaps actually remember couldn
    wouldn shouldn didn don doesn won can isn wasn
    """
)
"""Words that begin sentences with a capital and are no names."""


def subject_of(sentence: str) -> str:
    """Return the name that *sentence* begins with as its subject, with its article; empty when it begins with none."""
    found = _SUBJECT.match(sentence.strip())
    if found is None:
        return ""
    name = found["name"]
    while name and re.split(r"[\s'’-]", name.casefold())[0] in _NOT_NAMES:
        name = name.partition(" ")[2]
    if not name:
        return ""
    if found["the"] is None and " " not in name and name[1:].islower() and name.endswith("s"):
        return ""  # a plural that only begins the sentence
    return f"the {name}" if found["the"] else name


def plain_subject_of(sentence: str) -> str:
    """Return the noun of a subject that names nothing by itself ("telescope" of "The telescope is …"); empty otherwise."""
    found = _PLAIN.match(sentence.strip())
    return "" if found is None else found[1].casefold()


def find_name(sentence: str, head: str) -> str:
    """Return the name in *sentence* that ends in *head* ("the Space Telescope"); empty when there is none."""
    found = re.search(rf"\b(?P<name>(?:[A-Z][\w'’.-]*\s){{1,5}}{re.escape(head.capitalize())})\b(?! [A-Z])", sentence)
    return "" if found is None else f"the {re.sub(r'^(?:The|A|An) ', '', found['name'])}"


def without_article(name: str) -> str:
    """Return *name* without "the", "a" or "an" before it."""
    return re.sub(r"^(?:the|an?)\s", "", name, flags=re.IGNORECASE)


def is_written_as_name(name: str) -> bool:
    """Return whether each word of *name* begins with a capital, but for its article."""
    return all(word[0].isupper() for word in without_article(name).split())


def names_several(name: str) -> bool:
    """Return whether *name* joins several: "salt and pepper"."""
    return _SEVERAL.search(name) is not None


def is_plural(name: str) -> bool:
    """Return whether *name* is spoken of as "they"."""
    last = name.rsplit(" ", 1)[-1]
    one = last.endswith(("ss", "us", "is", "’s", "'s")) or last[0].isupper()
    return names_several(name) or (last.endswith("s") and not one)


def plural_of(name: str) -> str:
    """Return the many of what is named as one of its kind: "savings plans" of "a savings plan"."""
    one = without_article(name)
    *before, last = one.split(" ")
    if last in _IRREGULAR:
        return " ".join((*before, _IRREGULAR[last]))
    if re.search(r"[^aeiou]y$", one):
        return f"{one[:-1]}ies"
    return f"{one}es" if one.endswith(("s", "x", "z", "ch", "sh")) else f"{one}s"
