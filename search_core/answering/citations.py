"""Citations that lead somewhere: sources are numbered here, the model sees numbers only, and each cited sentence is looked up.

A number the registry did not give out is dropped. A sentence is taken at its word by nobody: its numbers, dates and names must be
in what it cites, and so must its words, in one place of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from search_core import korean
from search_core.answering.claims import dated, denies, figures, holds, names, names_not_in, opposed, values_in
from search_core.errors import MaekrakError
from search_core.llm.markdown_text import without_unknown
from search_core.llm.prompt import plain

SUPPORTED_FROM = 0.6
"""Share of a sentence's content words that one place of its sources must hold."""
PARTLY_FROM = 0.3
WINDOW = 3
"""Sentences of a source that are one place."""
MAX_QUOTE_CHARS = 300
MAX_SOURCE_CHARS = 20_000
MIN_VERBATIM_CHARS = 10

_MARK = re.compile(r"\s*\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]")
_END = re.compile(r"[.!?。！？…]+[\"”’'」』)*_]*(?:\s*\[\d[\d\s,]*\])*(?=\s|$)|[。！？]")
_NO_END = re.compile(r"(?:^\W*\d{1,3}|\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|vs|No|Inc|Co|Corp|Ltd|Jr|Sr|U\.S))\.$")
_DRESS = re.compile(r"^\s*(?:[-*+>#]+\s+|\d{1,3}[.)]\s+)+|[*_`~|]")
_ATTRIBUTION = re.compile(
    r"(?:보도|기사|자료|출처|영상|설명)에 (?:따르면|의하면)|\baccording to (?:the )?(?:article|report|video)\b", re.IGNORECASE
)
_SIGNS = re.compile(r"[\W_]+")
_NUMBERED = re.compile(r"\[(\d[\d\s,]*)\]")


class NoSourcesError(MaekrakError):
    """Says that there is nothing an answer could rest on, so none is to be written."""

    def __init__(self) -> None:
        super().__init__("There are no sources to answer from.", korean="답의 근거로 삼을 자료가 없어서 답을 쓰지 않았어요.")


class Support(StrEnum):
    """Is how far a sentence's sources bear it out."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Is what a number stands for."""

    number: int
    title: str
    text: str
    url: str = ""
    """Empty for a source without a web address."""
    published: datetime | None = None
    moment_s: float | None = None
    """Seconds from the start of the video, for a passage of it."""


class Quote(NamedTuple):
    """Is the piece of a source that a sentence rests on, letter for letter."""

    number: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedSentence:
    """Is one sentence of an answer: ``answer.text[start:end]``, its own words as ``text``, and what became of looking it up."""

    text: str
    start: int
    end: int
    numbers: tuple[int, ...]
    support: Support
    quotes: tuple[Quote, ...] = ()
    missing: tuple[str, ...] = ()
    """Numbers and names of the sentence that none of its sources holds."""


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """Is a finished answer without unknown numbers, its sentences, and the sources that it cites."""

    text: str
    sentences: tuple[CitedSentence, ...]
    sources: tuple[Source, ...]


class _Read(NamedTuple):
    """Is a source as it is looked up: its sentences, and the content words and numbers of each."""

    sentences: tuple[str, ...]
    words: tuple[frozenset[str], ...]
    values: tuple[frozenset[object], ...]
    compact: str


class _Place(NamedTuple):
    """Is the place of one source that says most of what a sentence says."""

    source: Source
    text: str
    words: frozenset[str]
    values: frozenset[object]
    quote: str


class CitationRegistry:
    """Numbers the sources of one answer, from 1, and looks up what the answer says of them; belongs to one question."""

    def __init__(self) -> None:
        self._sources: dict[tuple[object, ...], Source] = {}
        self._read: dict[int, _Read] = {}

    def add(
        self, *, title: str, text: str, url: str = "", published: datetime | None = None, moment_s: float | None = None
    ) -> int:
        """Return the number of a source; the same page or moment with the same text keeps the number it has."""
        key = (url or title, moment_s, text)
        number = len(self._sources) + 1
        source = Source(number=number, title=title, text=text, url=url, published=published, moment_s=moment_s)
        return self._sources.setdefault(key, source).number

    @property
    def sources(self) -> tuple[Source, ...]:
        """Return the sources in the order of their numbers."""
        return tuple(self._sources.values())

    @property
    def links(self) -> Mapping[str, str]:
        """Return the address of each number, as ``safe_markdown`` takes them."""
        return {str(source.number): source.url for source in self.sources}

    def described(self, *, max_chars: int = 2000) -> str:
        """Return the sources as the model sees them: number, title and date on a line, the text on the next; no address.

        A text cannot play another source: it stays on its line, and its own numbers in brackets lose them. Raises NoSourcesError.
        """
        if not self._sources:
            raise NoSourcesError
        lines = []
        for source in self.sources:
            date = f" ({source.published:%Y-%m-%d})" if source.published else ""
            lines += [f"[{source.number}] {harmless(source.title)[:300]}{date}", harmless(source.text)[:max_chars]]
        return "\n".join(lines)

    def resolve(self, answer: str) -> CitedAnswer:
        """Return a finished *answer* with each of its sentences looked up in what it cites; raises NoSourcesError."""
        if not self._sources:
            raise NoSourcesError
        text = _MARK.sub(self._known_only, without_unknown(answer, self.links))
        sentences = tuple(self._looked_up(text, start, end) for start, end in _sentence_spans(text))
        cited = {number for sentence in sentences for number in sentence.numbers}
        return CitedAnswer(text, sentences, tuple(source for source in self.sources if source.number in cited))

    def _known_only(self, match: re.Match[str]) -> str:
        """Return a mark as it is, or in round brackets where dropping one number has put together another."""
        known = all(str(int(number)) in self.links for number in match[1].split(","))
        return match[0] if known else match[0].replace("[", "(").replace("]", ")")

    def _looked_up(self, text: str, start: int, end: int) -> CitedSentence:
        written = text[start:end]
        cited = [int(number) for match in _MARK.finditer(written) for number in match[1].split(",")]
        numbers = tuple(dict.fromkeys(cited))
        claim = " ".join(_DRESS.sub(" ", _MARK.sub("", written)).split())
        if not numbers:
            return CitedSentence(text=claim, start=start, end=end, numbers=(), support=Support.UNCITED)
        said = korean.terms(_ATTRIBUTION.sub(" ", claim))
        words = frozenset(word for word in said if not word.isdigit())  # numbers are looked up as such
        places = [self._best_place(self.sources[number - 1], claim, words) for number in numbers]
        support, missing = self._judged(claim, words, places)
        quotes = tuple(Quote(place.source.number, place.quote) for place in places if place.quote)
        return CitedSentence(text=claim, start=start, end=end, numbers=numbers, support=support, quotes=quotes, missing=missing)

    def _read_once(self, source: Source) -> _Read:
        if source.number not in self._read:
            whole = korean.normalize(source.text[:MAX_SOURCE_CHARS])
            found = tuple(whole[start:end] for start, end in _sentence_spans(whole))
            texts = (korean.normalize(source.title), *found)
            self._read[source.number] = _Read(
                sentences=texts,
                words=tuple(frozenset(words) for words in korean.terms_of(texts)),
                values=tuple(values_in(text) for text in texts),
                compact=_compact(" ".join(texts)),
            )
        return self._read[source.number]

    def _best_place(self, source: Source, claim: str, words: frozenset[str]) -> _Place:
        read = self._read_once(source)
        wanted = {figure.value for figure in figures(claim)}

        def worth(first: int, size: int) -> tuple[int, int]:
            held = frozenset[object]().union(*read.values[first : first + size])
            said = frozenset[str]().union(*read.words[first : first + size])
            return len(wanted & held) + len(words & said), len(words & said)

        first = max(range(len(read.sentences)), key=lambda place: worth(place, WINDOW))
        there = range(first, min(first + WINDOW, len(read.sentences)))
        best = max(there, key=lambda place: worth(place, 1))
        said = frozenset[str]().union(*(read.words[place] for place in there), read.words[0])
        return _Place(
            source=source,
            text=" ".join(dict.fromkeys((read.sentences[0], *(read.sentences[place] for place in there)))),
            words=said,
            values=frozenset[object]().union(*(read.values[place] for place in there), read.values[0]),
            quote=read.sentences[best][:MAX_QUOTE_CHARS] if any(worth(best, 1)) else "",
        )

    def _judged(self, claim: str, words: frozenset[str], places: Sequence[_Place]) -> tuple[Support, tuple[str, ...]]:
        reads = [self._read_once(place.source) for place in places]
        compact = _compact(claim)
        if len(compact) >= MIN_VERBATIM_CHARS and any(compact in read.compact for read in reads):
            return Support.SUPPORTED, ()
        published = [place.source.published for place in places if place.source.published]
        told = [figure for figure in figures(claim) if not dated(figure, published)]
        anywhere = {value for read in reads for values in read.values for value in values}
        here = {value for place in places for value in place.values}
        no_figures = tuple(figure.text for figure in told if figure.value not in anywhere)
        scattered = any(figure.value not in here for figure in told)
        wanted = names(claim)
        no_names = names_not_in(wanted, " ".join(sentence for read in reads for sentence in read.sentences))
        said = frozenset[str]().union(*(place.words for place in places))
        around = " ".join(place.text for place in places).casefold()
        # names are looked up as names: one that is there says nothing of what is said of it
        telling = [word for word in words if not any(word in name.casefold() for name in wanted)]
        held = [word for word in telling if word in said or (len(word) > 2 and holds(around, word))]
        share = len(held) / len(telling) if telling else float(bool(wanted) and not no_names)
        missing = (*no_figures, *no_names)
        if korean.detect_language(claim) not in {korean.detect_language(place.text) for place in places}:
            # words of two languages cannot be held against each other, numbers and names can
            checked = bool(told or wanted) and not missing
            return (Support.PARTLY if checked else Support.UNSUPPORTED), missing
        quotes = [place.quote for place in places if place.quote]
        if no_figures or share < PARTLY_FROM or any(opposed(claim, quote) for quote in quotes):
            return Support.UNSUPPORTED, missing
        denied = any(denies(claim) != denies(quote) for quote in quotes)
        sure = share >= SUPPORTED_FROM and not (no_names or scattered or denied)
        return (Support.SUPPORTED if sure else Support.PARTLY), missing


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of *text* stands, the citations behind its full stop with it; lines are never joined."""
    for line in re.finditer(r"[^\n]+", text):
        start = line.start()
        for end in _END.finditer(text, line.start(), line.end()):
            if not _NO_END.search(text[start : end.end()]):
                yield from _span(text, start, end.end())
                start = end.end()
        yield from _span(text, start, line.end())


def _span(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    if any(char.isalnum() for char in piece):
        yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def harmless(text: str) -> str:
    """Return *text* on one line for a language model, its own numbers in brackets without them."""
    return _NUMBERED.sub(r"(\1)", plain(text))


def _compact(text: str) -> str:
    return _SIGNS.sub("", text).casefold()
