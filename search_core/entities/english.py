"""Names in Latin letters: runs of capitalised words, judged by the words in and around them."""

from __future__ import annotations

import re

from search_core.entities.cues import (
    ENGLISH_GIVEN,
    ENGLISH_ORG_WORDS,
    ENGLISH_STOP,
    ENGLISH_TITLES,
    HEADS,
    KOREAN_SURNAMES_IN_LATIN,
)
from search_core.entities.gazetteer import Entity, EntityKind

_WORD = (
    r"(?:[A-Z][a-z]+[A-Z][A-Za-z]*|(?:Mr|Mrs|Ms|Dr|Prof|Jr|Sr|Inc|Corp|Ltd|Co|[A-Z])\."
    r"|[A-Z][a-zà-ÿ]*(?:['’][A-Z][a-z]+)?(?:-[A-Za-z][a-z]+)*|[A-Z]{2,}[0-9]*)"
)
_OF = "|".join(
    f"(?<={word} )of " for word in ("University", "Ministry", "Department", "Bank", "Institute", "Bureau", "Academy", "School")
)
_RUN = re.compile(
    rf"(?<![A-Za-z0-9@#/_.-]){_WORD}(?:[ \u00a0](?:{_OF}|de |van |von |da |di |bin |& )?{_WORD}){{0,6}}(?![A-Za-z0-9])"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n\"“‘(]\s{0,2}|[-–—•]\s)$")
_HEAD_ASKED_FOR = re.compile(rf"\s(?:{HEADS})(?:은|는|이|가)?\s?(?:누구|누가|\?)")
_TITLE_CHARS = 16
_KOREAN_TITLE = re.compile(r"\s?(?:대표|회장|사장|교수|박사|씨|감독|의원|대통령|CEO|선수|최고경영자)")


def english_names(text: str) -> list[Entity]:
    """Return the names among the capitalised runs of *text*."""
    found = []
    for match in _RUN.finditer(text):
        entity = _judge(text, match.start(), match.end())
        if entity is not None:
            found.append(entity)
    return found


def _judge(text: str, start: int, end: int) -> Entity | None:
    run = text[start:end]
    words = run.split()
    titled = False
    while words and (words[0] in ENGLISH_STOP or words[0] in ENGLISH_TITLES):
        titled = titled or words[0] in ENGLISH_TITLES
        start += len(words[0]) + 1
        words = words[1:]
        start += _small_words(words)
        words = words[_count_small(words) :]
    while words and (words[-1] in ENGLISH_STOP or (words[-1] in ENGLISH_TITLES and words[-1] != "Co.")):
        titled = titled or words[-1] in ENGLISH_TITLES
        words = words[:-1]
    if not words:
        return None
    name = text[start:end]
    name = name[: _end_of(name, words)].rstrip(".’'") if words[-1] not in ENGLISH_ORG_WORDS else name[: _end_of(name, words)]
    if name.endswith(("'s", "’s")):
        name = name[:-2]
    kind = _kind(text, start, name, words, titled=titled)
    return Entity(name, kind, start, start + len(name)) if kind is not None and name else None


def _kind(text: str, start: int, name: str, words: list[str], *, titled: bool) -> EntityKind | None:
    if (any(word in ENGLISH_ORG_WORDS for word in words[-1:]) and len(words) > 1) or words[0] in (
        "University",
        "Ministry",
        "Department",
        "Bank",
    ):
        return EntityKind.ORGANIZATION
    after = text[start + len(name) : start + len(name) + _TITLE_CHARS]
    if len(words) > 1 and words[0] not in ENGLISH_GIVEN and _HEAD_ASKED_FOR.match(after):
        return EntityKind.ORGANIZATION
    if titled or _KOREAN_TITLE.match(after) or (words[0] in ENGLISH_GIVEN and 2 <= len(words) <= 4):
        return EntityKind.PERSON
    if (
        2 <= len(words) <= 3
        and (words[0] in KOREAN_SURNAMES_IN_LATIN or words[-1] in KOREAN_SURNAMES_IN_LATIN)
        and not name.isupper()
    ):
        return EntityKind.PERSON
    if len(words) == 1 and _SENTENCE_START.search(text[:start][-3:]) and not any(c.isupper() for c in name[1:]):
        return None
    if len(words) == 1 and len(name) < 2:
        return None
    return EntityKind.OTHER


def _count_small(words: list[str]) -> int:
    count = 0
    while count < len(words) and words[count] in ("of", "and", "for", "the", "de", "van", "von", "da", "di", "al", "bin", "&"):
        count += 1
    return count


def _small_words(words: list[str]) -> int:
    return sum(len(word) + 1 for word in words[: _count_small(words)])


def _end_of(name: str, words: list[str]) -> int:
    """Return where the last of *words* ends in *name*."""
    position = 0
    for word in words:
        position = name.index(word, position) + len(word)
    return position
