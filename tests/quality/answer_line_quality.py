"""How often the answer line answers, and how often it is wrong, for the half of each set that is not learnt from.

``found`` is the share of questions of which a shown result holds the answer, in its title or its snippet, whose line holds it;
``quiet`` is 1 less the share of all questions that get a line that does not. Both count an answer that is named by half of its
words and no other choice; ``spelt_found`` and ``spelt_quiet`` want its letters, as the marks of RealTimeQA do.
"""

from __future__ import annotations

from typing import NamedTuple

from search_core.answers.answer_line import find_answer_line
from search_core.language.vectors import Embedder
from search_core.search.ranking.filter import RelevanceFilter
from tests.quality.answer_line_sets import Recorded, korquad, pooled, realtimeqa, searched
from tests.quality.scope import Scope
from tests.quality.scorers import figures_of_scorers
from tests.quality.sets import share, under

SETS = {"realtimeqa": realtimeqa, "pooled": pooled, "korquad": korquad}


class Outcome(NamedTuple):
    """Whether the answer is in a question's line and in its results, by letters and by words."""

    line: bool
    spelt: bool
    """Whether the line spells the answer."""
    held: bool
    shown_spelt: bool
    shown_held: bool


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name; none without development data."""
    return figures_of_scorers("answer_line", scope, _figures) if scope.reads_development else {}


def _figures(embedder: Embedder) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, rows in SETS.items():
        outcomes = [ask(recorded, embedder) for recorded in rows() if not recorded.learnt_from]
        shares = {
            "held_found": share(each.held for each in outcomes if each.shown_held),
            "held_quiet": share(not each.line or each.held for each in outcomes),
            "held_spelt_found": share(each.spelt for each in outcomes if each.shown_spelt),
            "held_spelt_quiet": share(not each.line or each.spelt for each in outcomes),
        }
        figures |= under(name, shares)
    return figures


def ask(recorded: Recorded, embedder: Embedder) -> Outcome:
    """Search with the recorded results and return whether the line and the results hold the answer."""
    report = searched(recorded, embedder)
    line = find_answer_line(report, RelevanceFilter(embedder))
    sentence = line.sentence if line is not None else ""
    shown = [f"{result.title}\n{result.snippet}" for result in report.results]
    return Outcome(
        line is not None,
        recorded.is_spelt_in(sentence),
        recorded.is_held_by(sentence),
        any(map(recorded.is_spelt_in, shown)),
        any(map(recorded.is_held_by, shown)),
    )
