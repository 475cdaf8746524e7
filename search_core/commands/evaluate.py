"""``evaluate [LABELS.jsonl]``: how well labelled searches are placed, and the threshold that they speak for."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.domain import SCORE_SCALE, RankingOptions
from search_core.errors import InputError, MaekrakError
from search_core.ranking.evaluation.label_file import read_labelled_line
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.measures import Measures, measure
from search_core.ranking.evaluation.threshold import Suggestion, suggest_threshold
from search_core.settings import Settings
from search_core.text.json_line import read_line

EXIT_NOTHING_TO_MEASURE = 1
_MODEL_WAIT_S = 120.0
PRECISION, CONFIDENCE = 0.8, 0.9
"""What the suggestion is to promise, and how surely."""
_MOST_STORED = 1000
_FIGURES = {
    "ndcg@10": "ndcg",
    "p@10": "precision",
    "judged@10": "judged",
    "precision_shown": "shown_relevant",
    "recall_found": "found",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Labelled:
    """The labelled searches there are, what scored them, and the lines that cannot be used with the reason."""

    searches: tuple[LabelledSearch, ...]
    scorers: frozenset[str]
    bad_lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    """What labels come to."""

    ranking: RankingOptions
    labelled: _Labelled
    labels: ScoredLabels
    measures: Measures
    suggestion: Suggestion


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Measure labelled searches and print; 1 when there is none. Lines that cannot be used are named and skipped."""
    with closing(SearchCore.from_settings(settings)) as core:
        ranking = core.default_options().ranking
        labelled = _score_lines(core, args.labels) if args.labels else _stored(core)
    if args.threshold is not None:
        ranking = replace(ranking, threshold=args.threshold)
    labels = ScoredLabels.of(labelled.searches, ranking.max_results)
    found = _Evaluation(
        ranking=ranking,
        labelled=labelled,
        labels=labels,
        measures=measure(labelled.searches, ranking),
        suggestion=suggest_threshold(labels, PRECISION, CONFIDENCE),
    )
    print(json.dumps(_as_json(found), ensure_ascii=False, indent=2))
    for number, reason in labelled.bad_lines:
        print(f"line {number}: {reason}", file=sys.stderr)
    return 0 if labelled.searches else EXIT_NOTHING_TO_MEASURE


def _stored(core: SearchCore) -> _Labelled:
    """Return the searches whose results were labelled on the page, by whomever."""
    stored = [each for each in core.stored_searches.labelled(most=_MOST_STORED) if each.report.scale == SCORE_SCALE]
    return _Labelled(searches=tuple(map(LabelledSearch.of, stored)), scorers=frozenset(search.report.scorer for search in stored))


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"The file cannot be read: {error}", korean="파일을 읽지 못했어요. 경로를 확인해 주세요.") from None


def _score_lines(core: SearchCore, path: str) -> _Labelled:
    searches: list[LabelledSearch] = []
    bad: list[tuple[int, str]] = []
    scorers: set[str] = set()
    core.scorer(wait_s=_MODEL_WAIT_S)
    for number, text in _lines(path):
        try:
            line = read_labelled_line(read_line(text), datetime.now(UTC))
            report = core.report_on(line.question, line.results)
        except MaekrakError as error:
            bad.append((number, str(error)))
            continue
        scorers.add(report.scorer)
        searches.append(LabelledSearch(results=(*report.results, *report.hidden), labels=line.labels))
    return _Labelled(searches=tuple(searches), scorers=frozenset(scorers), bad_lines=tuple(bad))


def _lines(path: str) -> Iterator[tuple[int, str]]:
    text = sys.stdin.read() if path == "-" else _read(path).decode("utf-8-sig", "replace")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _as_json(found: _Evaluation) -> dict[str, Any]:
    judged, results = int(found.labels.judged.sum()), sum(len(search.results) for search in found.labelled.searches)
    return {
        "searches": found.labels.searches,
        "results": results,
        "labels": judged,
        "judged": judged / results if results else None,
        "scorer": ", ".join(sorted(found.labelled.scorers)),
        "ranking": asdict(found.ranking),
        "measures": {name: getattr(found.measures, field) for name, field in _FIGURES.items()},
        "suggested": {**asdict(found.suggestion), "korean": found.suggestion.korean},
        "bad_lines": [{"line": number, "error": reason} for number, reason in found.labelled.bad_lines],
    }
