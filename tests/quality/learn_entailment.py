"""Learns the entailment model: ``python -m tests.quality.learn_entailment`` writes ``models/embedding/data/entailment.npz``.

The learning rate rises, stays, and falls over the last part of the steps. What a step learns from follows from ``SEED`` and its
number alone. Every five minutes a checkpoint is written; the same command goes on from it, and with more ``--steps`` for longer:
until the rate falls nothing depends on their number. Then temperature and thresholds are fitted on the pairs to choose by.

At 4,000 steps (52 minutes of two cores that others used as well) 69.1 % of the pairs of KLUE were right in 8 bits, 69.5 % in 32.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from search_core.models.embedding.e5.model import CLASSES, LONGEST, E5Model
from search_core.models.embedding.e5.tokenizer import PieceTokenizer
from search_core.models.embedding.e5.weights_file import ENTAILMENT, Floats, WeightsFile
from tests.quality.entailment_pairs import BEARS_OUT, DENIES, pairs_to_learn, read_labelled, read_written
from tests.quality.learning_layers import DEVICE, Learner, PairNetwork, learner_options, padded, shipped_file

SEED = 24
STEPS, BATCH = 4_000, 32
RATE_OF_HEAD = 2e-4
WARM, FALLING = 60, 0.3
SMOOTHING = 0.05
CHOSEN_BY = ("klue", "fever-symmetric", "fool-me-twice", "written", "alike")
"""What temperature and thresholds are fitted on: the project's own pairs, and sources under licences that allow it."""
PRECISION = {BEARS_OUT: 0.88, DENIES: 0.85}
"""What the thresholds hold to. At .88 a denial would be said of 1.6 % of those of KLUE, at .85 of 19 %."""
_APART = ("klue", "written", "alike")
"""What thresholds hold for by itself; for the others together."""
_POOLS = 32
"""Batches are cut from so many of their size, sorted by length."""
Coded = tuple[list[int], int]
"""The numbers of a pair, and its label."""


def batches(tokenizer: PieceTokenizer) -> Iterator[list[Coded]]:
    """Yield batches of pairs of about one length without end; each pass draws pairs anew."""
    for number in itertools.count():
        chance = random.Random(SEED + number)
        pairs = pairs_to_learn(chance)
        coded = tokenizer.encode_pairs([(pair.window, pair.statement) for pair in pairs], LONGEST)
        rows = list(zip(coded, [pair.label for pair in pairs], strict=True))
        chance.shuffle(rows)
        for at in range(0, len(rows), BATCH * _POOLS):
            pool = sorted(rows[at : at + BATCH * _POOLS], key=lambda row: len(row[0]))
            cut = [pool[start : start + BATCH] for start in range(0, len(pool), BATCH)]
            chance.shuffle(cut)
            yield from cut


def cooled(odds: Floats, temperature: float) -> Floats:
    """Return *odds* at a temperature, as probabilities that add up to 1."""
    powers: Floats = odds ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def fit_temperature(odds: Floats, labels: NDArray[np.int_]) -> float:
    """Return the temperature that gives the right labels the largest likelihood."""
    places = np.arange(len(labels))
    return float(min(np.geomspace(0.5, 4.0, 200), key=lambda value: -np.log(cooled(odds, value)[places, labels]).mean()))


def fit_threshold(odds: Floats, right: NDArray[np.bool_], precision: float) -> float:
    """Return the least probability from which on *precision* of the pairs are right, 1 if there is none."""
    order = np.argsort(-odds)
    precise = np.flatnonzero(np.cumsum(right[order]) / np.arange(1, len(order) + 1) >= precision)
    return float(odds[order[precise[-1]]]) if len(precise) else 1.0


def write(network: PairNetwork, target: Path) -> None:
    """Write the weights, and the temperature and thresholds fitted on what the engine makes of them."""
    pairs = [pair for pair in (*read_labelled("dev"), *read_written("dev")) if pair.source in CHOSEN_BY]
    labels = np.array([pair.label for pair in pairs])
    arrays = network.learnt()
    np.savez_compressed(target, **arrays, temperature=np.ones(1, dtype=np.float32))
    odds = E5Model(shipped_file(), 2, target).judge([(pair.window, pair.statement) for pair in pairs])
    temperature = fit_temperature(odds, labels)
    odds = cooled(odds, temperature)
    kinds = np.array([pair.source if pair.source in _APART else "" for pair in pairs])
    thresholds = [
        max(
            fit_threshold(odds[rows, label], labels[rows] == label, precision)
            for rows in (kinds == kind for kind in ("", *_APART))
        )
        for label, precision in PRECISION.items()
    ]
    arrays |= {"temperature": np.array([temperature], dtype=np.float32), "thresholds": np.array(thresholds, dtype=np.float32)}
    np.savez_compressed(target, **arrays)
    right = odds.argmax(axis=1) == labels
    for source in CHOSEN_BY:
        print(f"{source}: accuracy {right[[pair.source == source for pair in pairs]].mean():.3f}")
    print(f"temperature {temperature:.3f}, thresholds {thresholds}, {target.stat().st_size} bytes")


def main() -> None:
    """Learn from the last checkpoint on and write the weights."""
    args = learner_options(__doc__, "entailment", STEPS, ENTAILMENT).parse_args()
    weights = WeightsFile(shipped_file())
    torch.manual_seed(SEED)
    network = PairNetwork(weights, CLASSES).to(DEVICE)
    learner = Learner(network, network.groups(RATE_OF_HEAD), args.checkpoint, args.steps, warm=WARM, falling=FALLING)
    unread = itertools.islice(batches(PieceTokenizer(weights.pieces(), LONGEST)), learner.step, None)

    def loss_of(_: random.Random) -> Tensor:
        batch = next(unread)
        with torch.autocast(DEVICE.type, torch.bfloat16):
            logits = network(*padded(numbers for numbers, _ in batch))
        labels = torch.tensor([label for _, label in batch], device=DEVICE)
        return functional.cross_entropy(logits.float(), labels, label_smoothing=SMOOTHING)

    learner.learn(loss_of)
    write(network.eval(), args.target)


if __name__ == "__main__":
    main()
