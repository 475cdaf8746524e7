"""What a text itself rules true or false: a question with its answer, a claim called false, missing evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from search_core.checking.verdicts.missing_support import words_missing
from search_core.language import korean
from search_core.language.statements.alignment import held_names, shared_words
from search_core.language.statements.proposition import Proposition

MAX_RULINGS = 20
MIN_CONTENT_CHARS = 12
MAX_CHARS = 300
"""Longest question or denial that is read; longer ones are not plain enough."""
_ASKED = re.compile(r"[?？][\"'”’)]?\s{0,3}(?P<answer>[^\n.?!。]{1,60})")
"""The end of a question, and the beginning of its answer."""
_ENDS_BEFORE = re.compile(r"[.?!。\n]")
_YES = re.compile(
    r"^(?:Yes|True|Correct)(?:\s*$|\s*[.,;:!—–-]|\s+(?=[A-Z]|it\b|they\b|he\b|she\b))"
    r"|^(?:네|예|맞아요|맞습니다|그렇습니다|그래요|사실입니다|사실이에요|사실이다|사실)(?:\s*$|\s*[,.!])",
)
_NO = re.compile(
    r"^(?:No|False|Mostly false|Not true|Incorrect|Fake)(?:\s*$|\s*[.,;:!—–-]|\s+(?=[A-Z]))"
    r"|^(?:아니요|아니오|아뇨|아닙니다|아니에요|아니다|사실이?\s?아(?:닙니다|니에요|니다|님)|거짓(?:입니다|이에요|이다)?|틀렸습니다|허위(?:입니다)?)"
    r"(?:\s*$|\s*[,.!])",
)
_ASKS_YES_OR_NO = re.compile(
    r"^(?:(?:so|and|but|well|q|q\d*|fact check)[:.,]?\s+)?"
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(
    r"\b(?:what|who|whom|whose|which|when|where|why|how)\b|무엇|뭐|누구|누가|어디|언제|왜|어떻|얼마|몇|어느|무슨", re.IGNORECASE
)
_ENDS_KOREAN = re.compile(r"[가-힣]\s*$")
_FALSE = (
    r"(?:(?:completely|entirely|totally|simply|largely|mostly|also|all|both|just|absolutely|categorically|a|an|the)\s+){0,3}"
    r"(?:false|fake|untrue|unfounded|baseless|groundless|wrong|incorrect|inaccurate|debunked|not true|not correct|hoax|fabricated"
    r"|fabrication|misinformation|disinformation|lie)\b"
)
_TALK = r"(?:claims?|rumou?rs?|reports?|posts?|allegations?|assertions?|suggestions?|stor(?:y|ies)|idea|notion|statement)"
_TALK_IS_FALSE = (
    rf"\b{_TALK}\s(?:that|of|saying|claiming|alleging)\s(?P<content>.+?),?\s"
    rf"(?:is|are|was|were|has been|have been)\s{_FALSE}"
)
_KOREAN_FALSE = (
    r"^(?P<content>.+?)[다라]는\s(?:주장|소문|말|이야기|얘기|보도|글|내용|의혹|통념|속설)[은는이가]?\s.{0,20}?"
    r"(?:사실이\s?아니|사실이\s?아닙|사실과\s?다르|거짓|허위|근거가?\s?없|가짜|틀렸|틀린|사실무근|오보)"
)
_FRAMES = tuple(re.compile(form, re.IGNORECASE) for form in (_TALK_IS_FALSE, _KOREAN_FALSE))
_NOT_SETTLED = re.compile(r"\b(?:not|n['’]t|never)\b|않|아직", re.IGNORECASE)


class FactCheck(NamedTuple):
    """What a text itself calls true or false, as in "Did A build B? No."."""

    content: str
    """What is ruled on, as a statement ("A built B")."""
    quote: str
    """The words of the text that give the ruling."""
    holds: bool
    """True if the text calls ``content`` true, False if it denies it."""


def fact_checks_in(text: str) -> tuple[FactCheck, ...]:
    """Return the rulings in *text*, at most ``MAX_RULINGS``, in no order."""
    rulings = [*_answered_questions(text), *_denied_claims(text)]
    return tuple(rulings[:MAX_RULINGS])


def _answered_questions(text: str) -> Iterator[FactCheck]:
    for match in _ASKED.finditer(text):
        before = text[max(0, match.start() - MAX_CHARS) : match.start()]
        content, answer = " ".join(_ENDS_BEFORE.split(before)[-1].split()), match["answer"].strip()
        if len(content) < MIN_CONTENT_CHARS or _NOT_SETTLED.search(content):
            continue
        asked, what = _ASKS_YES_OR_NO.match(content), _ASKS_WHAT.search(content)
        if what is not None or (asked is None and not _ENDS_KOREAN.search(content)):
            continue
        holds = bool(_YES.match(answer))
        if holds or _NO.match(answer):
            yield FactCheck(asked["rest"] if asked else content, f"{content}? {answer}", holds)


def _denied_claims(text: str) -> Iterator[FactCheck]:
    for line in re.split(r"(?<=[.!?。])\s+|\n", text):
        for frame in _FRAMES:
            match = frame.search(line[:MAX_CHARS])
            if match is not None and len(match["content"]) >= MIN_CONTENT_CHARS:
                yield FactCheck(match["content"].strip(" ,.\"'“”"), " ".join(line.split()), holds=False)
                break


LEAST_WORDS = 3
"""Words, one of them a name, that a statement and a ruled-on claim must have in common to be about the same thing."""
LEAST_WITHOUT_NAME = 4
HELD = 0.5
"""Share of the informative words of either side that the other must contain."""
MIN_SURNAME_CHARS = 3
_NONE_AT_ALL = re.compile(r"\bzero\b|(?<![\d.,])0\s?(?:명|건|개|곳|번|people|cases|deaths)", re.IGNORECASE)


def agrees_with_ruling(statement: Proposition, ruled: Proposition) -> bool | None:
    """Return whether *statement* agrees with *ruled*, a claim ruled true or false; None if the ruling does not decide it."""
    if not _comparable(statement, ruled):
        return None
    part, whole = (statement, ruled) if ruled.ruling else (ruled, statement)
    same_times = all(any(mine.same_as(theirs) for theirs in whole.periods) for mine in part.periods)
    if not same_times or not all(figure.is_among(whole.figures) for figure in part.figures):
        return None
    if _names_missing(part, whole) or len(words_missing(part, whole)) > (1 - HELD) * max(1, len(part.words)):
        return None
    agrees = bool(ruled.ruling) != statement.negated
    return None if agrees and statement.negated and _names_missing(statement, ruled) else agrees  # of several one is said not to


def _comparable(statement: Proposition, ruled: Proposition) -> bool:
    if ruled.negated or _NONE_AT_ALL.search(statement.text) or statement.open:
        return False
    if korean.has_hangul(statement.text) != korean.has_hangul(ruled.text):
        return False
    if not statement.negated and statement.denied & {word.form for word in ruled.words}:
        return False  # "failed to appear"
    shared = shared_words(ruled.words, statement.words)
    return len(shared) >= (LEAST_WORDS if held_names(ruled.names, statement.text) else LEAST_WITHOUT_NAME)


def _names_missing(part: Proposition, whole: Proposition) -> bool:
    """Return whether *whole* lacks a name in *part*; it has "Elon Musk" if it says "Musk"."""
    text = whole.text.casefold()
    names = [name for name in part.names if not _last_word_in(name, text)]
    return bool(set(names) - set(held_names(tuple(names), whole.text)))


def _last_word_in(name: str, text: str) -> bool:
    last = name.split()[-1].casefold()
    return " " in name and len(last) >= MIN_SURNAME_CHARS and last in text
