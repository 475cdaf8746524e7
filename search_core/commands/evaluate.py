"""``evaluate``: how well labelled searches are ranked, and the threshold that their labels recommend."""

from __future__ import annotations

import argparse
import json
from contextlib import closing
from dataclasses import asdict, replace

from search_core.core import SearchCore
from search_core.domain.result import SCORE_SCALE
from search_core.search.ranking.evaluation import CONFIDENCE, PRECISION, LabelledSearch, ScoredLabels, measure, suggest_threshold
from search_core.settings import Settings

_MOST_STORED = 1000
_FIGURES = {
    "ndcg@10": "ndcg",
    "p@10": "precision",
    "judged@10": "judged",
    "precision_shown": "shown_relevant",
    "recall_found": "found",
}


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print measures of all labelled searches as JSON; return 1 if there are none."""
    with closing(SearchCore.from_settings(settings)) as core:
        ranking = core.default_options().ranking
        stored = [search for search in core.stored_searches.labelled(most=_MOST_STORED) if search.report.scale == SCORE_SCALE]
    if args.threshold is not None:
        ranking = replace(ranking, threshold=args.threshold)
    searches = [*map(LabelledSearch.of, stored)]
    labels, measures = ScoredLabels.of(searches, ranking.max_results), measure(searches, ranking)
    label_count, results = int(labels.judged.sum()), sum(len(search.results) for search in searches)
    suggestion = suggest_threshold(labels)
    output = {
        "searches": labels.searches,
        "results": results,
        "labels": label_count,
        "judged": label_count / results if results else None,
        "scorer": ", ".join(sorted({search.report.scorer for search in stored})),
        "ranking": asdict(ranking),
        "measures": {name: getattr(measures, field) for name, field in _FIGURES.items()},
        "suggested": {
            "precision_at_least": PRECISION,
            "confidence": CONFIDENCE,
            **asdict(suggestion),
            "korean": suggestion.korean,
        },
    }
    print(json.dumps(output, ensure_ascii=False, indent=2))
    return 0 if searches else 1
