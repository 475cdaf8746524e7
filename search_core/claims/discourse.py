"""What was said before a sentence, and what its pointing words mean by that: "이 회사", "그는", "it", "the company".

Sentences are taken in as they come, each with what its own pointing words were taken for. A pointing word is put as a name only
where one candidate alone was named last; else it stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from search_core.claims import english_subjects, korean_subjects
from search_core.domain import Reference, ReferenceKind, VideoContext
from search_core.entities import EntityKind, find_entities
from search_core.intent.english_references import english_references
from search_core.intent.korean_references import korean_references
from search_core.intent.reference_heads import GENERIC_HEADS
from search_core.korean import has_hangul, morphemes
from search_core.korean.particles import join_particle

_KINDS = {ReferenceKind.PERSON: EntityKind.PERSON, ReferenceKind.ORGANIZATION: EntityKind.ORGANIZATION}
_REACH = {ReferenceKind.PERSON: 3, ReferenceKind.ORGANIZATION: 5, ReferenceKind.THING: 3}
"""How many sentences back a pointing word of each kind may reach."""
_PRONOUNS = frozenset({"그", "그녀", "he", "she", "his", "her", "him"})
_POSSESSIVES = frozenset({"his", "her", "its", "their"})
_NOT_POSSESSIVE = re.compile(
    r"\s*(?:$|[.,;!?]|(?:to|in|on|at|for|with|and|or|by|as|from|that|when|into|about|a|the|was|is)\b)", re.IGNORECASE
)
_SMALL = re.compile(r"\b[a-z]{3,}\b")


@dataclass(frozen=True, slots=True)
class _Said:
    """What of one sentence later ones may point at."""

    text: str
    named: dict[EntityKind, tuple[str, ...]]
    subject: str
    """The name that it is about; empty when it has none."""


@dataclass(slots=True)
class Discourse:
    """What is said in a video up to a place."""

    video: VideoContext | None = None
    _said: list[_Said] = field(default_factory=list)
    _small: set[str] = field(default_factory=set)
    """Words written without a capital so far."""
    _most: int = max(_REACH.values())

    def understand(self, sentence: str) -> str:
        """Return *sentence* with its pointing words put as the names that they mean, where that is sure, and take it in."""
        named = self._name_all(sentence)
        self.take_in(named)
        return named

    def take_in(self, sentence: str) -> None:
        """Note what *sentence* names."""
        named: dict[EntityKind, list[str]] = {}
        for entity in find_entities(sentence):
            named.setdefault(entity.kind, []).append(entity.text)
        kinds = {kind: tuple(dict.fromkeys(names)) for kind, names in named.items()}
        self._said.append(_Said(sentence, kinds, self._subject_of(sentence)))
        self._small.update(_SMALL.findall(sentence))
        del self._said[: -self._most]

    def _name_all(self, sentence: str) -> str:
        korean = has_hangul(sentence)
        references = korean_references(sentence, morphemes(sentence)) if korean else english_references(sentence)
        named = sentence
        used: set[str] = set()
        replaced: list[tuple[Reference, str]] = []
        for reference in references:
            meaning = self._meaning(reference, sentence)
            if meaning and meaning not in used:
                used.add(meaning)
                replaced.append((reference, meaning))
        for reference, meaning in reversed(replaced):
            put = _put_korean if korean else _put_english
            named = put(named, reference, meaning)
        return named

    def _meaning(self, reference: Reference, sentence: str) -> str:
        """Return the name that *reference* stands for, empty when nothing is sure."""
        if reference.kind in _KINDS:
            found = self._last_named(reference)
        elif reference.kind is ReferenceKind.THING:
            found = self._thing(reference)
        else:
            found = ""
        return "" if found and found in sentence else found

    def _last_named(self, reference: Reference) -> str:
        kind = _KINDS[reference.kind]
        for said in self._back(reference.kind):
            names = _without_parts(said.named.get(kind, ()))
            if len(names) == 1:
                return names[0]
            if names:
                return next((name for name in names if name == said.subject.removeprefix("the ")), "")
            if said.subject and reference.kind is ReferenceKind.ORGANIZATION and not said.named.get(EntityKind.PERSON):
                return said.subject
        return self._of_video(reference)

    def _thing(self, reference: Reference) -> str:
        """Return the name of the book, the film or the telescope that is pointed at, or what the last sentence was about."""
        head, back = reference.head, self._back(ReferenceKind.THING)
        if not back:
            return ""
        if not head or head in GENERIC_HEADS:
            return back[0].subject if reference.text.casefold() in {"it", "its"} else ""
        for said in back:
            if name := _called(said.text, head):
                return name
        if head not in korean_subjects.NAMED_THINGS or head in back[0].text:
            return ""
        others = {name for kind in _KINDS.values() for name in back[0].named.get(kind, ())}
        return "" if back[0].subject.removeprefix("the ") in others else back[0].subject

    def _subject_of(self, sentence: str) -> str:
        """Return the name that *sentence* is about; "the telescope" is the one that was named, or that the title names."""
        if has_hangul(sentence):
            return korean_subjects.subject_of(sentence)
        head = english_subjects.plain_subject_of(sentence)
        if not head:
            return self._as_elsewhere(english_subjects.subject_of(sentence))
        earlier = [said.text for said in reversed(self._said)]
        title = [self.video.title] if self.video is not None else []
        return next((name for text in (*earlier, *title) if (name := english_subjects.called(text, head))), "")

    def _as_elsewhere(self, name: str) -> str:
        """Return a word that only begins a sentence with a capital as it is written inside sentences."""
        return name.lower() if name.lower() in self._small else name

    def _of_video(self, reference: Reference) -> str:
        """Return the one name of its kind that the video is about: the title's, else the only one there is."""
        video = self.video
        if video is None:
            return ""
        if reference.kind is ReferenceKind.PERSON and reference.text.casefold() in _PRONOUNS:
            return ""
        known = video.organizations if reference.kind is ReferenceKind.ORGANIZATION else ()
        in_title = [name for name in known if name in video.title]
        title = tuple(e.text for e in find_entities(video.title) if e.kind is _KINDS[reference.kind])
        return _only(in_title) or _only(_without_parts(title)) or (_only(known) if not in_title and not title else "")

    def _back(self, kind: ReferenceKind) -> list[_Said]:
        return list(reversed(self._said[-_REACH[kind] :]))


def _called(sentence: str, head: str) -> str:
    called = korean_subjects.called if has_hangul(head) else english_subjects.called
    return called(sentence, head)


def _only(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ""


def _without_parts(names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* without those that are a part of another: "쿡" beside "팀 쿡"."""
    return tuple(name for name in names if not any(name != other and name in other for other in names))


def _put_korean(sentence: str, reference: Reference, meaning: str) -> str:
    start, end = reference.start, reference.end
    behind = sentence[end:].lstrip()
    if reference.head and behind.startswith(reference.head):
        end = sentence.index(reference.head, end)
        if reference.kind is not ReferenceKind.THING and not meaning.endswith(reference.head):
            return f"{sentence[:start]}{meaning} {sentence[end:]}"
        end += len(reference.head)
    word, rest = join_particle(meaning, sentence[end:])
    return f"{sentence[:start]}{word}{rest}"


def _put_english(sentence: str, reference: Reference, meaning: str) -> str:
    low = reference.text.casefold()
    behind = sentence[reference.end :]
    possessive = low in _POSSESSIVES and not (low == "her" and _NOT_POSSESSIVE.match(behind))
    if reference.head and reference.text.casefold() in {"this", "that", "these", "those", "the"}:
        behind = behind.lstrip()[len(reference.head) :]
    named = f"{meaning}{'’' if meaning.endswith('s') else '’s'}" if possessive else meaning
    if behind.startswith(("'m", "’m")):
        return sentence
    whole = f"{sentence[: reference.start]}{named}{behind}"
    return whole[0].upper() + whole[1:]
