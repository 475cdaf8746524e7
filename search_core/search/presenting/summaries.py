"""Texts for foreign results: a model's Korean summary or, without one, a Korean gist and the best sentences unchanged.

A gist lists words of the question, names and figures ("대역폭 · JEDEC · 6 months"); no sentence is translated.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Protocol

from search_core.domain.report import Degradation, DegradedPart
from search_core.domain.result import SearchResult
from search_core.errors import LanguageModelError
from search_core.language.entities import find_entities, translate_name
from search_core.language.equivalents import equivalents
from search_core.language.korean import detect_language
from search_core.language.sentences import ends_sentence, shorten, split_sentences
from search_core.language.statements.figures import figures_in
from search_core.language.words import words_of
from search_core.runtime import wait_or_finish

MAX_QUOTE_CHARS = 300
"""Two sentences are shown if both fit into this length; a longer text without a full stop is cut to it."""
MIN_QUOTE_CHARS = 25
NEAR_BEST = 0.6
"""A second sentence is shown if its score is at least this share of the best one's."""
MAX_COMPARED = 6
"""Most sentences of a text that are compared with the question; comparing one takes as long as a short result."""
MAX_READ_CHARS = 2000
"""Characters of a text that are read; snippets are shorter, and a longer text names its subject at its beginning."""

_MAX_REMEMBERED = 2048
_CUT_OFF = ("…", "...")
_KOREAN_WORD = re.compile(r"[가-힣]+")
MAX_AT_ONCE = 4
"""Requests to the model under way at once."""
MAX_FAILURES = 3
"""Failures after which the model is not asked again in this search, as with a wrong key every request fails."""

Nearness = Callable[[Sequence[str]], Sequence[float]]
"""Returns how near sentences of any language are to the question, in [0, 1]."""

MissingNumbers = Callable[[str, str], Sequence[str]]
"""Returns the numbers and dates of a summary that are missing in its text."""


def foreign_language(result: SearchResult) -> str:
    """Return the ISO 639-1 code of a foreign result, or an empty string for a Korean one and one without letters."""
    language = detect_language(f"{result.title} {result.snippet}")
    if language in ("", "ko"):
        return ""
    return result.language if result.language not in ("", "ko") else language


@lru_cache(maxsize=_MAX_REMEMBERED)
def korean_sentences(text: str) -> tuple[str, ...]:
    """Return the Korean sentences of a foreign *text*, verbatim and in order.

    A sentence counts as Korean if it has two Korean words or more, so a single Korean name in a foreign sentence does not count.
    """
    return tuple(dict.fromkeys(sentence for sentence in split_sentences(text) if len(_KOREAN_WORD.findall(sentence)) > 1))


def quotable_sentences(snippet: str) -> tuple[str, ...]:
    """Return the first informative whole sentences of *snippet* or, without any, others."""
    sentences = split_sentences(" ".join(snippet.split())[:MAX_READ_CHARS])
    telling = [sentence for sentence in sentences if len(sentence) >= MIN_QUOTE_CHARS] or sentences
    whole = [sentence for sentence in telling if ends_sentence(sentence) and not sentence.endswith(_CUT_OFF)]
    return tuple(whole or telling)[:MAX_COMPARED]


def best_sentences(snippet: str, scores: Sequence[float] = ()) -> str:
    """Return the one or two ``quotable_sentences`` of *snippet* with the highest *scores*, in order.

    Without scores they are the first ones. Empty for a snippet without a sentence.
    """
    sentences = quotable_sentences(snippet)
    if not sentences:
        return ""
    worth = scores or [1.0] * len(sentences)
    best, *next_best = sorted(range(len(sentences)), key=lambda place: (-worth[place], place))[:2]
    if next_best and worth[next_best[0]] >= NEAR_BEST * worth[best]:
        one, two = (sentences[place] for place in sorted((best, *next_best)))
        together = f"{one} {two}" if f"{one} {two}" in " ".join(snippet.split()) else f"{one} … {two}"
        if len(together) <= MAX_QUOTE_CHARS:
            return together
    return shorten(sentences[best], MAX_QUOTE_CHARS)


MAX_WORDS, MAX_NAMES, MAX_FIGURES = 4, 3, 2
MAX_NAME_WORDS = 3
"""Most words of a name; a longer run of capitalised words is a headline."""
GIST_CHARS = 1_000
_NOUNS = ("NNG", "NNP")
_NO_MEASURE = ("plain", "times")


def korean_gists(results: Sequence[SearchResult], asked: str) -> list[str]:
    """Return for each of foreign *results* its question words *asked*, names and figures, in Korean.

    For example ``대역폭 · JEDEC · 6 months``; empty for one that holds none.
    """
    texts = [f"{result.title}\n{result.snippet}"[:GIST_CHARS] for result in results]
    question, *words_by_text = words_of([asked, *texts])
    gists = []
    for result, words in zip(results, words_by_text, strict=True):
        held = sorted(equivalents(question, words))
        question_words = [question[number].form for number in held if question[number].tag in _NOUNS]
        snippet = result.snippet[:GIST_CHARS]
        parts = (*question_words[:MAX_WORDS], *(_names(snippet) or _names(result.title)), *_figures(snippet))
        gists.append(" · ".join(dict.fromkeys(parts)))
    return gists


def _names(text: str) -> list[str]:
    named = [entity.text for entity in find_entities(text) if len(entity.text) > 2 and len(entity.text.split()) <= MAX_NAME_WORDS]
    # ASML and TSMC are written so in Korean, too.
    return [*dict.fromkeys(name if name.isupper() else translate_name(name) or name for name in named)][:MAX_NAMES]


def _figures(text: str) -> list[str]:
    figures = [figure for figure in figures_in(text) if figure.dimension not in _NO_MEASURE]
    return [*dict.fromkeys(text[figure.start : figure.end].strip() for figure in figures)][:MAX_FIGURES]


class Summarizer(Protocol):
    """Writes short Korean summaries."""

    async def summarize(self, result_title: str, snippet: str, source: str) -> str:
        """Return one or two Korean sentences; raises LanguageModelError."""
        ...


async def add_summaries(
    results: Sequence[SearchResult],
    model: Summarizer | None,
    *,
    deadline_s: float,
    own_documents: bool = False,
    nearness: Nearness | None = None,
    asked: str | None = None,
    missing_numbers: MissingNumbers = lambda _summary, _text: (),
    watch: Callable[[tuple[SearchResult, ...]], None] = lambda _: None,
    finish: asyncio.Event | None = None,
) -> tuple[tuple[SearchResult, ...], tuple[Degradation, ...]]:
    """Return *results* with ``summary`` filled for foreign ones without it, and the model's failures.

    The model has *deadline_s* seconds in all, fewer once *finish* is set. Without a summary, or for one with *missing_numbers*,
    a result gets its gist for the question *asked* and its sentences with the greatest *nearness*. The model receives documents
    of the library only if *own_documents* allows it. *watch* receives the results before the first summary and after each one.
    """
    wanting = ((place, each) for place, each in enumerate(results) if each.snippet.strip() and not each.summary)
    foreign = [place for place, result in wanting if foreign_language(result)]
    if not foreign:
        return tuple(results), ()
    extracts = await asyncio.to_thread(_extracts, {place: results[place] for place in foreign}, nearness, asked)
    summarized = [
        replace(result, summary=extracts[place], summary_origin="extract") if place in extracts else result
        for place, result in enumerate(results)
    ]
    missing = {place for place in foreign if own_documents or not results[place].own}
    if model is None or not missing:
        return tuple(summarized), ()
    watch(tuple(summarized))
    writing = _Writing(model=model, missing_numbers=missing_numbers, watch=watch, summarized=summarized, missing=missing)
    asked_for = len(missing)
    await writing.write(deadline_s, finish or asyncio.Event())
    return tuple(summarized), (writing.degradation(asked_for),) if missing else ()


def _extracts(results: Mapping[int, SearchResult], nearness: Nearness | None, asked: str | None) -> dict[int, str]:
    """Return by place the Korean gist of each of *results* and its best sentences, all compared in one call."""
    gists = [""] * len(results) if asked is None else korean_gists([*results.values()], asked)
    quotes = {place: quotable_sentences(result.snippet) for place, result in results.items()}
    scores = iter(nearness([*chain.from_iterable(quotes.values())]) if nearness is not None else ())
    return {
        place: " — ".join(filter(None, (gist, best_sentences(results[place].snippet, list(islice(scores, len(quotes[place])))))))
        for place, gist in zip(results, gists, strict=True)
    }


@dataclass(slots=True, kw_only=True)
class _Writing:
    """Has a model write summaries, and records failures."""

    model: Summarizer
    missing_numbers: MissingNumbers
    watch: Callable[[tuple[SearchResult, ...]], None]
    summarized: list[SearchResult]
    missing: set[int]
    """Positions of the results that the model should summarise."""
    causes: Counter[str] = field(default_factory=Counter)
    korean: str = ""
    refused: int = 0
    """Summaries with a number that their text does not hold."""

    async def write(self, deadline_s: float, finish: asyncio.Event) -> None:
        """Write missing summaries until *deadline_s* or *finish*, and cancel the rest."""
        writing = asyncio.create_task(self._write_all())
        await wait_or_finish(writing, finish, timeout_s=deadline_s)
        if not writing.cancelled():
            writing.result()
        elif finish.is_set():
            self._note("Stopped by the user.", "검색을 멈췄어요.")
        else:
            self._note(f"No answer within {deadline_s:g} s.", "언어 모델이 시간 안에 답하지 않았어요.")

    async def _write_all(self) -> None:
        gate = asyncio.Semaphore(MAX_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            for place in sorted(self.missing):
                group.create_task(self._write_one(place, gate))

    async def _write_one(self, place: int, gate: asyncio.Semaphore) -> None:
        result = self.summarized[place]
        async with gate:
            if self.causes.total() - self.refused >= MAX_FAILURES:
                return
            try:
                text = await self.model.summarize(result.title, result.snippet, result.source)
            except LanguageModelError as error:
                self._note(str(error), error.korean)
                return
        numbers = self.missing_numbers(text, f"{result.title}\n{result.snippet}")
        if numbers:
            self.refused += 1
            self.causes[f"A summary held numbers that its text does not: {', '.join(numbers)}"] += 1
            return
        self.summarized[place] = replace(result, summary=text, summary_origin="model")
        self.missing.discard(place)
        self.watch(tuple(self.summarized))

    def _note(self, cause: str, korean: str) -> None:
        self.causes[cause] += 1
        self.korean = self.korean or korean

    def degradation(self, wanted: int) -> Degradation:
        """Return which *wanted* summaries are missing, and why."""
        causes = "; ".join(f"{cause} (x{count})" for cause, count in self.causes.items())
        notes = [self.korean] if self.korean else []
        if self.refused:
            notes.append(f"언어 모델이 쓴 요약 {self.refused}건은 원문에 없는 숫자가 있어서 쓰지 않았어요.")
        return Degradation(
            part=DegradedPart.SUMMARY,
            cause=f"The model summarised {wanted - len(self.missing)} of {wanted} foreign results: {causes}",
            korean=f"{' '.join(notes)} 외국어 자료 {len(self.missing)}건은 원문의 문장을 그대로 보여 드려요.",
        )
