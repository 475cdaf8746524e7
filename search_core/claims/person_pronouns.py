"""Learns from English sentences which of the people they name is a he and which a she."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from search_core.korean.wordlist import words

PERSON_PRONOUNS = {**dict.fromkeys(words("he him his"), "he"), **dict.fromkeys(words("she her hers"), "she")}
_TITLES = {**dict.fromkeys(words("mr sir lord"), "he"), **dict.fromkeys(words("mrs ms miss madam lady"), "she")}
_TITLED = re.compile(rf"\b(?i:({'|'.join(_TITLES)}))\b\.?\s([A-Z][\w-]+(?:\s[A-Z][\w-]+)*)")


@dataclass(slots=True)
class PersonPronouns:
    """How often each person was a he and a she."""

    _counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def __contains__(self, name: str) -> bool:
        return name in self._counts

    def learn(self, sentence: str, people: Sequence[str]) -> None:
        """Count "Mr." and "Ms." before a name, and the pronouns of a *sentence* that names or means one of *people* alone."""
        for title, name in _TITLED.findall(sentence):
            self._counts[name][_TITLES[title.casefold()]] += 1
        pronouns = {PERSON_PRONOUNS[word] for word in re.findall(r"\w+", sentence.casefold()) if word in PERSON_PRONOUNS}
        if len(people) == 1 and len(pronouns) == 1:
            self._counts[people[0]].update(pronouns)

    def allow(self, name: str, pronoun: str) -> bool:
        """Return whether *pronoun* can mean *name*, judged by the pronouns and titles of that person so far."""
        wanted = PERSON_PRONOUNS.get(pronoun.casefold())
        known = self._counts.get(name) or self._counts.get(name.rsplit(" ", 1)[-1]) or Counter[str]()
        return wanted is None or 2 * known[wanted] >= known.total()
