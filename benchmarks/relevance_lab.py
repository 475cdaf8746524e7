"""The relevance lab: placing kept searches anew, its figures, and opening it over many kept searches."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import insert, select

from search_core.domain import Label, RankingOptions, RankingWeights, ScoreParts, SearchResult
from search_core.ranking import arrange
from search_core.ranking.evaluation.comparison import compare
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.threshold import suggest_threshold, threshold_curve
from search_core.storage import Database
from search_core.storage.stored_searches import StoredSearches
from search_core.storage.tables import SEARCHES
from tests.search_core.storage.sample_records import NOON
from tests.search_core.storage.test_stored_searches import REPORT

REPLAYED, RESULTS, KEPT = 100, 20, 10_000
ROUNDS = 5


def relevance_lab() -> None:
    """Print what each part of the lab takes; the first line is what the others are held against."""
    searches = [_search(number) for number in range(REPLAYED)]
    now, other = RankingOptions(), RankingOptions(weights=RankingWeights(lexical=0.9))
    parts: dict[str, Callable[[], object]] = {
        f"place {REPLAYED} searches x {RESULTS} results anew": lambda: [arrange(search.results, other) for search in searches],
        "two settings compared": lambda: compare(searches, now, other),
        "curve with intervals": lambda: threshold_curve(ScoredLabels.of(searches, now)),
        "suggested threshold": lambda: suggest_threshold(ScoredLabels.of(searches, now)),
    }
    first = 0.0
    for name, part in parts.items():
        took = _median_ms(part)
        first = first or took
        print(f"{name:48s} {took:7.1f} ms   {took / first:5.2f} x the first")
    _stored_searches()


def _stored_searches() -> None:
    with TemporaryDirectory() as folder:
        database = Database(Path(folder) / "kept.sqlite")
        kept = StoredSearches(database, days=90, most=KEPT)
        kept.keep("first", "", REPORT)
        with database.writing() as connection:
            row = dict(connection.execute(select(SEARCHES)).mappings().one())
            rows = [row | {"id": str(number), "created_at": NOON + timedelta(seconds=number)} for number in range(KEPT)]
            connection.execute(insert(SEARCHES), rows)
        for number in range(100):
            kept.label(str(number * 100), "", "https://a.kr/1", Label.RELEVANT)
        entries = kept.entries("", labelled=True)
        ids = [entry.id for entry in entries]
        print(f"{KEPT} kept: list and count {_median_ms(lambda: (kept.entries(''), kept.count(''))):.1f} ms", end=", ")
        print(f"labelled ones {_median_ms(lambda: kept.entries('', labelled=True)):.1f} ms", end=", ")
        print(f"{len(ids)} of them loaded {_median_ms(lambda: kept.load(ids, '')):.1f} ms", end=", ")
        print(f"one label {_median_ms(lambda: kept.label('7', '', 'https://a.kr/1', Label.UNSURE)):.1f} ms")
        database.close()


def _median_ms(part: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        part()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def _search(number: int) -> LabelledSearch:
    chance = random.Random(number)
    names = [field.name for field in fields(ScoreParts)]
    results = tuple(
        SearchResult(
            title=f"{number}-{place}",
            url=f"https://example.com/{number}/{place}",
            snippet="",
            source="",
            parts=replace(ScoreParts(), **{name: chance.random() for name in names}),
        )
        for place in range(RESULTS)
    )
    labels = {result.url: chance.choice((Label.RELEVANT, Label.NOT_RELEVANT)) for result in results}
    return LabelledSearch(id=str(number), query="", results=results, labels=labels)
