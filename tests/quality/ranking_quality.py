"""How well results are ranked.

Figures. ``ndcg10`` over 20 candidates: the gold passages and, as the others, the ones most alike by morphemes and pairs of
syllables (``hard``), in shuffled order; ``mean`` is that of the five sets in Korean. ``msmarco_en`` asks English passages in
Korean, ``msmarco_en_en`` in English. ``mrr`` is that of the first result that holds the answer, over questions whose results
hold one, with the days of the results and without. ``even`` is 1 less the widest gap
between the mean scores of stories in three languages (``data/parallel.jsonl``): for a Korean and an English question they
answer, and for one they do not.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import log, log2
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from search_core.domain.result import SearchResult
from search_core.language import korean
from search_core.language.vectors import Embedder
from search_core.search.ranking.filter import RelevanceFilter, rank_candidates
from tests.quality.scope import Scope
from tests.quality.scorers import figures_of_scorers
from tests.quality.sets import loaders, read_rows, under

LIBRARY = Path(__file__).parents[2] / "samples" / "library"
CANDIDATES = 20
QUERIES = 100
"""A set: enough to tell two points of nDCG@10, few enough for a coffee."""
SNIPPET_CHARS = 400
"""As long as real snippets get."""
SEED = 7
NOW = datetime(2026, 11, 20, tzinfo=UTC)
KOREAN_SETS = ("autorag", "ssis_welfare", "korquad1_dev", "upstage_ir")
MSMARCO = {"msmarco_ko": ("ko_query", "ko_pos"), "msmarco_en": ("ko_query", "en_pos"), "msmarco_en_en": ("en_query", "en_pos")}
"""In which language is asked, and which passages."""

Scores = Mapping[int, float]


class Task(NamedTuple):
    """A question with candidates: (id, text) pairs, and the ids that answer it."""

    question: str
    candidates: list[tuple[str, str]]
    gold: frozenset[str]


class Collection:
    """Finds passages of a corpus by BM25 (k1 1.2, b .75)."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._texts = [Counter(text) for text in texts]
        self._lengths = [text.total() for text in self._texts]
        self._average = sum(self._lengths) / len(self._lengths) or 1
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self._texts):
            for unit in text:
                self._holding[unit].append(number)

    def scores(self, asked: Sequence[str]) -> Scores:
        """Return the score of each passage that holds an asked unit."""
        scores: defaultdict[int, float] = defaultdict(float)
        for unit in set(asked):
            holding = self._holding.get(unit, [])
            rarity = log(1 + (len(self._texts) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number in holding:
                count, length = self._texts[number][unit], self._lengths[number]
                scores[number] += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / self._average))
        return scores


class Finder:
    """Finds passages of a corpus that are like a question, in its words and its pairs of syllables."""

    def __init__(self, corpus: Mapping[str, str]) -> None:
        self._ids = list(corpus)
        self._by_words = Collection(korean.terms_of(corpus.values()))
        self._by_pairs = Collection(korean.bigrams(text) for text in corpus.values())

    def alike(self, question: str) -> list[str]:
        """Return the ids of passages that share something with *question*, the best of both scores together first."""
        one, other = self._by_words.scores(korean.terms(question)), self._by_pairs.scores(korean.bigrams(question))
        best = max(one.values(), default=1.0), max(other.values(), default=1.0)
        numbers = sorted({**one, **other}, key=lambda number: -(one.get(number, 0) / best[0] + other.get(number, 0) / best[1]))
        return [self._ids[number] for number in numbers]

    def like(self, question: str, but: Iterable[str], most: int, rng: random.Random) -> list[str]:
        """Return at most so many passages like *question*, drawn from the likest twice as many without those of *but*."""
        left_out = set(but)
        best = [name for name in self.alike(question)[: 4 * most + 40] if name not in left_out][: 2 * most]
        return rng.sample(best, min(most, len(best)))


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name."""

    def figures_of(embedder: Embedder) -> dict[str, float]:
        relevance = RelevanceFilter(embedder, now=lambda: NOW)
        figures = _evenness(relevance) if relevance.across_languages else {}
        if scope.reads_development:
            for name, (corpus, questions) in retrieval_sets().items():
                figures[f"{name}/hard_ndcg10"] = _retrieval(relevance, corpus, questions)
            figures["mean/ndcg10"] = fmean(figures[f"{name}/hard_ndcg10"] for name in (*KOREAN_SETS, "msmarco_ko"))
            figures |= under("realtimeqa", _realtime(relevance))
        return figures

    return figures_of_scorers("ranking", scope, figures_of)


def retrieval_sets() -> dict[str, tuple[dict[str, str], list[tuple[str, frozenset[str]]]]]:
    """Return passages by their ids, and questions with the ids that answer them, for each development set."""
    load, sets = loaders(), {}
    for name in KOREAN_SETS:
        corpus, questions = load.retrieval(name, "dev")
        sets[name] = (corpus, [(row["text"], frozenset(row["rel"]) & corpus.keys()) for row in questions if row.get("rel")])
    rows = load.msmarco_ko_en("dev")
    for name, (question, field) in MSMARCO.items():
        corpus = {f"{row['_id']}#{n}": text for row in rows for n, text in enumerate(row[field])}
        sets[name] = (corpus, [(row[question], frozenset(f"{row['_id']}#{n}" for n in range(len(row[field])))) for row in rows])
    return sets


def _retrieval(relevance: RelevanceFilter, corpus: Mapping[str, str], questions: Sequence[tuple[str, frozenset[str]]]) -> float:
    rng = random.Random(SEED)
    return fmean(_ndcg(_ours(relevance, task), task) for task in _tasks(corpus, asked_of(questions, rng), rng))


def asked_of(questions: Sequence[tuple[str, frozenset[str]]], rng: random.Random) -> Sequence[tuple[str, frozenset[str]]]:
    """Return the *questions* of a set that the stage measures by."""
    usable = [question for question in questions if question[1] and len(question[1]) < CANDIDATES // 2]
    return usable if len(usable) <= QUERIES else rng.sample(usable, QUERIES)


def _tasks(corpus: Mapping[str, str], questions: Sequence[tuple[str, frozenset[str]]], rng: random.Random) -> list[Task]:
    """Return for each question a task: its gold passages and the ones most like it."""
    ids, finder, tasks = list(corpus), Finder(corpus), []
    for question, gold in questions:
        others = [identity for identity in finder.alike(question) if identity not in gold]
        rest = [identity for identity in rng.sample(ids, min(len(ids), 4 * CANDIDATES)) if identity not in gold]
        chosen = [*gold, *dict.fromkeys([*others, *rest])][:CANDIDATES]
        rng.shuffle(chosen)
        rng.shuffle([*gold, *rest][:CANDIDATES])  # as many draws as the floors were measured with
        tasks.append(Task(question, [(identity, corpus[identity]) for identity in chosen], gold))
    return tasks


def _ours(relevance: RelevanceFilter, task: Task) -> list[str]:
    hits = [(identity, _hit("", text)) for identity, text in task.candidates]
    return [entry["id"] for entry in rank_candidates(relevance, task.question, None, hits)]


def _realtime(relevance: RelevanceFilter) -> dict[str, float]:
    rows = [row for row in loaders().realtimeqa("dev") if any(result["has_answer"] for result in row["results"])]
    return {
        f"mrr_{name}": fmean(_reciprocal_rank(relevance, row, dated=dated) for row in rows)
        for name, dated in (("dated", True), ("undated", False))
    }


def _reciprocal_rank(relevance: RelevanceFilter, row: Mapping[str, Any], *, dated: bool) -> float:
    hits = []
    for place, result in enumerate(row["results"]):
        day = result["publish_date"] if dated else None
        hit = _hit(result["title"] or "", (result["text"] or "")[:SNIPPET_CHARS], day)
        hits.append((place, replace(hit, url=result["url"])))
    ranked = rank_candidates(relevance, row["question"], None, hits)
    return next(1 / rank for rank, entry in enumerate(ranked, start=1) if row["results"][entry["id"]]["has_answer"])


def _evenness(relevance: RelevanceFilter) -> dict[str, float]:
    """Return 1 less the gap between the mean scores of a story in three languages, by kind of question."""
    rows = read_rows("parallel")
    figures = {}
    for half in ("tuned", "held"):
        stories = [row for row in rows if row["half"] == half]
        for kind, place in (("asked_in_ko", 0), ("asked_in_en", 1), ("asked_beside", 2)):
            scores: list[list[float]] = []
            for number, row in enumerate(stories):
                company = [stories[(number + step) % len(stories)]["story"] for step in (3, 7, 11, 13)]
                texts = [_hit(title, text) for story in (row["story"], *company) for title, text in story]
                scored = relevance.score(texts, row["questions"][place]).results[:3]
                scores.append([result.relevance_score or 0.0 for result in scored])
            means = [fmean(of_language) for of_language in zip(*scores, strict=True)]
            figures[f"shipped/{half}_{kind}_even"] = 1 - (max(means) - min(means))
    return figures


def _hit(title: str, text: str, published: str | None = None) -> SearchResult:
    date = datetime.strptime(published, "%Y/%m/%d").replace(tzinfo=UTC) if published else None
    return SearchResult(title=title, url="", snippet=text, source="", publish_date=date)


def _ndcg(order: Sequence[str], task: Task) -> float:
    discounts = [1 / log2(rank + 2) for rank in range(10)]
    gained = sum(discount for discount, identity in zip(discounts, order, strict=False) if identity in task.gold)
    return gained / sum(discounts[: len(task.gold)])
