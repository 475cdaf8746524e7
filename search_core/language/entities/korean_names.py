"""Persons and organisations in Korean text, by Kiwi's morphemes, titles, surnames and endings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_core.language import word_lists
from search_core.language.entities.cues import (
    AFTER_NAME,
    COMMON_SURNAMES,
    EVENT_ENDINGS,
    LONG_SURNAMES,
    ORG_BEFORE,
    ORG_ENDINGS,
    SURNAMES,
    TITLES,
    WEAK_ORG_ENDINGS,
    is_place,
    looks_like_place,
)
from search_core.language.entities.gazetteer import Entity, EntityKind, fold_name, known_by_name, known_in
from search_core.language.korean import Morpheme, morphemes

_LISTS = word_lists("names.txt")

GIVEN_NAMES = _LISTS["given_names"]
"""Given names of the English, European and Japanese kinds."""

ALSO_WORDS = _LISTS["also_words"]
"""Given names that are also everyday words or syllables, and so count only before another name."""


_NAME_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XSN", "XR", "MM", "SN"})
_START_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XR", "MM"})
_HANGUL = re.compile(r"[가-힣]+")
_HANGUL_NAME = re.compile(r"[가-힣]+(?: [가-힣]+)*")
_TITLE_AFTER = re.compile(rf" ?(?:전 |현 |前 |[가-힣]{{1,4}}(?=[가-힣]))?(?:{'|'.join(TITLES)}){AFTER_NAME}")
_ANY_ENDING = (*EVENT_ENDINGS, *ORG_ENDINGS)
_OF_PLACE = ("에", "에서", "으로", "로")


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A run of noun morphemes without a gap: ``text == source[start:end]``."""

    text: str
    start: int
    end: int
    tokens: tuple[Morpheme, ...]

    @property
    def proper(self) -> bool:
        """Return whether it contains a proper noun, a Latin word or Chinese characters."""
        return any(token.tag in ("NNP", "SL", "SH") for token in self.tokens)


def korean_names(text: str) -> list[Entity]:
    """Return persons, organisations and events that can be recognised by the Korean morphemes of *text*."""
    if not _HANGUL.search(text):
        return []
    analysed = morphemes(text)
    stretches = list(_stretches(text, analysed))
    before_place = {morpheme.start for morpheme in analysed if morpheme.tag == "JKB" and morpheme.form in _OF_PLACE}
    places = {stretch.text for stretch in stretches if stretch.end in before_place}  # no person stands in "한탄강에는"
    entities: list[Entity] = []
    for index, stretch in enumerate(stretches):
        before = stretches[index - 1] if index and text[stretches[index - 1].end : stretch.start] == " " else None
        after = (
            stretches[index + 1] if index + 1 < len(stretches) and text[stretch.end : stretches[index + 1].start] == " " else None
        )
        entity = (
            _introduced_organisation(stretch, before)
            or full_foreign_name(text, stretch, after)
            or _organisation(stretch)
            or (None if stretch.text in places else _person(text, stretch))
        )
        if entity is not None:
            entities.append(entity)
    return entities


def _stretches(text: str, analysed: Sequence[Morpheme]) -> Iterator[TokenSpan]:
    index = 0
    while index < len(analysed):
        if analysed[index].tag not in _START_TAGS:
            index += 1
            continue
        end = index + 1
        while end < len(analysed) and analysed[end].tag in _NAME_TAGS and analysed[end].start == analysed[end - 1].end:
            end += 1
        start_at, end_at = analysed[index].start, analysed[end - 1].end
        yield TokenSpan(text[start_at:end_at], start_at, end_at, tuple(analysed[index:end]))
        index = end


def _organisation(stretch: TokenSpan) -> Entity | None:
    word = stretch.text
    if not word.endswith(_ANY_ENDING):  # most words, at a fraction of the loops' time
        return None
    for ending in EVENT_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1 and stretch.proper:
            return Entity(word, EntityKind.EVENT, stretch.start, stretch.end)
    for ending in ORG_ENDINGS:
        if not word.endswith(ending) or word == ending:
            continue
        if len(ending) == 1 and len(word) < (3 if ending == "대" else 4):
            continue
        if ending in WEAK_ORG_ENDINGS and not (stretch.proper and len(stretch.text) - len(ending) >= 2):
            return None  # a common noun, or nothing, stands before it
        return Entity(word, EntityKind.ORGANIZATION, stretch.start, stretch.end)
    return None


def _introduced_organisation(stretch: TokenSpan, before: TokenSpan | None) -> Entity | None:
    """Return *stretch* as an organisation if it follows a noun such as 기업 or 걸그룹 and may be a name."""
    if (
        before is None
        or before.text not in ORG_BEFORE
        or not (stretch.proper or stretch.tokens[0].unknown)
        or is_place(stretch.text)
    ):
        return None
    return Entity(stretch.text, EntityKind.ORGANIZATION, stretch.start, stretch.end)


def _person(text: str, stretch: TokenSpan) -> Entity | None:
    word, title_inside = _without_title(stretch)
    titled = title_inside or _TITLE_AFTER.match(text, stretch.end) is not None
    end = stretch.start + len(word)
    if not _HANGUL_NAME.fullmatch(word) or is_place(word):
        return None
    if titled and _may_be_titled(word, stretch):
        return Entity(word, EntityKind.PERSON, stretch.start, end)
    return Entity(word, EntityKind.PERSON, stretch.start, end) if _is_person(word, stretch, whole=not title_inside) else None


def _without_title(stretch: TokenSpan) -> tuple[str, bool]:
    word = stretch.text
    if (len(stretch.tokens) > 1 or len(word) > 3) and word.endswith(TITLES):
        for title in TITLES:
            if word.endswith(title) and len(word) > len(title):
                return word[: -len(title)], True
    return word, False


def _may_be_titled(word: str, stretch: TokenSpan) -> bool:
    first = stretch.tokens[0]
    if len(word) == 1:
        return word in COMMON_SURNAMES and first.tag == "NNP"
    if len(word) in (2, 3) and word[0] in SURNAMES and (first.tag == "NNP" or first.unknown):
        return True
    if len(word) in (2, 3) and word[0] in SURNAMES and len(stretch.tokens) > 1 and len(first.form) == 1 and first.tag != "MM":
        return True
    if len(word) > 3:
        return False
    return (first.tag == "NNP" or first.unknown) and len(stretch.tokens) <= 2 and not looks_like_place(word)


def _is_person(name: str, stretch: TokenSpan, *, whole: bool) -> bool:
    if is_place(name) or looks_like_place(name):
        return False
    first = stretch.tokens[0]
    proper = first.tag == "NNP" or first.unknown
    if len(name) == 3 and name[0] in SURNAMES and " " not in name:
        return proper
    if len(name) == 4 and name.startswith(LONG_SURNAMES):
        return True
    if " " in name:
        return first.tag == "NNP" and whole and name.split(" ")[0] in GIVEN_NAMES
    if name in GIVEN_NAMES and name not in ALSO_WORDS and len(stretch.tokens) == 1:
        return True
    guessed = first.unknown and first.tag == "NNP" and len(stretch.tokens) == 1
    return whole and guessed and len(name) >= 3 and not _holds_noun(name)


def _holds_noun(word: str) -> bool:
    """Return whether *word* by itself splits into several morphemes with a common noun among them ("발효종")."""
    parts = morphemes(word)
    return len(parts) > 1 and any(part.tag == "NNG" and len(part.form) > 1 and not part.unknown for part in parts)


def full_foreign_name(text: str, stretch: TokenSpan, after: TokenSpan | None) -> Entity | None:
    """Return a foreign name in Hangul ("수전 라이스") if it begins with a known first name or both words are likely names."""
    if after is None or not (_HANGUL_NAME.fullmatch(stretch.text) and _HANGUL_NAME.fullmatch(after.text)):
        return None
    first, last = stretch.text, after.text
    if is_place(first) or is_place(last) or len(last) > 6 or last in TITLES or first in TITLES:
        return None
    if _organisation(stretch) or (fold_name(first) in known_by_name() and first not in GIVEN_NAMES) or _organisation(after):
        return None
    if len(last) == 3 and last[0] in SURNAMES and first not in GIVEN_NAMES:
        return None
    if any(entity.kind is EntityKind.ORGANIZATION for entity in known_in(f"{first} {last}")):
        return None  # its particle was read as part of it: "폭스바겐도 노스볼트에"
    own = all(token.tag == "NNP" or token.unknown for token in (stretch.tokens[0], after.tokens[0]))
    single = len(after.tokens) == 1 or after.tokens[0].tag == "NNP"
    given = (
        first in GIVEN_NAMES
        and single
        and (after.tokens[0].tag == "NNP" or after.tokens[0].unknown or (len(last) >= 2 and first in GIVEN_NAMES))
    )
    unknown = own and len(stretch.tokens) == len(after.tokens) == 1 and len(first) >= 2 and first[0] not in SURNAMES
    if given or unknown:
        return Entity(text[stretch.start : after.end], EntityKind.PERSON, stretch.start, after.end)
    return None
