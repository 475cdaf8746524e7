"""Learns the entailment model: ``python -m tests.quality.learn_entailment`` writes ``search_core/ranking/data/entailment.npz``.

The learning rate rises, stays, and falls over the last part of the steps. What a step learns from follows from ``SEED`` and its
number alone. Every ten minutes a checkpoint is written; the same command goes on from it, and with more ``--steps`` for longer:
until the rate falls nothing depends on their number. Then temperature and thresholds are fitted on the pairs to choose by.

At 4,000 steps (52 minutes of two cores that others used as well) 69.1 % of the pairs of KLUE were right in 8 bits, 69.5 % in 32.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from search_core.embedding.e5.model import LONGEST, E5Model, PieceEmbeddings, PieceTokenizer
from search_core.embedding.e5.weights_file import ENTAILMENT, Floats, WeightsFile, find_weights
from tests.quality.entailment_network import EntailmentNetwork, padded
from tests.quality.entailment_pairs import (
    BEARS_OUT,
    DENIES,
    PARALLEL,
    PASSAGES,
    WRITTEN,
    Pair,
    pairs_to_learn,
    parallel_file,
    read_labelled,
    read_written,
)
from tests.quality.sets import DEVELOPMENT, OWN

SEED = 24
BATCH, THREADS = 32, 2
"""Each thread computes its share of a batch; their sum does not depend on who is first."""
STEPS = 4_000
WARM, FALLING = 60, 0.3
RATES = (4e-4, 1e-4, 2e-4)
"""Of additions, biases and norms, and the head."""
SMOOTHING = 0.05
CHECKPOINT_S = 300.0
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


class Learner:
    """Learns step by step, and goes on from a checkpoint."""

    def __init__(self, checkpoint: Path, steps: int, start: Path | None = None, rate: float = 1.0) -> None:
        """Read the shipped model's weights, and *checkpoint* where there is one, else what an earlier run wrote to *start*.

        *rate* is a factor of all rates.
        """
        torch.manual_seed(SEED)
        torch.set_num_threads(1)
        found = find_weights()
        if found is None:
            raise SystemExit("The weights of the shipped model are not on this machine.")
        self._weights = weights = WeightsFile(found)
        self._tokenizer = PieceTokenizer(weights.take_pieces(), LONGEST)
        self._embeddings = PieceEmbeddings(weights)
        self.network = EntailmentNetwork(weights)
        self._optimizer = torch.optim.AdamW(
            self.network.parameters_at((rate * RATES[0], rate * RATES[1], rate * RATES[2])), betas=(0.9, 0.98)
        )
        self._checkpoint, self._steps, self.step = checkpoint, steps, 0
        self._threads = ThreadPoolExecutor(THREADS)
        if checkpoint.exists():
            kept = torch.load(checkpoint, weights_only=True)
            self.network.load_state_dict(kept["network"])
            self._optimizer.load_state_dict(kept["optimizer"])
            self.step = kept["step"]
        elif start is not None:
            with np.load(start) as file:
                self.network.take({name: file[name].astype(np.float32) for name in file.files if file[name].dtype.kind == "f"})

    def learn(self, folder: Path) -> None:
        """Learn from the data in *folder* until all steps are done."""
        saved = began = time.monotonic()
        losses: list[float] = []
        for batch in self._batches(folder):
            losses.append(self._learn_step(batch))
            if self.step % 20 == 0:
                print(f"{self.step:5d}  loss {np.mean(losses[-50:]):.4f}  {time.monotonic() - began:.0f} s", flush=True)
            if time.monotonic() - saved > CHECKPOINT_S or self.step == self._steps:
                self._save()
                saved = time.monotonic()

    def _batches(self, folder: Path) -> Iterator[list[Coded]]:
        """Yield the batches from this step on, pairs of about one length; each pass draws and makes pairs anew."""
        step = 0
        for number in itertools.count():
            pairs = pairs_to_learn(folder, random.Random(SEED + number))
            rows = list(zip(self.encode(pairs), [pair.label for pair in pairs], strict=True))
            for batch in _cut(rows, random.Random(f"{SEED} {number}")):
                if step >= self._steps:
                    return
                if step >= self.step:
                    yield batch
                step += 1

    def _learn_step(self, rows: Sequence[Coded]) -> float:
        share = _rate(self.step, self._steps)
        for group in self._optimizer.param_groups:
            group["lr"] = share * group["rate"]
        self._optimizer.zero_grad()
        loss = sum(self._threads.map(partial(self._share_of_step, count=len(rows)), [rows[at::THREADS] for at in range(THREADS)]))
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self._optimizer.step()
        self.step += 1
        return loss

    def _share_of_step(self, rows: Sequence[Coded], count: int) -> float:
        if not rows:
            return 0.0
        logits = self._logits(self.network, [numbers for numbers, _ in rows])
        labels = torch.tensor([label for _, label in rows])
        loss = functional.cross_entropy(logits, labels, reduction="sum", label_smoothing=SMOOTHING) / count
        loss.backward()
        return float(loss.detach())

    def encode(self, pairs: Sequence[Pair]) -> list[list[int]]:
        """Return the numbers of pieces of each pair."""
        return self._tokenizer.encode_pairs([(pair.window, pair.statement) for pair in pairs], LONGEST)

    def judge(self, pairs: Sequence[Pair]) -> Floats:
        """Return ``(pairs, 3)`` logits of what was learnt, in 32 bits."""
        exact = EntailmentNetwork(self._weights, dtype=torch.float32)
        exact.load_state_dict(self.network.state_dict())
        coded = self.encode(pairs)
        found = np.zeros((len(pairs), 3), dtype=np.float32)
        order = sorted(range(len(coded)), key=lambda place: len(coded[place]))
        with torch.no_grad():
            for start in range(0, len(order), BATCH):
                places = order[start : start + BATCH]
                found[places] = self._logits(exact, [coded[place] for place in places]).numpy()
        return found

    def _logits(self, network: EntailmentNetwork, coded: Sequence[list[int]]) -> torch.Tensor:
        embedded, mask = padded([self._embeddings.embed(numbers) for numbers in coded])
        logits: torch.Tensor = network(network.below(embedded, mask), mask)
        return logits

    def _save(self) -> None:
        part = self._checkpoint.with_suffix(".part")
        kept = {"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict(), "step": self.step}
        torch.save(kept, part)
        part.replace(self._checkpoint)


def _rate(step: int, steps: int) -> float:
    """Return the share of the learning rate at *step*."""
    return min(1.0, (step + 1) / WARM, max((steps - step) / (FALLING * steps), 0.0))


def _cut(rows: Sequence[Coded], chance: random.Random) -> Iterator[list[Coded]]:
    """Yield the batches of a pass."""
    order = list(range(len(rows)))
    chance.shuffle(order)
    for at in range(0, len(order), BATCH * _POOLS):
        pool = sorted(order[at : at + BATCH * _POOLS], key=lambda place: len(rows[place][0]))
        batches = [pool[start : start + BATCH] for start in range(0, len(pool), BATCH)]
        chance.shuffle(batches)
        yield from ([rows[place] for place in batch] for batch in batches)


def cooled(odds: Floats, temperature: float) -> Floats:
    """Return probabilities at a temperature."""
    powers: Floats = odds ** (1 / temperature)
    return powers / powers.sum(axis=1, keepdims=True)


def fit_temperature(odds: Floats, labels: NDArray[np.int_]) -> float:
    """Return the temperature that gives the right labels the largest likelihood."""
    places = np.arange(len(labels))
    return float(min(np.geomspace(0.5, 4.0, 200), key=lambda value: -np.log(cooled(odds, value)[places, labels]).mean()))


def fit_threshold(odds: Floats, right: NDArray[np.bool_], precision: float) -> float:
    """Return the least probability from which on a share of *precision* is right; 1 where there is none."""
    order = np.argsort(-odds)
    precise = np.flatnonzero(np.cumsum(right[order]) / np.arange(1, len(order) + 1) >= precision)
    return float(odds[order[precise[-1]]]) if len(precise) else 1.0


def average(checkpoints: Sequence[Path]) -> dict[str, torch.Tensor]:
    """Return the mean of what was learnt at several checkpoints of a run (Izmailov et al. 2018)."""
    kept = [torch.load(file, weights_only=True)["network"] for file in checkpoints]
    return {name: torch.stack([each[name] for each in kept]).mean(dim=0) for name in kept[0]}


def write(learner: Learner, folder: Path, target: Path) -> None:
    """Write the weights with the temperature and the thresholds that the engine's 8 bits need on the pairs to choose by."""
    pairs = [pair for pair in (*read_labelled(folder, "dev"), *read_written("dev")) if pair.source in CHOSEN_BY]
    labels = np.array([pair.label for pair in pairs])
    arrays = {name: value.astype(np.float16) for name, value in learner.network.learnt().items()}
    arrays["made"] = np.array(json.dumps({"seed": SEED, "steps": learner.step, "learnt_from": _hashes(folder)}))
    np.savez_compressed(target, **arrays, temperature=np.ones(1, dtype=np.float32))
    odds = judged(target, pairs)
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
    exact = learner.judge(pairs).argmax(axis=1) == labels
    for source in CHOSEN_BY:
        rows = np.array([pair.source == source for pair in pairs])
        eight_bits = (odds[rows].argmax(axis=1) == labels[rows]).mean()
        print(f"{source}: accuracy {eight_bits:.3f} in 8 bits, {exact[rows].mean():.3f} in 32")
    print(f"temperature {temperature:.3f}, thresholds {thresholds}, {target.stat().st_size} bytes")


def judged(learnt: Path, pairs: Sequence[Pair]) -> Floats:
    """Return the probabilities that the engine gives *pairs*."""
    weights = find_weights()
    assert weights is not None
    return E5Model(weights, THREADS, learnt).judge([(pair.window, pair.statement) for pair in pairs])


def _hashes(folder: Path) -> dict[str, str]:
    files = [OWN / f"{WRITTEN}.jsonl", folder / "nli" / "train.jsonl.gz", folder / "nli" / "dev.jsonl.gz", folder / PASSAGES]
    files += [parallel_file(folder, name) for name in PARALLEL]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in files}


def main() -> None:
    """Learn, go on where a checkpoint is, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DEVELOPMENT)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--checkpoint", type=Path, default=Path("data/entailment.checkpoint"))
    parser.add_argument("--start", type=Path, help="what an earlier run wrote, to go on from")
    parser.add_argument("--target", type=Path, default=ENTAILMENT)
    parser.add_argument("--rate", type=float, default=1.0, help="factor of the learning rates")
    parser.add_argument(
        "--average", type=Path, nargs="*", default=(), help="earlier checkpoints whose mean with the last is written"
    )
    args = parser.parse_args()
    learner = Learner(args.checkpoint, args.steps, args.start, args.rate)
    learner.learn(args.data)
    if args.average:
        learner.network.load_state_dict(average((*args.average, args.checkpoint)))
    write(learner, args.data, args.target)


if __name__ == "__main__":
    main()
