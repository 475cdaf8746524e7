"""Persons and organisations in Korean text, by Kiwi's morphemes, titles, surnames and endings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from search_core.entities.cues import (
    COMMON_SURNAMES,
    EVENT_ENDINGS,
    HEADS,
    LONG_SURNAMES,
    ORG_BEFORE,
    ORG_ENDINGS,
    SURNAMES,
    TITLES,
    TITLES_BEFORE,
    WEAK_ORG_ENDINGS,
)
from search_core.entities.gazetteer import fold_name, known_by_name
from search_core.entities.kinds import Entity, EntityKind
from search_core.entities.places import is_place, looks_like_place
from search_core.entities.renderings import ALSO_WORDS, GIVEN_NAMES
from search_core.entities.tails import AFTER_NAME, TAIL_SET
from search_core.korean import Morpheme, morphemes

_NAME_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XSN", "XR", "MM", "SN"})
_START_TAGS = frozenset({"NNP", "NNG", "SL", "SH", "XPN", "XR", "MM"})
_HANGUL = re.compile(r"[가-힣]+")
_HANGUL_NAME = re.compile(r"[가-힣]+(?: [가-힣]+)*")
_TITLES_LONGEST_FIRST = tuple(sorted(TITLES, key=len, reverse=True))
_ENDINGS_LONGEST_FIRST = tuple(sorted(ORG_ENDINGS, key=len, reverse=True))
_TITLE_AFTER = re.compile(rf" ?(?:전 |현 |前 |[가-힣]{{1,4}}(?=[가-힣]))?(?:{'|'.join(_TITLES_LONGEST_FIRST)}){AFTER_NAME}")
_HEAD_ASKED_FOR = re.compile(rf" (?:{HEADS})(?:(?:은|는|이|가)? ?(?:누구|누가|\?)|(?:은|는)$)")
_HEAD_NAMED = re.compile(rf" (?:{HEADS})(?:은|는|인)? ([가-힣]{{3}}){AFTER_NAME}")
_EVENT_ENDINGS = tuple(sorted(EVENT_ENDINGS, key=len, reverse=True))
_ANY_ENDING = (*_EVENT_ENDINGS, *_ENDINGS_LONGEST_FIRST)
_GLUED = ("에게", "이가", "이는", "이의", "이랑", "이도", *"의가이은는을를도와과랑로만야")


@dataclass(frozen=True, slots=True)
class TokenSpan:
    """A run of noun morphemes without a gap: ``text == source[start:end]``."""

    text: str
    start: int
    end: int
    tokens: tuple[Morpheme, ...]

    @property
    def proper(self) -> bool:
        """Return whether a proper noun, a Latin word or Chinese characters take part."""
        return any(token.tag in ("NNP", "SL", "SH") for token in self.tokens)


def korean_names(text: str) -> list[Entity]:
    """Return the persons, organisations and events that Korean morphemes of *text* give away."""
    if not _HANGUL.search(text):
        return []
    stretches = list(_stretches(text, morphemes(text)))
    found: list[Entity] = []
    for index, stretch in enumerate(stretches):
        before = stretches[index - 1] if index and _is_one_space_apart(text, stretches[index - 1], stretch) else None
        after = (
            stretches[index + 1]
            if index + 1 < len(stretches) and _is_one_space_apart(text, stretch, stretches[index + 1])
            else None
        )
        entity = (
            _introduced_organisation(stretch, before)
            or _headed_organisation(text, stretch, before)
            or full_foreign_name(text, stretch, after)
            or _organisation(stretch)
            or _person(text, stretch, before)
        )
        if entity is not None:
            found.append(entity)
    return found


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


def _is_one_space_apart(text: str, left: TokenSpan, right: TokenSpan) -> bool:
    return text[left.end : right.start] == " "


def _organisation(stretch: TokenSpan) -> Entity | None:
    word = stretch.text
    if not word.endswith(_ANY_ENDING):  # most words, at a fraction of the loops' time
        return None
    for ending in _EVENT_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1 and stretch.proper:
            return Entity(word, EntityKind.EVENT, stretch.start, stretch.end)
    for ending in _ENDINGS_LONGEST_FIRST:
        if not word.endswith(ending) or word == ending:
            continue
        if len(ending) == 1 and len(word) < (3 if ending == "대" else 4):
            continue
        if ending in WEAK_ORG_ENDINGS and not _names_something(stretch, ending):
            return None
        return Entity(word, EntityKind.ORGANIZATION, stretch.start, stretch.end)
    return None


def _introduced_organisation(stretch: TokenSpan, before: TokenSpan | None) -> Entity | None:
    """Return the name after a noun such as 기업 or 걸그룹."""
    if (
        before is None
        or before.text not in ORG_BEFORE
        or not (stretch.proper or stretch.tokens[0].unknown)
        or is_place(stretch.text)
    ):
        return None
    return Entity(stretch.text, EntityKind.ORGANIZATION, stretch.start, stretch.end)


def _headed_organisation(text: str, stretch: TokenSpan, before: TokenSpan | None) -> Entity | None:
    """Return an unknown name before the office of its head whose holder is asked for or named ("리벨칩 대표 최민준")."""
    word, first = stretch.text, stretch.tokens[0]
    if before is not None and full_foreign_name(text, before, stretch) is not None:
        return None
    if len(word) < 2 or not (first.tag == "NNP" or first.unknown) or word in GIVEN_NAMES or is_place(word):
        return None
    holder = _HEAD_NAMED.match(text, stretch.end)
    named = holder is not None and holder[1][0] in SURNAMES
    if (len(word) in (2, 3) and word[0] in SURNAMES) or not (named or _HEAD_ASKED_FOR.match(text, stretch.end)):
        return None  # a Korean name before "대표" is a person's
    return Entity(word, EntityKind.ORGANIZATION, stretch.start, stretch.end)


def _names_something(stretch: TokenSpan, ending: str) -> bool:
    """Return whether what stands before a weak *ending* is a name, not a common noun."""
    head = stretch.text[: -len(ending)]
    return stretch.proper and len(head) >= 2


def _person(text: str, stretch: TokenSpan, before: TokenSpan | None) -> Entity | None:
    word, title_inside = _without_title(stretch)
    titled = title_inside or _TITLE_AFTER.match(text, stretch.end) is not None
    end = stretch.start + len(word)
    if not _HANGUL_NAME.fullmatch(word) or is_place(word):
        return None
    if titled and _may_be_titled(word, stretch):
        return Entity(word, EntityKind.PERSON, stretch.start, end)
    introduced = before is not None and before.text in TITLES_BEFORE
    if not title_inside and not _end_of_word(text, stretch.end):
        return None
    if stretch.tokens[0].unknown and not title_inside and len(stretch.tokens) == 1:
        word = text[stretch.start : _end_of_word(text, stretch.end)]
    for name in (word, *_strip_particles(word, stretch)):
        if _is_person(name, stretch, introduced=introduced, whole=not title_inside):
            return Entity(name, EntityKind.PERSON, stretch.start, stretch.start + len(name))
    return None


def _without_title(stretch: TokenSpan) -> tuple[str, bool]:
    word = stretch.text
    if len(stretch.tokens) > 1 or len(word) > 3:
        for title in _TITLES_LONGEST_FIRST:
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
    return (first.tag == "NNP" or first.unknown) and len(stretch.tokens) <= 2 and not looks_like_place(word)


def _strip_particles(word: str, stretch: TokenSpan) -> Iterator[str]:
    """Yield *word* without the particle that the analyser took for a part of an unknown name."""
    if len(stretch.tokens) == 1 and stretch.tokens[0].unknown:
        for particle in _GLUED:
            if word.endswith(particle) and len(word) - len(particle) in (3, 4):
                yield word[: -len(particle)]


def _is_person(name: str, stretch: TokenSpan, *, introduced: bool, whole: bool) -> bool:
    if is_place(name) or looks_like_place(name):
        return False
    first = stretch.tokens[0]
    proper = first.tag == "NNP" or first.unknown
    if len(name) == 3 and name[0] in SURNAMES and " " not in name:
        return proper or (introduced and len(first.form) == 1)
    if len(name) == 4 and name.startswith(LONG_SURNAMES):
        return True
    if " " in name:
        return first.tag == "NNP" and whole and name.split(" ")[0] in GIVEN_NAMES
    if name in GIVEN_NAMES and name not in ALSO_WORDS and len(stretch.tokens) == 1:
        return True
    return (
        whole
        and proper
        and len(stretch.tokens) == 1
        and (introduced or (first.unknown and first.tag == "NNP" and len(name) >= 3))
    )


def full_foreign_name(text: str, stretch: TokenSpan, after: TokenSpan | None) -> Entity | None:
    """Return a rendered foreign name of two words ("수전 라이스"): a known given name first, or two unknown proper nouns."""
    if after is None or not (_HANGUL_NAME.fullmatch(stretch.text) and _HANGUL_NAME.fullmatch(after.text)):
        return None
    first, last = stretch.text, after.text
    if is_place(first) or is_place(last) or len(last) > 6 or last in TITLES or last in TITLES_BEFORE or first in TITLES_BEFORE:
        return None
    if _organisation(stretch) or (fold_name(first) in known_by_name() and first not in GIVEN_NAMES) or _organisation(after):
        return None
    if len(last) == 3 and last[0] in SURNAMES and first not in GIVEN_NAMES:
        return None
    own = all(token.tag == "NNP" or token.unknown for token in (stretch.tokens[0], after.tokens[0]))
    single = len(after.tokens) == 1 or after.tokens[0].tag == "NNP"
    given = (
        first in GIVEN_NAMES
        and single
        and (after.tokens[0].tag == "NNP" or after.tokens[0].unknown or (len(last) >= 2 and first in GIVEN_NAMES))
    )
    unknown = own and len(stretch.tokens) == len(after.tokens) == 1 and len(first) >= 2 and first[0] not in SURNAMES
    if given or unknown:
        end = _end_of_word(text, after.end)
        return Entity(text[stretch.start : end], EntityKind.PERSON, stretch.start, end) if end else None
    return None


def _end_of_word(text: str, end: int) -> int:
    """Return *end*, or one further where the analyser cut the last syllable off a name; 0 when neither leaves a particle."""
    rest = _HANGUL.match(text, end)
    if rest is None or rest.group() in TAIL_SET or _TITLE_AFTER.match(text, end):
        return end
    return end + 1 if rest.group()[1:] in TAIL_SET else 0
