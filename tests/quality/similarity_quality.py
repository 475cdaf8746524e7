"""How well similarities agree with people, on pairs of Korean sentences and across languages.

``rho`` is Spearman's, of what the shipped mix says of two sentences (one as the question, one as the text) and the scores people
gave (KorSTS, KLUE-STS). ``translation_first`` is the share of Korean news sentences whose own translation is nearest among
those of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from search_core.domain import SearchResult
from search_core.embedding import Embedder
from search_core.ranking import RelevanceFilter
from tests.quality.scope import ALL, Scope
from tests.quality.scorers import scorers
from tests.quality.sets import loaders, spread

PAIRS = 250
SENTENCES = 100


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name, none without the development data."""
    figures: dict[str, float] = {}
    for _, embedder in scorers(scope) if scope.reads_development else ():
        found = figures_of(embedder, loaders())
        figures |= {f"similarity/{embedder.name}/{name}": value for name, value in found.items()}
    return figures


def figures_of(embedder: Embedder, load: Any) -> dict[str, float]:
    """Return the figures of *embedder*."""
    relevance = RelevanceFilter(embedder)
    klue = [(row["labels"]["real-label"], row["sentence1"], row["sentence2"]) for row in load.klue("sts")]
    news = spread(load.parallel("ntrex", "dev"), SENTENCES)
    english = [row["en"] for row in news]
    nearest = [int(np.argmax(_scores(relevance, row["ko"], english))) for row in news]
    return {
        "korsts_rho": _rho(relevance, spread(load.korsts("dev"), PAIRS)),
        "klue_sts_rho": _rho(relevance, spread(klue, PAIRS)),
        "translation_first": sum(place == number for number, place in enumerate(nearest)) / len(nearest),
    }


def _rho(relevance: RelevanceFilter, pairs: Sequence[tuple[float, str, str]]) -> float:
    said = [_scores(relevance, one, [other])[0] for _, one, other in pairs]
    return float(np.corrcoef(_ranks(said), _ranks([score for score, _, _ in pairs]))[0, 1])


def _scores(relevance: RelevanceFilter, asked: str, texts: Sequence[str]) -> list[float]:
    bare = [SearchResult(title="", url="", snippet=text, source="") for text in texts]
    return [result.relevance_score or 0.0 for result in relevance.score(bare, asked).results]


def _ranks(values: Sequence[float]) -> Any:
    _, ties, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(sizes) - (sizes - 1) / 2)[ties]
