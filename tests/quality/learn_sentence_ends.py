"""Learns where sentences of spoken English end: ``python -m tests.quality.learn_sentence_ends --podcasts FOLDER``.

FOLDER holds github.com/thechangelog/transcripts (CC BY-SA 4.0). Writes ``search_core/video/data/sentence_ends.npz``: rows of
words and the layers of a convolutional network in 8 bits, and the threshold of the highest F1 on the videos to choose by. What a
step learns from follows from ``SEED`` and its number; a checkpoint is written every five minutes, and the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from search_core.video import sentences
from search_core.video.sentences import ENDINGS, KNOWN, LAYERS, NUMBERS, plain_word, row_of
from tests.quality.learning_layers import in_eight_bits
from tests.quality.spoken_words import CHOSEN_BY, KEPT_ASIDE, UNKNOWN, Word, english_videos, podcasts, video_words

TARGET = Path(sentences.__file__).parent / "data" / "sentence_ends.npz"
SEED = 25
STEPS, BATCH, WORDS = 4_500, 32, 192
"""Batches, windows of a batch, words of a window."""
WIDTH, INNER, DROPPED = 48, 128, 0.1
"""Numbers of a word, of a layer, and the share of them that is left out while learning."""
WARM, FALLING, RATE = 100, 0.6, 3e-3
OF_VIDEOS = 0.12
"""The share of windows that are of videos, which are fewer than podcasts and nearer to what is asked."""
SEEN_IN_VIDEOS = 3
"""So much does a word of videos count beside one of podcasts when words are chosen."""
ENDS = (0.025, 0.13)
"""Ends for each word; transcripts with fewer or more of them are not punctuated by people."""
CHECKPOINT_S = 300.0
Coded = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Rows of words, and for each 1 where a sentence ends behind it, 0, or UNKNOWN."""


class Network(nn.Module):
    """What ``search_core/video/sentences.py`` computes."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.Embedding(KNOWN + NUMBERS + ENDINGS, WIDTH)
        nn.init.normal_(self.rows.weight, std=0.5)
        sizes = [WIDTH, *[INNER] * (len(LAYERS) - 1), 1]
        self.layers = nn.ModuleList(
            nn.Conv1d(sizes[at], sizes[at + 1], width, padding=width // 2 * apart, dilation=apart)
            for at, (width, apart) in enumerate(LAYERS)
        )
        self.dropout = nn.Dropout(DROPPED)

    def forward(self, rows: Tensor) -> Tensor:
        """Return ``(windows, words)`` log odds of *rows* of the same shape."""
        states = self.rows(rows).transpose(1, 2)
        for number, layer in enumerate(self.layers[:-1]):
            states = torch.relu(layer(self.dropout(states))) + (states if number else 0)
        odds: Tensor = self.layers[-1](states)[:, 0]
        return odds

    def learnt(self) -> dict[str, Any]:
        """Return what was learnt by name, in 8 bits with the scale of each."""
        found: dict[str, Any] = {}
        weights = {"words.rows": self.rows.weight}
        weights |= {f"l{number}": layer.weight.permute(2, 1, 0) for number, layer in enumerate(self.layers)}
        for name, weight in weights.items():
            found |= in_eight_bits(name, weight.detach().numpy(), axis=tuple(range(weight.ndim - 1)))
        return found | {f"l{number}.bias": layer.bias.detach().numpy() for number, layer in enumerate(self.layers)}


def choose_words(said: Iterable[Sequence[Word]], videos: Iterable[Sequence[Word]]) -> list[str]:
    """Return the words that get rows of their own: the most frequent ones."""
    counts = Counter(plain_word(word.text) for words in said for word in words)
    for words in videos:
        counts.update({word: SEEN_IN_VIDEOS * count for word, count in Counter(plain_word(each.text) for each in words).items()})
    return [word for word, _ in counts.most_common(KNOWN)]


def encode(words: Sequence[Word], known: dict[str, int]) -> Coded:
    """Return *words* as they are learnt from."""
    rows = [row_of(plain_word(word.text), known) for word in words]
    return np.array(rows, dtype=np.int64), np.array([word.ends for word in words], dtype=np.float32)


class Learner:
    """Learns step by step, and goes on from a checkpoint."""

    def __init__(
        self,
        network: nn.Module,
        groups: list[dict[str, Any]],
        checkpoint: Path,
        steps: int,
        *,
        warm: int = WARM,
        falling: float = FALLING,
    ) -> None:
        """Take the *groups* of an optimizer, each with its highest ``rate``.

        It is reached after *warm* steps, and lowered over the last ones, a share of *falling*.
        """
        self.network = network
        self._optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
        self._checkpoint, self._steps, self._warm, self._falling, self.step = checkpoint, steps, warm, falling, 0
        if checkpoint.exists():
            kept = torch.load(checkpoint, weights_only=True)
            self.network.load_state_dict(kept["network"])
            self._optimizer.load_state_dict(kept["optimizer"])
            self.step = kept["step"]

    def learn(self, loss_of: Callable[[random.Random], Tensor], *, longest: float = math.inf) -> None:
        """Lower what *loss_of* gives, by gradients no longer than *longest*, until all steps are done."""
        saved = began = time.monotonic()
        losses: list[float] = []
        while self.step < self._steps:
            share = min(1.0, (self.step + 1) / self._warm, (self._steps - self.step) / (self._falling * self._steps))
            for group in self._optimizer.param_groups:
                group["lr"] = group["rate"] * share
            self._optimizer.zero_grad()
            loss = loss_of(random.Random(f"{SEED} {self.step}"))
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), longest)
            self._optimizer.step()
            self.step += 1
            losses.append(float(loss.detach()))
            if self.step % 100 == 0:
                print(f"{self.step:5d}  loss {np.mean(losses[-100:]):.4f}  {time.monotonic() - began:.0f} s", flush=True)
            if time.monotonic() - saved > CHECKPOINT_S or self.step == self._steps:
                self._save()
                saved = time.monotonic()

    def _save(self) -> None:
        part = self._checkpoint.with_suffix(".part")
        kept = {"network": self.network.state_dict(), "optimizer": self._optimizer.state_dict(), "step": self.step}
        torch.save(kept, part)
        part.replace(self._checkpoint)


def loss_of_ends(odds: Tensor, ends: Tensor) -> Tensor:
    """Return how far log *odds* are from *ends*, where these are known."""
    known = ends != UNKNOWN
    return functional.binary_cross_entropy_with_logits(odds[known], ends[known])


def best_threshold(odds: NDArray[np.float32], ends: NDArray[np.float32]) -> tuple[float, float]:
    """Return the log odds from which on to tell an end, for the highest F1, and that."""
    odds, ends = odds[ends != UNKNOWN], ends[ends != UNKNOWN]
    order = np.argsort(-odds)
    scores = 2 * np.cumsum(ends[order]) / (np.arange(1, len(odds) + 1) + ends.sum())
    best = int(scores.argmax())
    return float(odds[order[best]]), float(scores[best])


def _odds(network: Network, videos: Sequence[Coded]) -> NDArray[np.float32]:
    network.eval()
    with torch.no_grad():
        return np.concatenate([network(torch.from_numpy(rows)[None])[0].numpy() for rows, _ in videos])


def _window(transcripts: Sequence[Coded], chance: random.Random) -> Coded:
    rows, ends = chance.choice(transcripts)
    start = chance.randrange(len(rows) - WORDS)
    return rows[start : start + WORDS], ends[start : start + WORDS]


def videos_to_learn() -> list[list[Word]]:
    """Return the development transcripts that are neither measured by nor chosen by."""
    names = [name for name in english_videos() if name not in (*KEPT_ASIDE, *CHOSEN_BY)]
    return [words for words in map(video_words, names) if len(words) > WORDS]


def is_punctuated(words: Sequence[Word]) -> bool:
    """Return whether a transcript is long enough to learn from and punctuated by people."""
    return len(words) > WORDS and ENDS[0] < sum(word.ends == 1 for word in words) / len(words) < ENDS[1]


def learn(said: Sequence[Sequence[Word]], checkpoint: Path, steps: int, target: Path) -> None:
    """Learn from what was *said* in podcasts and from development videos, and write what was learnt."""
    videos = videos_to_learn()
    said = [words for words in said if is_punctuated(words)]
    words = choose_words(said, videos)
    known = {word: row for row, word in enumerate(words)}
    torch.manual_seed(SEED)
    network = Network()
    coded_videos, coded = [encode(each, known) for each in videos], [encode(each, known) for each in said]
    torch.set_num_threads(1)
    learner = Learner(network, [{"params": [*network.parameters()], "rate": RATE}], checkpoint, steps)

    def loss_of(chance: random.Random) -> Tensor:
        drawn = [_window(coded_videos if chance.random() < OF_VIDEOS else coded, chance) for _ in range(BATCH)]
        rows, ends = (torch.from_numpy(np.stack(part)) for part in zip(*drawn, strict=True))
        return loss_of_ends(network(rows), ends)

    learner.learn(loss_of)
    chosen_by = [encode(video_words(name), known) for name in CHOSEN_BY]
    threshold, reached = best_threshold(_odds(network, chosen_by), np.concatenate([ends for _, ends in chosen_by]))
    made = {"seed": SEED, "steps": learner.step, "words": sum(map(len, said)), "f1_on_videos_to_choose_by": round(reached, 4)}
    np.savez_compressed(
        target,
        **network.learnt(),
        words=np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        threshold=np.array([threshold], dtype=np.float32),
        made=np.array(json.dumps(made)),
    )
    print(f"{made}, {target.stat().st_size} bytes")


def main() -> None:
    """Learn, go on where a checkpoint is, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--podcasts", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=2_000)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--checkpoint", type=Path, default=Path("data/sentence_ends.checkpoint"))
    parser.add_argument("--target", type=Path, default=TARGET)
    args = parser.parse_args()
    learn([*podcasts(args.podcasts, args.episodes, random.Random(SEED))], args.checkpoint, args.steps, args.target)


if __name__ == "__main__":
    main()
