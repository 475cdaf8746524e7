"""A sentence that says two things, as two."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search_core.entities import find_entities
from search_core.korean import Morpheme, has_hangul, morphemes
from search_core.korean.morphemes import kiwi
from search_core.stance.claim import amounts_in

_JOINTS = frozenset({"고", "며", "으며", "지만", "는데", "은데", "ᆫ데"})
"""Endings between two statements of equal rank; "-아서" and "-면" make one hang on the other."""
_STEMS = ("VV", "VA", "XSV", "XSA", "VCP", "VCN")
_SUBJECT = frozenset({"은", "는", "이", "가"})
_SUBJECT_TAGS = ("JKS", "JX")
_ENGLISH_JOINT = re.compile(r"(?:,|;)\s+(?:and|but|while|whereas)\s+|;\s+", re.IGNORECASE)
_ENGLISH_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|did|does|do|will|can|said|went|came|took|made|gave|got|became|began|fell|rose|grew|lost"
    r"|won|cut|paid|sent|brought|built|found|led|ran|kept|left|held|spent|\w{3,}ed|\w{2,}s)\b",
    re.IGNORECASE,
)
_ENGLISH_SUBJECT = re.compile(
    r"(?:(?:he|she|it|they|we|there|this|that|these|those)\b|(?:the|a|an|its|his|her|their|our)\s+[\w-]+|[A-Z][\w'’-]+"
    r"|[\w-]+\s+(?:is|are|was|were|has|had)\b)"
)
_FIRST_NOUN = 4
_LEAST_CHARS = {True: 9, False: 16}


def split_statement(sentence: str) -> tuple[str, ...]:
    """Return the statements of *sentence*, each with the subject and the time it shares; the sentence itself where it says one.

    Only where each of them has something to look up: a number, a time or a name of its own.
    """
    parts = _korean_parts(sentence) if has_hangul(sentence) else _english_parts(sentence)
    return tuple(parts) if len(parts) > 1 and all(map(_can_be_looked_up, parts)) else (sentence,)


def _can_be_looked_up(part: str) -> bool:
    amounts = amounts_in(part, None)
    return bool(amounts.figures or amounts.periods or amounts.codes or find_entities(part))


def _english_parts(sentence: str) -> list[str]:
    """Return the halves of *sentence* around a joint behind which a subject and a verb follow."""
    for joint in _ENGLISH_JOINT.finditer(sentence):
        before, after = sentence[: joint.start()], sentence[joint.end() :]
        subject = _ENGLISH_SUBJECT.match(after)
        if subject is None or min(len(before), len(after)) < _LEAST_CHARS[False]:
            continue
        if _ENGLISH_VERB.search(after, subject.end() - 1) and _ENGLISH_VERB.search(before):
            return [before.rstrip() + ".", after[0].upper() + after[1:]]
    return [sentence]


def _korean_parts(sentence: str) -> list[str]:
    analysed = morphemes(sentence)
    for index in range(2, len(analysed) - 2):
        here, before = analysed[index], analysed[index - 1]
        if here.tag != "EC" or here.form not in _JOINTS or not (before.tag == "EP" or before.tag.startswith(_STEMS)):
            continue
        if analysed[index + 1].tag in ("VX", "VX-R", "VX-I") or analysed[index + 1].form in ("하", "말"):
            continue  # "두고 있다", "끝나고 말았다"
        end = analysed[index + 1].end if analysed[index + 1].tag == "SP" else here.end
        first, second = sentence[: here.end], sentence[end:].strip()
        if min(len(first), len(second)) < _LEAST_CHARS[True] or not _has_subject(analysed[:index]):
            continue
        if _is_whole(analysed[index + 1 :], second):
            return [_close(sentence, analysed, index), _with_shared(sentence, analysed, index, second)]
    return [sentence]


def _is_whole(analysed: Sequence[Morpheme], second: str) -> bool:
    """Return whether what follows a joint is a statement of its own: it points at nothing before it and lacks no object."""
    first = next((each for each in analysed if each.tag != "SP"), None)
    if first is None or first.tag == "NP" or not any(each.tag == "EF" for each in analysed):
        return False
    amounts = amounts_in(second, None)
    return bool(amounts.figures or amounts.periods or any(each.tag == "JKO" for each in analysed))


def _has_subject(analysed: Sequence[Morpheme]) -> bool:
    return any(_is_subject(analysed, index) for index in range(1, len(analysed)))


def _is_subject(analysed: Sequence[Morpheme], index: int) -> bool:
    """Return whether a particle of a subject or topic follows a noun at *index*; "2020년에는" is none."""
    here, before = analysed[index], analysed[index - 1]
    return (
        here.tag in _SUBJECT_TAGS and here.form in _SUBJECT and not before.tag.startswith("J") and before.form not in ("때", "년")
    )


def _close(sentence: str, analysed: Sequence[Morpheme], joint: int) -> str:
    """Return the words up to the ending at *joint* as a sentence that ends there ("개발했고" → "개발했다.")."""
    word = sentence.rfind(" ", 0, analysed[joint].start) + 1
    start = next(place for place, each in enumerate(analysed) if each.start >= word)
    stem = analysed[joint - 1]
    if stem.tag == "EP" or stem.tag in ("VA", "XSA", "VCN", "VCP") or stem.form == "있":
        ending = "다"
    else:
        ending = "ᆫ다" if (ord(stem.form[-1]) - 0xAC00) % 28 in (0, 8) else "는다"
    closed: str = kiwi().join([*((m.form, m.tag.split("-")[0]) for m in analysed[start:joint]), (ending, "EF")])
    return f"{sentence[: analysed[start].start]}{closed}."


def _with_shared(sentence: str, analysed: Sequence[Morpheme], joint: int, second: str) -> str:
    """Return *second* with the subject of the first statement where it has none, or with its time where both count something."""
    behind = range(joint + 1, len(analysed))
    if not any(_is_subject(analysed, index) or _adds(analysed, joint, index) for index in behind):
        subject = next(index for index in range(1, joint) if _is_subject(analysed, index))
        return f"{sentence[: analysed[subject].end]} {second}"
    amounts = amounts_in(second, None)
    times = amounts_in(sentence[: analysed[joint].start], None).periods
    if not times or times[0].start or amounts.periods or not amounts.figures:
        return second
    return f"{sentence[: sentence.index(' ', times[0].end)]} {second}"


def _adds(analysed: Sequence[Morpheme], joint: int, index: int) -> bool:
    """Return whether *index* closes the first noun behind *joint* as another subject of which the same is true ("삼성전자도")."""
    return analysed[index].tag == "JX" and analysed[index].form == "도" and index - joint <= _FIRST_NOUN
