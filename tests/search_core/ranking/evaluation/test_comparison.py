"""Two settings on the same labelled searches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from search_core.domain import RankingOptions, RankingWeights, ScoreParts, result_key
from search_core.domain.report import HASHED
from search_core.ranking.evaluation.comparison import change_of, change_since, compare, propose_weights
from search_core.ranking.evaluation.labels import LabelledSearch
from search_core.ranking.evaluation.measures import mean_over_searches
from tests.search_core.ranking.evaluation.made import BY_WORDS, alike, search


def test_what_leaves_and_what_moves():
    """A higher threshold lets go what lies between; two results that change places are moved from 1 to 2 and from 2 to 1."""
    lower = change_of(search("a", (0.9, "+"), (0.6, "-")), BY_WORDS, replace(BY_WORDS, threshold=0.7))
    assert ([each.url for each in lower.left], lower.entered, lower.moved) == (["a1"], (), ())
    made = search("a", (0.9, "+"), (0.8, "-"))
    recent = [replace(made.results[0].parts, recency=0.0), replace(made.results[1].parts, recency=1.0)]
    results = tuple(replace(result, parts=parts) for result, parts in zip(made.results, recent, strict=True))
    new = replace(BY_WORDS, weights=replace(BY_WORDS.weights, recency=0.4))
    change = change_of(replace(made, results=results), BY_WORDS, new)
    assert [(move.result.url, move.before, move.after) for move in change.moved] == [("a1", 2, 1), ("a0", 1, 2)]


def test_two_searches_of_one_question_are_held_against_each_other():
    """What is new came, what is missing went; a result whose address was hashed since is the same one."""
    earlier = search("a", (0.9, "+"), (0.8, ""), (0.7, ""))
    later = replace(earlier, results=(earlier.results[2], replace(earlier.results[0], url="new"), earlier.results[1]))
    change = change_since(earlier, later, BY_WORDS)
    assert [result.url for result in change.entered] == ["new"]
    assert [result.url for result in change.left] == ["a0"]
    assert [(move.result.url, move.before, move.after) for move in change.moved] == []
    hashed = tuple(replace(result, url=HASHED + result_key(result.url)) for result in earlier.results)
    assert change_since(earlier, replace(earlier, results=hashed), BY_WORDS).empty


def test_a_difference_in_every_search_is_shown():
    """A gain of .2 to .3 in each of ten searches leaves 0 out of its interval."""
    found = mean_over_searches(np.array([0.2, 0.3] * 5))
    assert found.differs
    assert found.value == pytest.approx(0.25)


def test_no_difference_is_shown_by_chance():
    """Gains and losses of one size, four searches however different, and equal settings show nothing."""
    assert not mean_over_searches(np.array([0.2, -0.2] * 5)).differs
    assert not mean_over_searches(np.array([0.5] * 4)).differs
    assert compare([search("a", (0.9, ""))], BY_WORDS, BY_WORDS).ndcg.value is None, "nothing is labelled"
    same = compare(alike(8, "+-"), BY_WORDS, BY_WORDS)
    assert (same.ndcg.value, same.ndcg.differs, same.changes) == (0.0, False, ())


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
    assert not right.gain.differs


def test_better_weights_are_proposed_with_their_gain():
    """Where words mislead and entities tell, the second are to count for more; the gain is from half to all."""
    found = propose_weights([misled(number) for number in range(24)], RankingOptions())
    assert found.weights is not None
    assert found.weights.lexical / found.weights.entity < RankingWeights().lexical / RankingWeights().entity
    assert found.gain is not None
    assert found.gain.value == pytest.approx(0.5)
