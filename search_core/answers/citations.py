"""Citations: sources are numbered here, the model sees only numbers, and each cited sentence is checked.

A number that the registry did not assign is dropped, and a sentence left without a number is marked. Sentences are never
trusted: their numbers, dates, names and words must all be in one place of a cited source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import accumulate

from search_core.answers.support import (
    TELLING,
    Nearness,
    SourceText,
    Support,
    amounts_missing,
    best_place,
    judge_support,
    near_rows,
    undress,
)
from search_core.language.dates import CLOCK
from search_core.language.sentences import sentence_spans
from search_core.models.llm.markdown import split_at_unknown_numbers
from search_core.models.llm.prompt import ChatMessage, plain

_MARK = re.compile(r"(?<!\s)\s*\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]")
_CLOCK = re.compile(CLOCK)
_NUMBERED = re.compile(r"\[(\d[\d\s,]*)\]")


@dataclass(frozen=True, kw_only=True)
class CitedSource:
    """The source behind a citation number."""

    number: int
    title: str
    text: str
    url: str = ""
    """Empty for a source without a web address."""
    published: datetime | None = None

    @cached_property
    def read(self) -> SourceText:
        """Return the source prepared for lookups."""
        return SourceText(self.title, self.text, self.published)


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """One sentence of an answer, ``answer.text[start:end]``: its own words as ``text``, and the result of checking it."""

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]
    support: Support


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """A finished answer without unknown citation numbers, and the numbers it cites."""

    text: str
    cited: tuple[int, ...] = ()
    sentences: tuple[CitedSentence, ...] = ()
    """Empty for an extract: its quotations need no check."""

    @property
    def unsupported(self) -> tuple[tuple[int, int], ...]:
        """Return the spans of sentences that their cited sources do not support."""
        return tuple((sentence.start, sentence.end) for sentence in self.sentences if sentence.support is Support.UNSUPPORTED)

    @property
    def borne_out(self) -> bool:
        """Return whether a source supports at least one sentence."""
        return any(sentence.support in (Support.SUPPORTED, Support.PARTLY) for sentence in self.sentences)


_Near = dict[tuple[int, str], Sequence[float]]
"""By source number and citing sentence: the similarity of each of the source's first sentences to it."""


class CitationRegistry:
    """Numbers the sources of one answer, from 1, and checks the answer against them; belongs to one question."""

    def __init__(self) -> None:
        self._sources: dict[tuple[str, str], CitedSource] = {}

    def add(self, *, title: str, text: str, url: str = "", published: datetime | None = None) -> int:
        """Return the number of a source; the same page with the same text keeps its number."""
        number = len(self._sources) + 1
        source = CitedSource(number=number, title=title, text=text, url=url, published=published)
        return self._sources.setdefault((url or title, text), source).number

    @property
    def sources(self) -> tuple[CitedSource, ...]:
        """Return the sources in the order of their numbers."""
        return tuple(self._sources.values())

    @property
    def links(self) -> Mapping[str, str]:
        """Return the address of each number, as ``safe_markdown`` takes them."""
        return {str(source.number): source.url for source in self.sources}

    def described(self, *, max_chars: int = 2000) -> str:
        """Return the sources as the model sees them, without addresses: number, title and date, then the text.

        A text cannot pose as another source: it is put on one line, and "[2]" in it becomes "(2)".
        """
        lines = []
        for source in self.sources:
            date = f" ({source.published:%Y-%m-%d})" if source.published else ""
            lines += [f"[{source.number}] {strip_citations(source.title)[:300]}{date}", strip_citations(source.text)[:max_chars]]
        return "\n".join(lines)

    def resolve(self, answer: str, nearness: Nearness | None = None, asked: Sequence[ChatMessage] = ()) -> CitedAnswer:
        """Return a finished *answer* with each sentence checked against its sources.

        *nearness* compares sentences with sources in another language. Numbers of a sentence that cites nothing are looked up in
        what the model was *asked*, unless that is empty.
        """
        pieces = split_at_unknown_numbers(answer, self.links)
        text = _MARK.sub(self._known_only, "".join(pieces))
        written = [_read(text, start, end) for start, end in sentence_spans(text) if any(map(str.isalnum, text[start:end]))]
        dropped = accumulate(map(len, pieces[:-1]))
        ends = [sentence.end for sentence in written]
        invented = {next((end for end in ends if place <= end), ends[-1]) for place in dropped if ends}
        near = self._near(written, nearness) if nearness is not None else {}
        given = "\n".join(message.content for message in asked if message.role != "system")
        sentences = tuple(
            replace(
                sentence,
                support=self._look_up(sentence, near) if sentence.numbers else _without_source(sentence, given, invented),
            )
            for sentence in written
        )
        return CitedAnswer(text, tuple(sorted({number for sentence in sentences for number in sentence.numbers})), sentences)

    def _near(self, written: Sequence[CitedSentence], nearness: Nearness) -> _Near:
        """Return how near the sentences of each source in another language are in meaning to the sentences that cite it."""
        rows: _Near = {}
        for number in dict.fromkeys(number for sentence in written for number in sentence.numbers):
            citing = list(dict.fromkeys(sentence.text for sentence in written if number in sentence.numbers))
            source = self.sources[number - 1].read
            rows |= {(number, claim): row for claim, row in near_rows(source, citing, nearness).items()}
        return rows

    def _known_only(self, match: re.Match[str]) -> str:
        """Return a citation mark, in round brackets if it has an unknown number, as when digits around a removed one join."""
        all_known = all(str(int(number)) in self.links for number in match[1].split(","))
        return match[0] if all_known else match[0].replace("[", "(").replace("]", ")")

    def _look_up(self, written: CitedSentence, near: _Near) -> Support:
        sources = [self.sources[number - 1] for number in written.numbers]
        rows = [near.get((source.number, written.text)) for source in sources]
        places = [best_place(source.read, written.text, row) for source, row in zip(sources, rows, strict=True)]
        return judge_support(written.text, places)


def _read(text: str, start: int, end: int) -> CitedSentence:
    """Return ``text[start:end]`` as a sentence without its citation marks, not yet checked."""
    written = text[start:end]
    cited = [int(number) for match in _MARK.finditer(written) for number in match[1].split(",")]
    return CitedSentence(
        text=undress(_MARK.sub("", written)), start=start, end=end, numbers=tuple(dict.fromkeys(cited)), support=Support.UNCITED
    )


def _without_source(written: CitedSentence, given: str, invented: Collection[int]) -> Support:
    """Return UNSUPPORTED if a sentence without citations has numbers that *given* lacks, or its end is in *invented*."""
    missing = amounts_missing(_CLOCK.sub(" ", written.text), given, least=TELLING) if given else ()
    return Support.UNSUPPORTED if written.end in invented or missing else Support.UNCITED


def strip_citations(text: str) -> str:
    """Return *text* on one line for a language model, with its own bracketed numbers in round brackets."""
    return _NUMBERED.sub(r"(\1)", plain(text))
