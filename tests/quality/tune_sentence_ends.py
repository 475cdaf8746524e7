"""Has the shipped model's layers learn where sentences end: ``python -m tests.quality.tune_sentence_ends --podcasts FOLDER``.

Goes on from what ``learn_sentence_ends_by_meaning`` or an earlier round of this wrote to
``search_core/embedding/data/sentence_ends.npz`` and writes that anew, with low-rank additions to the layers from ``FROZEN`` on.
FOLDER is what ``learn_sentence_ends`` learns from; each round reads other windows of it, each once. A checkpoint is written every
five minutes; the same command goes on. The threshold of the highest F1 on the videos to choose by is found with the engine that
ships, in 8 bits.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from search_core.embedding.e5.model import E5Model, PieceEmbeddings, PieceTokenizer
from search_core.embedding.e5.sentence_ends import LOWEST, WINDOWS, E5SentenceEnds
from search_core.embedding.e5.weights_file import SENTENCE_ENDS, WeightsFile, find_weights
from search_core.embedding.sentence_ends import read_in_windows
from search_core.video.sentences import BESIDE_MODEL, plain_word, sentence_end_odds
from tests.quality.entailment_network import padded
from tests.quality.learn_sentence_ends import OF_VIDEOS, SEED, Learner, best_threshold, loss_of_ends
from tests.quality.learn_sentence_ends_by_meaning import of_podcasts, of_videos
from tests.quality.low_rank_layers import HALF, Layer, additions_of, go_on_from, parameters_of
from tests.quality.spoken_words import CHOSEN_BY, Word, video_words

STEPS, BATCH = 1_510, 16
FROZEN = 2
"""Layers that stay as they are."""
WARM, RATE = 50, 6e-4
"""Biases and norms learn at a third of the rate."""
DROPPED, LONGEST_STEP = 0.1, 1.0
OF_EPISODE, KEPT_READY = 14, 6_000
"""Windows of an episode, and how many of several are mixed."""
EPISODES = 2_000


class Window(NamedTuple):
    """What the model reads of some words, and behind which of these a sentence ends."""

    numbers: list[int]
    places: list[int]
    ends: list[int]


class Reader(nn.Module):
    """Computes what ``E5SentenceEnds`` does, from what its file holds."""

    def __init__(self, weights: WeightsFile, learnt: Mapping[str, Any], *, dtype: torch.dtype = HALF) -> None:
        """Take the shipped model's *weights* and what the network has *learnt*; *dtype* is what layers compute in."""
        super().__init__()
        self._dtype = dtype
        self.layers = nn.ModuleList(Layer(weights, number, dtype, learns=number >= FROZEN) for number in range(LOWEST))
        go_on_from(enumerate(self.layers), learnt)
        self.network = nn.ModuleList()
        for number, (width, apart) in enumerate(WINDOWS):
            matrix, bias = (torch.from_numpy(learnt[f"c{number}.{kind}"].astype(np.float32)) for kind in "wb")
            layer = nn.Conv1d(matrix.shape[1], matrix.shape[0], width, padding=width // 2 * apart, dilation=apart)
            share = 1 - BESIDE_MODEL if number == len(WINDOWS) - 1 else 1.0
            layer.weight.data.copy_(matrix / share)
            layer.bias.data.copy_(bias / share)
            self.network.append(layer)
        self.dropout = nn.Dropout(DROPPED)

    def forward(self, embedded: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """Return ``(windows, words)`` log odds; *places* ``(windows, words)`` are those of each word's last piece."""
        states = embedded.to(self._dtype)
        for layer in self.layers:
            states = layer(states, mask[:, None, None])
        of_words = torch.gather(states.float(), 1, places[:, :, None].expand(-1, -1, states.shape[2])).transpose(1, 2)
        read = self.network[0](of_words)
        for number, layer in enumerate(self.network[1:-1]):
            read = torch.relu(layer(self.dropout(read))) + (read if number else 0)
        odds: Tensor = self.network[-1](read)[:, 0]
        return odds

    def learnt(self, threshold: float = 0.0) -> dict[str, Any]:
        """Return what was learnt by name, in 16 bits, *threshold* in it."""
        found = additions_of(enumerate(self.layers[FROZEN:], FROZEN))
        for number, layer in enumerate(self.network):
            matrix, bias = layer.weight.detach().numpy(), layer.bias.detach().numpy()
            if number == len(WINDOWS) - 1:
                matrix, bias = matrix * (1 - BESIDE_MODEL), bias * (1 - BESIDE_MODEL) - threshold
            found |= {f"c{number}.w": matrix, f"c{number}.b": bias}
        return {name: value.astype(np.float16) for name, value in found.items()}


def windows_to_learn(folder: Path, tokenizer: PieceTokenizer, read: int) -> Iterator[Window]:
    """Yield windows of podcasts in *folder*, each once, with those of videos among them, until no podcast is left.

    Which windows these are follows from how many were *read* in earlier rounds.
    """
    chance = random.Random(f"{SEED} {read}")
    videos, ready = [words for windows in of_videos() for words in windows], list[list[Word]]()
    for windows in of_podcasts(folder, EPISODES, OF_EPISODE, seed=f"{SEED} {read}"):
        ready += windows
        if len(ready) < KEPT_READY:
            continue
        chance.shuffle(ready)
        while len(ready) > KEPT_READY // 3:
            words = chance.choice(videos) if chance.random() < OF_VIDEOS else ready.pop()
            yield Window(*tokenizer.encode_words([plain_word(word.text) for word in words]), [word.ends for word in words])


def learn(reader: Reader, windows: Iterator[Window], embeddings: PieceEmbeddings, checkpoint: Path, steps: int) -> None:
    """Have *reader* learn from *windows*."""
    groups = parameters_of(reader.layers[FROZEN:], reader.network.parameters(), (RATE, RATE / 3, RATE))
    learner = Learner(reader, groups, checkpoint, steps, warm=WARM)
    unread = islice(windows, learner.step * BATCH, None)

    def loss_of(_: random.Random) -> Tensor:
        batch = [next(unread) for _ in range(BATCH)]
        embedded, mask = padded([embeddings.embed(window.numbers) for window in batch])
        places, ends = torch.tensor([window.places for window in batch]), torch.tensor([window.ends for window in batch])
        return loss_of_ends(reader(embedded, mask, places), ends.float())

    learner.learn(loss_of, longest=LONGEST_STEP)


def write(reader: Reader, target: Path, windows: int) -> None:
    """Write what was learnt from *windows* of all rounds, with the threshold that is best for the engine."""
    weights = find_weights()
    assert weights is not None
    np.savez_compressed(target, **reader.learnt())
    engine = E5SentenceEnds(E5Model(weights, threads=2), target)
    odds, by_words, ends = [], [], []
    for name in CHOSEN_BY:
        words = video_words(name)
        plain = [plain_word(word.text) for word in words]
        odds += [engine.odds([window])[inner] for window, inner in read_in_windows(plain)]
        by_words.append(BESIDE_MODEL * sentence_end_odds(plain))
        ends.append(np.array([word.ends for word in words], dtype=np.float32))
    threshold, reached = best_threshold(np.concatenate(odds) + np.concatenate(by_words), np.concatenate(ends))
    alone = best_threshold(np.concatenate(odds), np.concatenate(ends))[1]
    made = {
        "seed": SEED,
        "windows": windows,
        "f1_on_videos_to_choose_by": round(reached, 4),
        "alone": round(alone, 4),
    }
    np.savez_compressed(target, **reader.learnt(threshold), made=np.array(json.dumps(made)))
    print(f"{made}, {target.stat().st_size} bytes")


def main() -> None:
    """Learn, go on where a checkpoint is, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--podcasts", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--checkpoint", type=Path, default=Path("data/sentence_ends_tuned.checkpoint"))
    parser.add_argument("--target", type=Path, default=SENTENCE_ENDS)
    args = parser.parse_args()
    found = find_weights()
    if found is None:
        raise SystemExit("The weights of the shipped model are not on this machine.")
    weights = WeightsFile(found)
    tokenizer, embeddings = PieceTokenizer(weights.take_pieces(), weights.sizes.positions), PieceEmbeddings(weights)
    torch.manual_seed(SEED)
    with np.load(SENTENCE_ENDS) as learnt:
        reader = Reader(weights, dict(learnt))
        read = json.loads(str(learnt["made"])).get("windows", 0)
    windows = windows_to_learn(args.podcasts, tokenizer, read)
    learn(reader, windows, embeddings, args.checkpoint, args.steps)
    write(reader.eval(), args.target, read + args.steps * BATCH)


if __name__ == "__main__":
    main()
