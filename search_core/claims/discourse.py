"""What was said before a sentence, and what its pointing words mean by that: "이 회사", "그는", "그해", "it", "the company".

Sentences are taken in as they come, each with what its own pointing words were taken for. A pointing word is put as a name only
where one candidate alone was named last; else it stays as it is. Nothing is put
that was not said and does not stand in the title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from search_core.claims import english_subjects
from search_core.claims.english_questions import asked_about, asks_on, is_question, people_in, topics_of
from search_core.claims.mentions import Mentions, names_in_title, names_person, read_mentions, small_words
from search_core.claims.person_pronouns import PersonPronouns
from search_core.claims.pointing import pointing_words, put_name, put_year
from search_core.claims.question_topics import QuestionTopics
from search_core.domain import Reference, ReferenceKind, VideoContext
from search_core.intent.korean_references import GENERIC_HEADS
from search_core.korean import has_hangul

_REACH = {ReferenceKind.PERSON: 3, ReferenceKind.ORGANIZATION: 5, ReferenceKind.THING: 3}
"""How many sentences back a pointing word of each kind may reach."""
_YEAR_REACH = 2
_IT = frozenset({"it", "its"})
_THEY = frozenset({"they", "their", "them"})


@dataclass(slots=True)
class Discourse:
    """The names and topics of a video so far, sentence by sentence."""

    video: VideoContext | None = None
    _said: list[Mentions] = field(default_factory=list)
    _pronouns: PersonPronouns = field(default_factory=PersonPronouns)
    _question_topics: QuestionTopics = field(init=False)
    _small: set[str] = field(default_factory=set)
    """English words written without a capital so far."""

    def __post_init__(self) -> None:
        self._question_topics = QuestionTopics(self._pronouns)

    def understand(self, sentence: str) -> str:
        """Return *sentence* with its pointing words put as what they mean, where that is sure, and take it in.

        In an English question they are also put as what they most likely mean; later statements do not rely on that.
        """
        named, meanings = self._name_all(sentence, lambda reference: self._meaning(reference, sentence))
        self._small.update(small_words(named))
        about = meanings[0] if meanings and is_question(named) else self._subject_of(named)
        said = read_mentions(named, about)
        self._said.append(said)
        del self._said[: -max(_REACH.values())]
        if has_hangul(sentence) or not is_question(named):
            self._question_topics.forget()
            self._pronouns.learn(sentence, said.people)
            return named
        question = named
        named, likely = self._name_all(question, lambda reference: self._question_topics.meant(reference, question))
        self._pronouns.learn(sentence, (*meanings, *likely))
        if not asks_on(named):
            put = (*meanings, *likely)
            self._question_topics.add(
                (*put, *topics_of(named)), (*(name for name in put if name in self._pronouns), *people_in(named))
            )
        return named

    def _name_all(self, sentence: str, meaning_of: Callable[[Reference], str]) -> tuple[str, list[str]]:
        found: list[tuple[Reference, str]] = []
        for reference in pointing_words(sentence):
            meaning = meaning_of(reference)
            if meaning and not _is_named(meaning, sentence) and meaning not in (other for _, other in found):
                found.append((reference, meaning))
        for reference, meaning in reversed(found):
            sentence = put_name(sentence, reference, meaning)
        year = next((said.year for said in self._back(_YEAR_REACH) if said.year is not None), None)
        return sentence if year is None else put_year(sentence, year), [meaning for _, meaning in found]

    def _meaning(self, reference: Reference, sentence: str) -> str:
        """Return the name that *reference* in *sentence* refers to, empty when none is sure."""
        if reference.kind is ReferenceKind.PERSON and not reference.head and names_person(sentence[: reference.start]):
            return ""
        if reference.kind in (ReferenceKind.PERSON, ReferenceKind.ORGANIZATION):
            return self._last_named(reference)
        return self._thing(reference) if reference.kind is ReferenceKind.THING else ""

    def _last_named(self, reference: Reference) -> str:
        for said in self._back(_REACH[reference.kind]):
            name, speaks_of_any = said.named(reference.kind)
            if speaks_of_any:
                return name if self._pronouns.allow(name, reference.text) else ""
        return self._of_video(reference)

    def _thing(self, reference: Reference) -> str:
        """Return the name of the book, the film or the telescope that is pointed at, or what the last sentence was about."""
        back = self._back(_REACH[ReferenceKind.THING])
        head = reference.head
        if not head or head in GENERIC_HEADS:
            return self._it(reference, back)
        for said in back:
            if name := said.thing(head):
                return name
            if has_hangul(head) and head not in said.text:
                return ""
        return ""

    def _it(self, reference: Reference, back: Sequence[Mentions]) -> str:
        """Return what "it" or "they" means: what the last sentence was about, if that is one or many."""
        low = reference.text.casefold()
        subject = back[0].subject if back and low in (*_IT, *_THEY) else ""
        return subject if subject and english_subjects.is_plural(subject) == (low in _THEY) else ""

    def _of_video(self, reference: Reference) -> str:
        """Return the one name of its kind that the video is about: the title's, else the only one there is."""
        if self.video is None or not reference.head:
            return ""
        known = self.video.organizations if reference.kind is ReferenceKind.ORGANIZATION else ()
        in_title = [name for name in known if name in self.video.title]
        others = names_in_title(self.video.title, reference.kind)
        return _only(in_title) or _only(others) or (_only(known) if not in_title and not others else "")

    def _subject_of(self, sentence: str) -> str | None:
        """Return what an English *sentence* is about; "the telescope" is the one that was named, or that the title names."""
        if has_hangul(sentence):
            return None
        if is_question(sentence):
            return self._last_subject if asks_on(sentence) else asked_about(sentence)
        head = english_subjects.plain_subject_of(sentence)
        if not head:
            name = english_subjects.subject_of(sentence)
            return name.lower() if name.lower() in self._small else name
        title = [self.video.title] if self.video is not None else []
        earlier = [said.text for said in reversed(self._said)]
        return next((name for text in (*earlier, *title) if (name := english_subjects.find_name(text, head))), "")

    @property
    def _last_subject(self) -> str:
        return self._said[-1].subject if self._said else ""

    def _back(self, reach: int) -> list[Mentions]:
        return list(reversed(self._said[-reach:]))


def _is_named(name: str, sentence: str) -> bool:
    """Return whether *sentence* says *name* by itself, or a part of it that is long enough to identify it."""
    if has_hangul(name):
        return name in sentence
    parts = [word for word in name.split() if word.istitle()] if name.istitle() else []
    return english_subjects.without_article(name).casefold() in sentence.casefold() or any(
        re.search(rf"\b{re.escape(part)}\b", sentence) for part in parts
    )


def _only(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""
