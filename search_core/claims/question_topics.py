"""What English questions were about, one after another, and which of it a pointing word of the next one most likely means.

A question goes on about what the question before it was foremost about (Grosz, Joshi and Weinstein 1995, "Centering"); "they",
"he" and "she" say enough to reach further back. Statements are read more strictly (``discourse.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from search_core.claims.english_subjects import is_plural, is_written_as_name, names_several, plural_of, without_article
from search_core.claims.person_pronouns import PERSON_PRONOUNS, PersonPronouns
from search_core.domain import Reference
from search_core.korean.wordlist import words

_REACH = 6
"""How many questions back one may reach; those that ask on about the same are not counted."""
_REACH_OF_IT = 2
_IT = words("it its this that")
_THEY = words("they their them these those")
_ONE_OF_A_KIND = ("a ", "an ")


@dataclass(slots=True)
class QuestionTopics:
    """The topics of the questions since the last statement."""

    pronouns: PersonPronouns
    _topics: list[tuple[str, ...]] = field(default_factory=list)
    _people: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, topics: Iterable[str], people: Iterable[str]) -> None:
        """Add the topics of a question, its main one first, and the people it named."""
        self._topics = [*self._topics, tuple(dict.fromkeys(topics))][-_REACH:]
        self._people = [*self._people, tuple(dict.fromkeys(people))][-_REACH:]

    def forget(self) -> None:
        """Take in that something else than a question was said."""
        self._topics.clear()
        self._people.clear()

    def meant(self, reference: Reference, question: str) -> str:
        """Return what *reference* in *question* most likely means; empty when nothing that was spoken of fits."""
        folded = question.casefold()
        fitting = () if reference.head else self._fitting(reference.text.casefold())
        return next((name for name in fitting if without_article(name).casefold() not in folded), "")

    def _fitting(self, low: str) -> Iterator[str]:
        """Yield what the pointing word *low* can mean, the likeliest first."""
        if low in _IT:
            yield from self._one_thing()
        elif low in _THEY:
            yield from self._several()
        elif low in PERSON_PRONOUNS:
            yield from (name for people in reversed(self._people) for name in people if self.pronouns.allow(name, low))

    def _one_thing(self) -> Iterator[str]:
        """Yield what the last questions were foremost about: one thing rather than many."""
        near = takewhile(bool, self._topics[: -_REACH_OF_IT - 1 : -1])
        foremost = [topics[0] for topics in near if topics[0] not in self.pronouns and not names_several(topics[0])]
        yield from [name for name in foremost if not is_plural(name)] or foremost

    def _several(self) -> Iterator[str]:
        """Yield plural topics, the nearest first; one named just before as one of its kind counts for all of them."""
        for name in (name for topics in reversed(self._topics) for name in topics):
            if is_plural(name) or (is_written_as_name(name) and name.endswith("s")):
                yield name
            elif name in self._topics[-1][:1] and name.startswith(_ONE_OF_A_KIND) and not is_written_as_name(name):
                yield plural_of(name)
