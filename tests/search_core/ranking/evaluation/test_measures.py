"""Measures of labelled searches."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import ir_measures
import pytest
from ir_measures import P, nDCG

from search_core.domain import RankingOptions
from search_core.ranking.evaluation.label_file import qrels_text, run_text
from search_core.ranking.evaluation.measures import measure
from tests.search_core.ranking.evaluation.made import BY_WORDS, alike, search


def test_ndcg_and_precision_by_hand():
    """A relevant first and third of three: DCG 1 + 1/2 over 1 + 1/log2(3); two of ten places. Equal scores keep their order."""
    found = measure([search("a", (0.9, "+"), (0.8, "-"), (0.7, "+"))], BY_WORDS)
    assert found.each[0].ndcg == pytest.approx(1.5 / (1 + 1 / log2(3)))
    assert found.each[0].precision == pytest.approx(0.2)
    assert measure([search("z", (0.7, "+"), (0.7, "-"), (0.7, "-"))], BY_WORDS).each[0].ndcg == pytest.approx(1.0)
    assert measure([search("a", (0.9, "+"), (0.8, ""), (0.7, ""), (0.6, ""))], BY_WORDS).each[0].judged == pytest.approx(0.25)
    nothing = measure([], RankingOptions())
    assert nothing.ndcg.value is nothing.shown_relevant.value is nothing.found.value is None


def test_what_the_threshold_shows():
    """At 50 points two of three judged shown are relevant, three of four shown are judged, two of three relevant are shown."""
    found = measure([search("a", (0.9, "+"), (0.8, "+"), (0.7, "-"), (0.6, ""), (0.4, "+"))], BY_WORDS)
    assert found.shown_relevant.value == pytest.approx(2 / 3)
    assert found.shown_judged.value == pytest.approx(3 / 4)
    assert found.found.value == pytest.approx(2 / 3)
    nothing = measure([search("a", (0.9, "-")), search("b", (0.3, "-"))], BY_WORDS)
    assert (nothing.answerless, nothing.answerless_empty, nothing.each) == (2, 1, ())


def test_an_interval_comes_from_drawing_searches():
    """Of six searches half all good, 2 to 5 of 6 are good in nine of ten draws; five searches have an interval, four none."""
    searches = [*alike(3, "++"), *[replace(each, id=f"x{each.id}") for each in alike(3, "--")]]
    figure = measure(searches, BY_WORDS).shown_relevant
    assert figure.value == pytest.approx(0.5)
    assert (figure.low, figure.high) == (pytest.approx(1 / 6), pytest.approx(5 / 6))
    assert measure(alike(4, "+-"), BY_WORDS).shown_relevant.low is None
    assert measure(alike(5, "+-"), BY_WORDS).shown_relevant.low == pytest.approx(0.5)


def test_files_of_trec_give_the_same_figures(tmp_path):
    """What ir-measures makes of the exported labels and order is what we measure."""
    searches = [search("a", (0.9, "-"), (0.8, "+"), (0.2, "+")), search("b", (0.9, "+"), (0.1, ""))]
    (tmp_path / "qrels").write_text(qrels_text(searches), encoding="utf-8")
    (tmp_path / "run").write_text(run_text(searches, BY_WORDS), encoding="utf-8")
    theirs = ir_measures.calc_aggregate(
        [nDCG @ 10, P @ 10],
        ir_measures.read_trec_qrels(str(tmp_path / "qrels")),
        ir_measures.read_trec_run(str(tmp_path / "run")),
    )
    ours = measure(searches, BY_WORDS)
    assert ours.ndcg.value == pytest.approx(theirs[nDCG @ 10])
    assert ours.precision.value == pytest.approx(theirs[P @ 10])
