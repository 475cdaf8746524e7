"""How often the answer line answers, and how often it is wrong.

``found`` is the share of questions of which a shown result holds the answer, in its title or its snippet, whose line holds it;
``quiet`` is 1 less the share of all questions that get a line that does not. Both count an answer that is named by half of its
words and no other choice; ``spelt_found`` and ``spelt_quiet`` want its letters, as the marks of RealTimeQA do. Each set is
halved: ``held`` was not learnt from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from search_core.answers.answer_line import find_answer_line
from search_core.domain.report import SearchReport
from search_core.models.embedding import Embedder
from search_core.search.ranking import RelevanceFilter
from tests.quality.answer_line_sets import Recorded, korquad, pooled, realtimeqa, searched
from tests.quality.scope import ALL, Scope
from tests.quality.scorers import scorers
from tests.quality.sets import share

SETS = {"realtimeqa": realtimeqa, "pooled": pooled, "korquad": korquad}


class Told(NamedTuple):
    """What a question's line and its results hold, by letters and by words."""

    line: bool
    spelt: bool
    """Whether the line spells the answer."""
    held: bool
    shown_spelt: bool
    shown_held: bool


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return each figure by name; none without development data."""
    figures: dict[str, float] = {}
    if not scope.reads_development:
        return figures
    for _, embedder in scorers(scope):
        for name, rows in SETS.items():
            halves: dict[bool, list[Told]] = {True: [], False: []}
            for recorded in rows():
                halves[recorded.learnt_from].append(tell(recorded, embedder))
            for learnt, part in ((False, "held"), (True, "learnt")):
                found = figures_of(halves[learnt])
                figures |= {f"answer_line/{embedder.name}/{name}/{part}_{figure}": value for figure, value in found.items()}
    return figures


def tell(recorded: Recorded, embedder: Embedder) -> Told:
    """Return what the line of a search that found what was recorded holds."""
    report = searched(recorded, embedder)
    line = find_answer_line(report, RelevanceFilter(embedder))
    sentence = line.sentence if line is not None else ""
    shown = _texts(report)
    return Told(
        line is not None,
        recorded.is_spelt_in(sentence),
        recorded.is_held_by(sentence),
        any(map(recorded.is_spelt_in, shown)),
        any(map(recorded.is_held_by, shown)),
    )


def figures_of(told: Sequence[Told]) -> dict[str, float]:
    """Return the figures of one half of a set."""
    return {
        "found": share(each.held for each in told if each.shown_held),
        "quiet": share(not each.line or each.held for each in told),
        "spelt_found": share(each.spelt for each in told if each.shown_spelt),
        "spelt_quiet": share(not each.line or each.spelt for each in told),
    }


def _texts(report: SearchReport) -> list[str]:
    return [f"{result.title}\n{result.snippet}" for result in report.results]
