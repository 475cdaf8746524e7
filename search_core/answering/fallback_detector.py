"""Whether an answer of a language model, English or Korean, says that the model could not answer.

A cue alone decides nothing. It counts when it opens the answer (after regret and formulas) or closes a short one, when no answer
follows it, when the words are the model's own and no quotation, and when the reason is lack of knowledge, not of permission.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from search_core.answering import english_cues, english_setting, korean_cues, korean_setting
from search_core.answering.clauses import Clause, clauses, normalize, without_quotes
from search_core.answering.decision import FallbackDecision, FallbackReason
from search_core.answering.wording import asks_about_words, asks_for_text, asks_what_the_source_says
from search_core.korean import has_hangul
from search_core.korean.function_words import ENGLISH_FUNCTION_WORDS

READ_CHARS = 4000
"""Nobody who cannot answer needs longer to say so."""
LEAD_LETTERS = 10
"""A cue after more letters of content than these does not open the answer."""
SHORT_LETTERS = 260
"""What the source lacks may also close an answer of so many letters, when the question's own words stand in it."""
LOOSE_REST_LETTERS = 150
"""More content than this after "is not mentioned", with no word of where, is an answer."""
BARE_REST_LETTERS = 20
"""The same after words that might as well tell of the world ("알 수 없습니다")."""
REST_LETTERS = 500
"""More content than this after a cue is an answer, whatever came first."""
MACHINE_REST_LETTERS = 1200
"""The same after a cue that names a want of access or of current information, which no person says."""
CONCEDED_LETTERS = 12
"""So many letters after "I am not sure, but" are an answer."""
_CUES = (english_cues, korean_cues)
_SETTINGS = (english_setting, korean_setting)
_MACHINE = frozenset({FallbackReason.NO_WEB_ACCESS, FallbackReason.NO_CURRENT_INFORMATION})
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_TERM = re.compile(r"[a-z]{4,}|[가-힣]{2,}|\d{2,}")
_SPEAKS_OF_SOURCE = re.compile(
    r"\b(?:it|they|he|she|context|video|article|text|passage|transcript|speaker|source|document)s?\b|영상|"
    r"자막|문서|자료|기사|본문|강연|발표자|화자"
)
_DATED = re.compile(
    r"\bas of (?:my|the last|\d|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|early|mid|late)|(?:업데이트|기준|시점|지식|학습)[^.]{0,12}?(?:으로|까지|로는|에는|"
    r"에 따르면|상으로)"
)
_NUMBER = re.compile(r"\d{2,}")
_BULLET = re.compile(r"[\s*_]*(?:[-*•]|\d{1,2}[.)])\s")


class _ReadClause(NamedTuple):
    clause: Clause
    reason: FallbackReason
    firm: bool
    filler: bool

    @property
    def content(self) -> int:
        return 0 if self.reason or self.filler else self.clause.letters


class FallbackDetector:
    """Tells answers from statements of not being able to answer; holds no state and may be shared by threads."""

    def detect(self, answer: str, question: str | None = None) -> FallbackDecision:
        """Return whether *answer* shows that its model could not answer *question* for want of knowledge or access.

        A refusal on grounds of conduct, a hedged answer and a text about not knowing do not trigger. Reads the first 4,000
        characters; the time does not grow with what follows.
        """
        start, end = _own_words(answer)
        if start == end:
            return FallbackDecision(True, FallbackReason.EMPTY_ANSWER)
        text = without_quotes(_blank_outer_quotes(answer[start : min(end, start + READ_CHARS)]))
        read = _read(text, list(clauses(text)))
        chosen = _decisive(read, question or "", cut=max(0, end - start - READ_CHARS))
        if chosen is None:
            return FallbackDecision(False)
        first, last = chosen.clause.sentence
        return FallbackDecision(True, chosen.reason, answer[start + first : start + last])


def _own_words(answer: str) -> tuple[int, int]:
    """Return where *answer* begins and ends without spaces and without the thoughts some models write first; equal when empty."""
    start, end = 0, len(answer)
    thought = _THOUGHT.match(answer, len(answer) - len(answer.lstrip()))
    if thought:
        start = thought.end()
    rest = answer[start:]
    if not _WORD.search(rest) and not _has_symbol(rest.strip()[:READ_CHARS]):
        return end, end
    return start + len(rest) - len(rest.lstrip()), start + len(rest.rstrip())


def _has_symbol(text: str) -> bool:
    """Tell whether *text* has a sign that can be an answer by itself: a picture, a currency, a sign of mathematics."""
    return any(unicodedata.category(character) in ("So", "Sc", "Sm") for character in text)


def _blank_outer_quotes(text: str) -> str:
    """Return *text* with the marks around it made spaces when the whole of it is one quotation."""
    if len(text) > 2 and (text[0], text[-1]) in (('"', '"'), ("“", "”"), ("'", "'"), ("「", "」")):
        inner = text[1:-1]
        if text[0] not in inner and text[-1] not in inner.replace("n't", ""):
            return f" {inner} "
    return text


def _read(text: str, parts: Sequence[Clause]) -> list[_ReadClause]:
    """Return each clause with what it lacks and whether it carries no content; nothing at all when no clause lacks anything."""
    reasons = [_reason(part.text, text[part.sentence[0] : part.sentence[1]]) for part in parts]
    if not any(reason for reason, _ in reasons):
        return []
    read: list[_ReadClause] = []
    introduced = listed = False
    last = (0, 0)
    for part, (reason, firm) in zip(parts, reasons, strict=True):
        start = part.sentence[0]
        goes_on = bool(read) and read[-1].filler and read[-1].clause.sentence == part.sentence and part.text.startswith("and ")
        filler = not reason and (goes_on or _is_filler(part.text))
        if "\n" in text[last[1] : start]:
            listed = introduced and _BULLET.match(text, start) is not None
        if not listed:
            introduced = filler
        read.append(_ReadClause(part, reason, firm, filler or (listed and not reason)))
        last = part.sentence
    return read


def _reason(clause: str, sentence: str) -> tuple[FallbackReason, bool]:
    """Return what *clause* says the model lacks, ``NONE`` for nothing, and whether it names the model or its source."""
    likely = [cues for cues in _CUES if cues.NEGATION.search(clause)]
    if likely and not sentence.endswith("?") and not any(setting.NO_CUE.search(clause) for setting in _SETTINGS):
        for cues in likely:
            for reason, firm, pattern in cues.CUES:
                found = pattern.search(clause)
                if found and not (cues is english_cues and _is_of_others(clause[: found.start()], reason, sentence)):
                    return reason, firm
    return FallbackReason.NONE, False


def _is_of_others(before: str, reason: FallbackReason, sentence: str) -> bool:
    """Tell whether English words of not knowing that follow *before* are reported, or are about machines and not by one."""
    return english_setting.REPORTED.search(before) is not None or (
        reason in _MACHINE and not english_setting.OWN.search(normalize(sentence))
    )


def _is_filler(clause: str) -> bool:
    return any(setting.FILLER.search(clause) for setting in _SETTINGS)


def _decisive(read: Sequence[_ReadClause], question: str, *, cut: int) -> _ReadClause | None:
    """Return the clause that makes the answer no answer, if one does; *cut* counts the characters that were not read."""
    asked = normalize(question[:READ_CHARS])
    wording = asks_about_words(asked) or asks_for_text(asked)
    of_source = asks_what_the_source_says(asked)
    rest = cut + sum(part.content for part in read)
    for index, part in enumerate(read):
        rest -= part.content
        if part.reason and _has_place(read, index, rest, asked):
            meant = part.reason in _MACHINE or not (wording or (of_source and part.reason is FallbackReason.NOT_IN_SOURCE))
            if meant and not _is_refusal(read, index, asked) and not _is_answered(read, index, asked):
                return part
    return None


def _has_place(read: Sequence[_ReadClause], index: int, rest: int, asked: str) -> bool:
    """Tell whether a cue can speak for the whole answer, by the content before it and the *rest* letters after it."""
    part = read[index]
    of_source = part.reason is FallbackReason.NOT_IN_SOURCE
    said = [other for other in read[:index] if other.content]
    before = sum(other.content for other in said if not (of_source and _introduces(other, part)))
    if part.reason in _MACHINE:
        return before <= LEAD_LETTERS and rest <= MACHINE_REST_LETTERS
    if before <= LEAD_LETTERS:
        return rest <= (REST_LETTERS if part.firm else LOOSE_REST_LETTERS if of_source else BARE_REST_LETTERS)
    if not (of_source and part.firm and before + rest <= SHORT_LETTERS):
        return False
    answered = _terms(" ".join(other.clause.text for other in said))
    return bool(_terms(part.clause.text) & _terms(asked) - answered)


def _introduces(other: _ReadClause, cue: _ReadClause) -> bool:
    """Tell whether *other* only says, in the same sentence, what the source does speak of."""
    return other.clause.sentence == cue.clause.sentence and _SPEAKS_OF_SOURCE.search(other.clause.text) is not None


def _terms(text: str) -> set[str]:
    """Return the beginnings of the words that carry meaning, so that inflected forms meet."""
    return {word[:2] if has_hangul(word) else word[:5] for word in _TERM.findall(text) if word not in ENGLISH_FUNCTION_WORDS}


def _is_refusal(read: Sequence[_ReadClause], index: int, asked: str) -> bool:
    """Tell whether reasons of conduct stand around the cue; words of the question are no reasons."""
    reason = read[index].reason
    if reason is FallbackReason.NOT_IN_SOURCE and read[index].firm:
        return False
    around = read[max(0, index - 1) : index + 3] if reason in _MACHINE else read
    return any(
        found[0] not in asked
        for part in around
        for setting in _SETTINGS
        for pattern in ((setting.POLICY,) if reason in _MACHINE else (setting.POLICY, setting.REFUSAL))
        for found in pattern.finditer(part.clause.text)
    )


def _is_answered(read: Sequence[_ReadClause], index: int, asked: str) -> bool:
    """Tell whether an answer follows after all: "not sure, but …", or a guess after not knowing."""
    reason = read[index].reason
    after = [part for part in read[index + 1 :] if part.content]
    if reason is FallbackReason.NO_KNOWLEDGE:
        letters = sum(part.content for part in after)
        return letters >= CONCEDED_LETTERS and any(part.clause.contrasts or _is_guess(part.clause.text) for part in after)
    if reason is FallbackReason.NOT_IN_SOURCE:
        here = read[index].clause.sentence
        return any(
            part.clause.contrasts and part.clause.sentence == here and not _SPEAKS_OF_SOURCE.search(part.clause.text)
            for part in after
        )
    if after and after[0].clause.contrasts and sum(part.content for part in after) >= CONCEDED_LETTERS:
        return True
    return any(_is_dated_answer(said, asked) for said in _sentences(read[index + 1 :]))


def _sentences(read: Sequence[_ReadClause]) -> list[str]:
    said: dict[tuple[int, int], list[str]] = {}
    for part in read:
        said.setdefault(part.clause.sentence, []).append(part.clause.text)
    return [" ".join(texts) for texts in said.values()]


def _is_dated_answer(sentence: str, asked: str) -> bool:
    """Tell whether *sentence* answers as of some day: it speaks of what was asked, and of the date asked for."""
    return (
        _DATED.search(sentence) is not None
        and not _terms(sentence).isdisjoint(_terms(asked))
        and set(_NUMBER.findall(asked)) <= set(_NUMBER.findall(sentence))
    )


def _is_guess(clause: str) -> bool:
    return any(setting.HEDGED.search(clause) for setting in _SETTINGS)
