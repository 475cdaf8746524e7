"""The answer line of a search: the sentence of a visible result that answers the question, quoted word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from search_core.answers.asked_values import asks_for_answer
from search_core.answers.reader import read
from search_core.answers.reading import AskedQuestion, Said, hold_names
from search_core.domain.report import AnswerLine, SearchReport
from search_core.domain.result import SearchResult
from search_core.language.korean import has_hangul
from search_core.language.sentences import sentence_spans
from search_core.language.statements.proposition import is_question
from search_core.language.words import words_of
from search_core.search.pipeline import understood
from search_core.search.ranking.filter import RelevanceFilter

MAX_CHARS = 160
"""Longest excerpt; a longer sentence is split into parts that overlap."""
MAX_EMBEDDED = 40
_READ_CHARS = 2_000
_STEP_CHARS = 80
_LEAST_CHARS = 12
_YEAR = re.compile(r"(?<![\d,.])(?:1[89]|20)\d\d(?![\d,.%])")


class Excerpt(NamedTuple):
    """A sentence of a result's snippet, or a part of a long one."""

    row: int
    """Index of its result."""
    text: str
    opens: bool
    closes: bool
    """Whether the excerpt begins (*opens*) and ends (*closes*) its sentence; False for a part from the middle."""


def find_answer_line(report: SearchReport, relevance: RelevanceFilter) -> AnswerLine | None:
    """Return the answer line of *report*; None if nothing is asked or no visible result surely answers.

    A web result that surely answers comes before an own document. *relevance* provides the embedder; if that does not work
    across languages, or fails, sentences are compared by words.
    """
    text = report.question.text
    if not report.results or not asks_for_answer(text):
        return None
    question = AskedQuestion(text, understood(report))
    excerpts, sentences, heads = read_results(report.results)
    # Names of English questions would cost lines: of RealTimeQA's .172 are found instead of .195.
    names = question.understood if has_hangul(text) else ""
    named = hold_names(names, [f"{result.title}\n{result.snippet}" for result in report.results])
    left_out = [not named[excerpt.row] or not may_answer(question, excerpt, report.results[excerpt.row]) for excerpt in excerpts]
    if all(left_out):
        return None
    embedder = relevance.embedder if relevance.across_languages else None
    reading = read(question, sentences, embedder, spoken=False, heads=heads, left_out=left_out, at_most=MAX_EMBEDDED)
    # On pages only the best one's odds decide, so others with equal odds answer as surely.
    sure = [place for place in reading.order if reading.odds[place] + reading.answered >= reading.odds.max()]
    of_web = (place for place in sure if not report.results[excerpts[place].row].own)
    return _line(excerpts[next(of_web, sure[0])], report.results) if sure else None


def read_results(results: Sequence[SearchResult]) -> tuple[list[Excerpt], list[Said], list[str]]:
    """Return excerpts of *results*, the same excerpts as input for ``read``, and the titles of *results*."""
    excerpts = [excerpt for row, result in enumerate(results) for excerpt in _excerpts(row, result)]
    sentences = [Said(excerpt.text, excerpt.row, results[excerpt.row].relevance_score or 0.0) for excerpt in excerpts]
    return excerpts, sentences, [result.title for result in results]


def _excerpts(row: int, result: SearchResult) -> Iterator[Excerpt]:
    snippet = result.snippet[:_READ_CHARS]
    snippet = snippet.removeprefix(result.title) if snippet[len(result.title) :][:1].isspace() else snippet
    for start, end in sentence_spans(snippet):
        for first, last in _parts(snippet, start, end):
            if last - first >= _LEAST_CHARS:
                yield Excerpt(row, snippet[first:last], first == start, last == end)


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_CHARS:
        cut = text.rfind(" ", start + MAX_CHARS // 2, start + MAX_CHARS + 1)
        yield start, cut if cut > 0 else start + MAX_CHARS
        following = text.find(" ", start + _STEP_CHARS, end)
        if following < 0 or end - following - 1 <= MAX_CHARS // 3:
            return
        start = following + 1
    yield start, end


def may_answer(question: AskedQuestion, excerpt: Excerpt, result: SearchResult) -> bool:
    """Return whether *excerpt* says more than the title and the question, and is not about another year."""
    if is_question(excerpt.text) or " ".join(excerpt.text.split()).strip(" .…") in result.title:
        return False
    forms, asked, titled = (
        {word.form for word in words} for words in words_of([excerpt.text, question.understood, result.title])
    )
    if forms <= asked | titled:
        return False
    years, named = set(_YEAR.findall(question.understood)), set(_YEAR.findall(f"{result.title} {excerpt.text}"))
    return not (years and named) or not years.isdisjoint(named)


def _line(excerpt: Excerpt, results: Sequence[SearchResult]) -> AnswerLine:
    result = results[excerpt.row]
    sentence = f"{'' if excerpt.opens else '…'}{' '.join(excerpt.text.split())}{'' if excerpt.closes else '…'}"
    return AnswerLine(
        sentence=sentence,
        result=excerpt.row + 1,
        source=result.source,
        url=result.url,
        moment_s=result.moment.start_s if result.moment is not None else None,
    )
