"""Checks what a language model says of a video against its passages, sentence by sentence.

A figure that no passage contains was made up, and its sentence is dropped. Any other must be near what it measures, or its
sentence is marked. A sentence that a passage supports gets the moment at which it is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from search_core.answers.asked_values import AskedKind
from search_core.answers.draft import mark
from search_core.answers.reading import AskedQuestion
from search_core.answers.support import (
    TELLING,
    Nearness,
    Place,
    SourceText,
    Support,
    amounts_missing,
    best_place,
    judge_support,
    near_rows,
    undress,
)
from search_core.domain.video import TranscriptPassage
from search_core.language import korean
from search_core.language.dates import CLOCK, clock_seconds
from search_core.language.sentences import sentence_spans, visible
from search_core.language.statements.containment import holds_figure
from search_core.language.statements.figures import Figure
from search_core.language.statements.proposition import amounts_in
from search_core.language.statements.units import COUNTS, unit_sizes
from search_core.language.words import words_of

UNCONFIRMED = "(자막에서 확인 안 됨)"
_MARK = re.compile(rf"(?<!\s)\s*\[({CLOCK})\]")
_LATE_MARK = re.compile(rf"(?<![.!?。…])([.!?。…]+)((?:\s*\[{CLOCK}\])+)")
_CUT_MARK = re.compile(r"(?<!\s)\s*\[[\d:]*$")
_ANY_AMOUNT = frozenset(dimension for dimension, _ in unit_sizes().values()) - COUNTS
_NUMBERED_NAME = re.compile(r"(?<![A-Za-z])[A-Za-z]++-?\d+[A-Za-z]*")
_LEAST_COPIED_CHARS, _COPIED_CHARS = 10, 40
"""Letters in the same order as in a passage that make a copy: a whole sentence of at least 10, or any 40 of a longer one."""
_LABEL_WORDS = 1
"""Words before a repeated question that are ignored, as in "질문: …"."""
_TELLING_WORDS = 3
"""Least words of a sentence that says something itself; a shorter one only introduces others."""


class HeldAnswer(NamedTuple):
    """What is shown of a model's answer: without made-up figures, with moments and marks."""

    text: str
    moments: tuple[float, ...]
    """The moments it cites, in seconds from the start of the video, in order, without duplicates."""
    borne_out: bool
    """Whether a passage supports one of its sentences that does not just repeat the question."""


def _rewrite(text: str, change: Callable[[str], str | None]) -> str:
    """Return *text* with *change* applied to each sentence; sentences for which it returns None are dropped."""
    kept, end = "", 0
    for start, stop in sentence_spans(text):
        written = change(text[start:stop])
        kept += text[end:start].rstrip(" ") if written is None else text[end:start] + written
        end = stop
    return (kept + text[end:]).strip()


def drop_invented(text: str, given: str) -> str:
    """Return *text* without sentences whose numbers or times *given* lacks."""
    return _rewrite(text, lambda sentence: None if amounts_missing(_words(sentence), given, least=TELLING) else sentence)


def hold_to_passages(
    text: str,
    question: str,
    passages: Sequence[TranscriptPassage],
    facts: str,
    nearness: Nearness | None = None,
    *,
    answered: bool = True,
) -> HeldAnswer:
    """Return the presentable part of *text*, a model's answer to *question*; *facts* were given besides *passages*.

    *nearness* compares sentences with passages in another language. *answered* tells whether a passage answers the question; if
    none does, a copied passage does not count as an answer.
    """
    read = [_Passage(passage) for passage in passages]
    given = "\n".join((question, facts, *(each.text for each in passages)))
    text = drop_invented(_LATE_MARK.sub(r"\2\1", _CUT_MARK.sub("", visible(text))), given)
    asked, wanted = _forms(question), AskedQuestion(question)
    moments, borne_out = dict[float, None](), False

    def hold(sentence: str) -> str | None:
        nonlocal borne_out
        words = _words(sentence)
        cited = [float(clock_seconds(moment) or 0) for moment in _MARK.findall(sentence)]
        said, amounts = _forms(words), amounts_in(words, None).figures
        figures = [figure for figure in amounts if figure.dimension not in COUNTS or figure.low >= TELLING]
        asks = words.endswith("?")
        if asks and len(said - asked) <= _LABEL_WORDS and not figures:
            return None
        place = _bearing(words, asked, figures, read, cited, nearness) if said or figures else None
        if place is not None and (place.sure or cited or figures):
            answers = not asks and (answered or (_gives(wanted, words) and not any(each.says(words) for each in read)))
            borne_out = borne_out or (answers and bool((said - asked) & place.words or figures))
            sentence = sentence if cited else _insert(sentence, f" {mark(place.moment)}")
            cited = cited or [place.moment]
        elif figures or (place is None and not cited and len(said) >= _TELLING_WORDS):
            sentence = _insert(sentence, f" {UNCONFIRMED}")
        moments.update(dict.fromkeys(cited))
        return sentence

    return HeldAnswer(_rewrite(text, hold), tuple(moments), borne_out)


class _Bearing(NamedTuple):
    """The passage that supports a sentence."""

    moment: float
    words: frozenset[str]
    """All words of the passage; those of the sentence itself if the passage is in another language."""
    sure: bool
    """Whether it supports the whole sentence; if not, a sentence without moment or figure is neither marked nor an answer."""


class _Passage:
    """A passage prepared for lookups."""

    def __init__(self, passage: TranscriptPassage) -> None:
        self.passage = passage
        self.source = SourceText("", " ".join(segment.text for segment in passage.segments) or passage.text, None)

    def holds(self, moment: float) -> bool:
        return int(self.passage.start_s) <= moment <= self.passage.end_s

    def says(self, words: str) -> bool:
        """Return whether the passage contains *words* verbatim, or a part of them long enough to be copied."""
        letters, whole = (
            "".join(filter(str.isalnum, text)) for text in (korean.normalize(words), "".join(self.source.sentences))
        )
        most = max(_LEAST_COPIED_CHARS, min(len(letters), _COPIED_CHARS))
        return any(letters[start : start + most] in whole for start in range(len(letters) - most + 1))

    def moment(self, place: Place) -> float:
        """Return the second at which the best sentence of *place* is said."""
        sentence = "".join(self.source.sentences[place.best].split())
        for segment in self.passage.segments:
            spoken = "".join(korean.normalize(segment.text).split())
            if spoken and (spoken in sentence or sentence in spoken):
                return float(int(segment.start_s))
        return float(int(self.passage.start_s))

    def measures(self, figure: Figure, words: frozenset[str], names: Sequence[str]) -> bool:
        """Return whether a sentence has *figure*, one of *words* and, if it has numbered names ("HBM4"), one of *names*.

        A neighbouring sentence counts if it has no figure of its own.
        """
        source = self.source
        for number, amounts in enumerate(source.amounts):
            if not holds_figure(figure, (*amounts.figures, *amounts.spelt)):
                continue
            beside = range(max(0, number - 1), min(number + 2, len(source.sentences)))
            around = [place for place in beside if place == number or not source.amounts[place].figures]
            if not words & frozenset[str]().union(*(source.words[place] for place in around)):
                continue
            there = _names(" ".join(source.sentences[place] for place in around))
            if not (names and there) or set(names) & set(there):
                return True
        return False


def _bearing(
    words: str,
    asked: frozenset[str],
    figures: Sequence[Figure],
    passages: Sequence[_Passage],
    cited: Sequence[float],
    nearness: Nearness | None,
) -> _Bearing | None:
    """Return where the passages support the sentence *words*, preferably at a moment it cites; None if nowhere."""
    without = words
    for figure in sorted(figures, key=lambda each: -each.start):
        without = f"{without[: figure.start]} {without[figure.end :]}"
    beside, forms, names = _forms(without) or asked, _forms(words), _names(words)
    bearings: list[_Bearing] = []
    for each in sorted(passages, key=lambda passage: not any(map(passage.holds, cited))):
        own = korean.has_hangul(each.passage.text) == korean.has_hangul(words)
        near = None if own or nearness is None else near_rows(each.source, [words], nearness).get(words)
        place = best_place(each.source, words, near)
        support = judge_support(words, [place])
        if support is Support.UNSUPPORTED or (own and not all(each.measures(figure, beside, names) for figure in figures)):
            continue
        there = frozenset[str]().union(*(each.source.words if own else [forms] if len(forms) >= _TELLING_WORDS else []))
        bearings.append(_Bearing(each.moment(place), there, support is Support.SUPPORTED or not own))
        if bearings[-1].sure:
            break
    return max(bearings, key=lambda each: each.sure, default=None)


def _gives(asked: AskedQuestion, words: str) -> bool:
    """Return whether *words* have a number with a measure that fits *asked*; True if it asks for no number.

    A number without a unit ("494예요"), or one that is not read as a figure ("마흔두 살"), may have any measure.
    """
    if asked.kind is not AskedKind.NUMBER:
        return True
    given = {value.figure.dimension for value in asked.values_in(words) if value.figure is not None}
    if not given:
        return any(morpheme.tag in ("NR", "SN") for morpheme in korean.morphemes(words))
    return bool(given & ((asked.dimensions or _ANY_AMOUNT) | {"plain"}))


def _words(sentence: str) -> str:
    return undress(_MARK.sub("", sentence))


def _forms(text: str) -> frozenset[str]:
    [words] = words_of([text])
    return frozenset(word.form for word in words)


def _names(text: str) -> list[str]:
    return [name.casefold() for name in _NUMBERED_NAME.findall(text)]


def _insert(sentence: str, addition: str) -> str:
    """Return *sentence* with *addition* before its final punctuation."""
    body = sentence.rstrip()
    cut = len(body.rstrip(".!?。…"))
    return f"{body[:cut]}{addition}{body[cut:]}{sentence[len(body) :]}"
