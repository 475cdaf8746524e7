"""Questions with recorded results, and whether a text holds the answer: for learning the answer line and for measuring it.

``realtimeqa`` are dated questions on the news with the pages that a search service gave (RealTimeQA, Kasai et al. 2023),
``pooled`` other questions of it with those of these pages that share most words with them, ``korquad`` Korean questions with
paragraphs of an encyclopedia that share most words with them, of which a third lacks the one that answers.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from search_core.domain.reply import ProviderReply, SearchStatus
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import SearchResult
from search_core.language import korean
from search_core.language.dates import read_date
from search_core.language.statements.units import ENGLISH_NUMBERS
from search_core.language.vectors import Embedder
from search_core.language.words import rarity, words_of
from search_core.search.gathering.aggregate import ResultAggregator
from search_core.search.pipeline import begin_report, score
from search_core.search.ranking.filter import RelevanceFilter
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from tests.quality.ranking_quality import Collection, Finder
from tests.quality.sets import loaders, part_of

SNIPPET_CHARS = 400
"""As long as real snippets get."""
PARAGRAPH_CHARS = 600
RESULTS = 10
POOLED, KORQUAD = 300, 400
SINCE = "2022/01/01"
"""The pages are younger than most questions of the years before."""
WITHOUT = 3
"""Of ten Korean questions so many are asked without the paragraph that answers."""
SEED = 5
LEAST = 0.5
"""Of an answer's words, by how telling they are, the share that names it."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)
_NO_ANSWER = frozenset({"true", "false", "yes", "no", "all of the above", "none of the above", "all of these", "none of these"})
"""Choices that no text holds by their letters."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_SIGNS = re.compile(r"[^\w%$£€.\s]|\.(?!\d)")
_NUMBER = re.compile(r"[$£€]?\d[\d.]*%?")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A question, its results, its answers, and the wrong choices."""

    group: str
    """Questions of one group are learnt from, or measured by, together."""
    text: str
    day: datetime
    results: tuple[SearchResult, ...]
    answers: tuple[str, ...]
    others: tuple[str, ...] = ()

    @property
    def learnt_from(self) -> bool:
        """Return whether this belongs to the half that is learnt from."""
        return part_of(self.group, 2) == 0

    def is_spelt_in(self, text: str) -> bool:
        """Return whether *text* holds an answer letter by letter, as the set's own marks ask for."""
        plain = _plain(text)
        return any(_is_in(_plain(answer), plain) for answer in self.answers if answer.casefold().strip() not in _NO_ANSWER)

    def is_held_by(self, text: str) -> bool:
        """Return whether *text* holds an answer, or names it by half of its words and no other choice as well.

        "JetBlue announces a deal" names "JetBlue Airways"; numbers must be there all of them, as digits or in letters.
        """
        return self.is_spelt_in(text) or any(self._is_named(answer, text) for answer in self.answers if self.others)

    def _is_named(self, answer: str, text: str) -> bool:
        if answer.casefold().strip() in _NO_ANSWER or not _numbers(answer) <= _numbers(text):
            return False
        words = frozenset(word.form for word in words_of([_in_digits(text)])[0])
        shares = [_share(choice, words) for choice in (answer, *self.others)]
        return shares[0] >= LEAST and shares[0] > max(shares[1:], default=0.0)


def _share(choice: str, said: frozenset[str]) -> float:
    """Return how much of *choice* is *said*: the share of its words, rare words counting more."""
    words = {word.form: rarity(word) for word in words_of([_in_digits(choice)])[0]}
    whole = sum(words.values())
    return sum(weight for form, weight in words.items() if form in said) / whole if whole else 0.0


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(_in_digits(text)))


def _in_digits(text: str) -> str:
    """Return *text* without signs, with small numbers as digits ("two" as 2)."""
    return " ".join(str(ENGLISH_NUMBERS.get(word, word)) for word in _plain(text).split())


def _plain(text: str) -> str:
    lowered = _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).lower())
    return " ".join(_ARTICLES.sub(" ", _SIGNS.sub(" ", lowered)).split())


def _is_in(answer: str, said: str) -> bool:
    if korean.has_hangul(answer):
        answer, said = answer.replace(" ", ""), said.replace(" ", "")
    before = r"(?<![0-9a-z])" if re.match(r"[0-9a-z]", answer) else ""
    after = r"(?![0-9a-z])" if re.search(r"[0-9a-z]$", answer) else ""
    return bool(answer) and re.search(before + re.escape(answer) + after, said) is not None


def realtimeqa(*, chars: int = SNIPPET_CHARS) -> Iterator[Recorded]:
    """Yield the questions with recorded results; those without any, too."""
    for row in loaders().realtimeqa("dev"):
        hits = tuple(_page(page, chars) for page in row["results"])
        answers = tuple(row["answer"])
        yield Recorded(row["_id"], row["question"], _day(row["question_date"]), hits, answers, _others(row["choices"], answers))


def pooled(*, chars: int = SNIPPET_CHARS) -> Iterator[Recorded]:
    """Yield other questions with pages recorded for those of ``realtimeqa``; few of the pages hold the answer."""
    load = loaders()
    recorded = load.realtimeqa("dev")
    ids = {row["_id"] for row in recorded}
    pages = list({page["url"]: page for row in recorded for page in row["results"]}.values())
    index = Collection(korean.terms_of(f"{page['title']} {page['text']}"[:1000] for page in pages))
    rows = [row for row in load.news_questions_en("dev") if row["_id"] not in ids and row["date"] >= SINCE]
    for row in random.Random(SEED).sample(rows, POOLED):
        scores = index.scores(korean.terms(row["text"]))
        best = sorted(scores, key=lambda number: -scores[number])[:RESULTS]
        answers = tuple(row["choices"][int(place)] for place in row["answer"])
        hits = tuple(_page(pages[number], chars) for number in best)
        yield Recorded(row["_id"], row["text"], _day(row["date"]), hits, answers, _others(row["choices"], answers))


def korquad() -> Iterator[Recorded]:
    """Yield Korean questions with paragraphs that share most words with them."""
    corpus, questions = loaders().retrieval("korquad1_dev", "dev")
    finder, rng = Finder(corpus), random.Random(SEED)
    for number, row in enumerate(rng.sample(questions, KORQUAD)):
        gold = row["rel"] if number % 10 >= WITHOUT else []
        others = [name for name in finder.alike(row["text"]) if name not in row["rel"]]
        chosen = [*gold, *others][:RESULTS]
        rng.shuffle(chosen)
        hits = tuple(_paragraph(name, corpus[name]) for name in chosen)
        yield Recorded(row["article"], row["text"], NOW, hits, tuple(row["answers"]))


def searched(recorded: Recorded, embedder: Embedder) -> SearchReport:
    """Return the report of a search on the day of the question that finds the recorded results."""
    reply = ProviderReply(provider="recorded", status=SearchStatus.SUCCESS, results=recorded.results, query=recorded.text)
    question = Question(text=recorded.text)
    intent = QueryIntentAnalyzer().analyze_intent(recorded.text)
    begun = begin_report(question, SearchOptions(), intent, QueryConstructor().query_for(intent, None, question.memory))
    return score(begun, ResultAggregator().aggregate((reply,)), lambda: RelevanceFilter(embedder, now=lambda: recorded.day))


def _others(choices: Iterable[str], answers: Sequence[str]) -> tuple[str, ...]:
    return tuple(choice for choice in choices if choice not in answers)


def _day(written: str) -> datetime:
    day = read_date(written)
    assert day is not None, f"{written} is no date"
    return day


def _page(page: Mapping[str, Any], chars: int) -> SearchResult:
    return _hit(page["title"] or "", page["url"], (page["text"] or "")[:chars], read_date(page["publish_date"]))


def _paragraph(name: str, text: str) -> SearchResult:
    article, _, number = name.rpartition("#")
    return _hit(article.replace("_", " "), f"https://ko.example/{article}/{number}", text[:PARAGRAPH_CHARS])


def _hit(title: str, url: str, snippet: str, published: datetime | None = None) -> SearchResult:
    return SearchResult(title=title, url=url, snippet=snippet, source="", publish_date=published)
