"""What of a sentence later ones may point at: who and what it names, what it is about, and which year it speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from search_core.claims import english_subjects, korean_subjects
from search_core.domain import ReferenceKind
from search_core.entities import EntityKind, find_entities
from search_core.korean import has_hangul
from search_core.stance.periods import periods_in

_KINDS = {ReferenceKind.PERSON: EntityKind.PERSON, ReferenceKind.ORGANIZATION: EntityKind.ORGANIZATION}


@dataclass(frozen=True, slots=True)
class Mentions:
    """One sentence as later ones see it."""

    text: str
    people: tuple[str, ...]
    organisations: tuple[str, ...]
    subject: str
    """The name that it is about, in English with its article; empty when it is about none."""
    company: str
    """A noun that it is about and that ends as companies do ("새벽물류"); empty when there is none."""
    year: int | None
    """The one year that it writes out."""

    def named(self, kind: ReferenceKind) -> tuple[str, bool]:
        """Return the name of that *kind* that a later word can mean, empty for none, and whether it speaks of any.

        One of several is meant only when the sentence begins with it.
        """
        names = self.people if kind is ReferenceKind.PERSON else self.organisations
        about = english_subjects.without_article(self.subject)
        if len(names) == 1 and (names[0] in about or not about or about in (*self.people, *self.organisations)):
            return names[0], True
        if names:
            first = next((name for name in names if name == about and self.text.removeprefix("The ").startswith(name)), "")
            return (first or (names[0] if len(names) == 1 and kind is ReferenceKind.PERSON else "")), True
        if kind is ReferenceKind.PERSON:
            whole = not has_hangul(about) and " " in about and all(word[0].isupper() for word in about.split())
            return (about, True) if whole and about == self.subject else ("", False)
        if not self.people:
            return self.subject or self.company, bool(self.subject or self.company)
        return "", False

    def thing(self, head: str) -> str:
        """Return the name of a thing of the kind *head* that it is about; empty when it is about none."""
        find_name = korean_subjects.find_name if has_hangul(head) else english_subjects.find_name
        if name := find_name(self.text, head):
            return name
        if self.subject.endswith(head) and english_subjects.without_article(self.subject) != head:
            return self.subject
        someone = english_subjects.without_article(self.subject) in (*self.people, *self.organisations)
        return "" if someone or head in self.text or head not in korean_subjects.NAMED_THINGS else self.subject


def read_mentions(sentence: str, subject: str | None = None) -> Mentions:
    """Return *sentence* as later ones see it; *subject* is what it is about where that is known otherwise."""
    korean = has_hangul(sentence)
    named: dict[EntityKind, dict[str, None]] = {}
    for entity in find_entities(sentence):
        named.setdefault(entity.kind, {})[entity.text] = None
    if subject is None:
        subject = korean_subjects.subject_of(sentence) if korean else english_subjects.subject_of(sentence)
    dated = [period for period in periods_in(sentence, None) if not sentence.startswith("대", period.end)]  # "2010년대"
    years = {period.year for period in dated if period.year is not None}
    return Mentions(
        text=sentence,
        people=_without_parts(tuple(named.get(EntityKind.PERSON, ()))),
        organisations=_without_parts(tuple(named.get(EntityKind.ORGANIZATION, ()))),
        subject=subject,
        company=korean_subjects.company_of(sentence) if korean else "",
        year=years.pop() if len(years) == 1 else None,
    )


def names_person(text: str) -> bool:
    """Return whether *text* names a person."""
    return any(entity.kind is EntityKind.PERSON for entity in find_entities(text))


def names_in_title(title: str, kind: ReferenceKind) -> tuple[str, ...]:
    """Return the names of that *kind* in the title of a video."""
    return _without_parts(tuple(dict.fromkeys(e.text for e in find_entities(title) if e.kind is _KINDS[kind])))


def small_words(sentence: str) -> list[str]:
    """Return the English words of *sentence* that are written without a capital."""
    return re.findall(r"\b[a-z]{3,}\b", sentence)


def _without_parts(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return *names* without those that are a part of another: "쿡" beside "팀 쿡"."""
    return tuple(name for name in names if not any(name != other and name in other for other in names))
