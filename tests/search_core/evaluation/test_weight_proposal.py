"""Weights that labels speak for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from search_core.domain import RankingOptions, RankingWeights, ScoreParts
from search_core.evaluation.labels import LabelledSearch
from search_core.evaluation.weight_proposal import propose_weights
from tests.search_core.evaluation.made import alike, search


def misled(number: int) -> LabelledSearch:
    """Return a search whose words mislead and whose entities tell."""
    made = search(f"s{number}-", (0.9, "-"), (0.8, "-"), (0.3, "+"))
    entities = (0.0, 0.1, 1.0)
    results = tuple(
        replace(result, parts=ScoreParts(lexical=result.parts.lexical, entity=entity))
        for result, entity in zip(made.results, entities, strict=True)
    )
    return replace(made, results=results)


def test_too_few_searches_are_refused():
    """Nineteen searches lack one, searches of one label do not count, and where the order is right nothing is proposed."""
    found = propose_weights([misled(number) for number in range(19)], RankingOptions())
    assert (found.weights, found.gain, found.missing_searches) == (None, None, 1)
    assert propose_weights(alike(40, "++"), RankingOptions()).searches == 0
    right = propose_weights([search(f"s{n}-", (0.9, "+"), (0.2, "-")) for n in range(24)], RankingOptions())
    assert right.weights is None
    assert right.gain is not None
    assert not right.gain.shown


def test_better_weights_are_proposed_with_their_gain():
    """Where words mislead and entities tell, the second are to count for more; the gain is from half to all."""
    found = propose_weights([misled(number) for number in range(24)], RankingOptions())
    assert found.weights is not None
    assert found.weights.lexical / found.weights.entity < RankingWeights().lexical / RankingWeights().entity
    assert found.gain is not None
    assert found.gain.figure.value == pytest.approx(0.5)
