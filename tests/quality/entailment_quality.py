"""How well the entailment model judges, by source and language: accuracy, and both decided stances from their threshold on.

The pairs to choose by (``nli/dev``) gave the temperature and the thresholds; of KLUE, FEVER and Fool Me Twice others were learnt
from, of ``climate-fever`` and ``healthver`` none. XNLI in Korean and the own pairs of a Korean and an English sentence were seen
by neither. ``python -m tests.quality.entailment_quality`` prints how often what is given a probability is so, in ten bins.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from search_core.relevance.e5.model import E5Model
from search_core.relevance.e5.package import find_weights
from search_core.relevance.e5.weights_file import Floats
from search_core.relevance.entailment import read_thresholds
from tests.quality.entailment_pairs import BEARS_OUT, DENIES, SILENT, Pair, read_labelled
from tests.quality.intent_quality import DEVELOPMENT, _loaders

ACROSS = Path(__file__).parent / "data" / "stances_across.jsonl"
CLASSES = {"agrees": BEARS_OUT, "contradicts": DENIES}
XNLI = {"entailment": BEARS_OUT, "neutral": SILENT, "contradiction": DENIES}
BINS = 10


def measure(*, everything: bool = True) -> dict[str, float]:
    """Return the figures of each source; of the own pairs alone unless *everything*."""
    weights = find_weights()
    if weights is None:
        return {}
    pairs = list(_pairs(everything=everything))
    odds = E5Model(weights, 2).judge([(pair.window, pair.statement) for pair in pairs])
    labels, sources = np.array([pair.label for pair in pairs]), np.array([pair.source for pair in pairs])
    figures: dict[str, float] = {}
    for source in dict.fromkeys(sources):
        rows = sources == source
        found = _figures(odds[rows], labels[rows])
        figures |= {f"entailment/{source}/{name}": value for name, value in found.items()}
    return figures


def _figures(odds: Floats, labels: NDArray[np.int_]) -> dict[str, float]:
    thresholds = read_thresholds()
    figures = {"accuracy": float((odds.argmax(axis=1) == labels).mean())}
    for (name, label), least in zip(CLASSES.items(), (thresholds.bears_out, thresholds.denies), strict=True):
        told, right = odds[:, label] >= least, labels == label
        figures[f"{name}_precision"] = float(right[told].mean()) if told.any() else 1.0
        figures[f"{name}_recall"] = float(told[right].mean())
    return figures


def _pairs(*, everything: bool) -> Iterator[Pair]:
    stances = {"agrees": BEARS_OUT, "contradicts": DENIES}
    for row in map(json.loads, ACROSS.read_text(encoding="utf-8").splitlines()):
        yield Pair(row["web"], row["said"], stances.get(row["stance"], SILENT), "across")
    if everything and (DEVELOPMENT / "loaders.py").exists():
        yield from read_labelled(DEVELOPMENT, "dev")
        for premise, statement, kind in _loaders().xnli_ko("dev"):
            yield Pair(premise, statement, XNLI[kind], "xnli")


def reliability(odds: Floats, labels: NDArray[np.int_]) -> list[list[tuple[int, float, float]]]:
    """Return for each of the three probabilities and each bin: how many, their mean, and the share of them that is so."""
    table = []
    for label in range(odds.shape[1]):
        given, so = odds[:, label], labels == label
        bins = np.minimum((given * BINS).astype(int), BINS - 1)
        rows = [bins == number for number in range(BINS)]
        table.append(
            [(int(row.sum()), float(given[row].mean()), float(so[row].mean())) if row.any() else (0, 0.0, 0.0) for row in rows]
        )
    return table


def print_reliability(sources: Sequence[str] = ("klue", "xnli")) -> None:
    """Print the table of reliability as Markdown."""
    weights = find_weights()
    assert weights is not None
    pairs = [pair for pair in _pairs(everything=True) if pair.source in sources]
    odds = E5Model(weights, 2).judge([(pair.window, pair.statement) for pair in pairs])
    for source in sources:
        rows = np.array([pair.source == source for pair in pairs])
        table = reliability(odds[rows], np.array([pair.label for pair in pairs])[rows])
        print(f"\n{source}\n\n| given | bears out | silent | denies |\n|---|---|---|---|")
        for number, cells in enumerate(zip(*table, strict=True)):
            shown = " | ".join(f"{so:.2f} of {count} (mean {mean:.2f})" if count else "–" for count, mean, so in cells)
            print(f"| {number / BINS:.1f}–{(number + 1) / BINS:.1f} | {shown} |")


if __name__ == "__main__":
    print_reliability()
