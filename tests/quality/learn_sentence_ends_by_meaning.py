"""Learns where sentences end by the shipped model: ``python -m tests.quality.learn_sentence_ends_by_meaning --podcasts FOLDER``.

FOLDER is what ``learn_sentence_ends`` learns from. Writes ``search_core/embedding/data/sentence_ends.npz``: a convolutional
network over the states of a middle layer, in 16 bits. States are computed once and kept in ``--states``, an episode after the
other: the same command goes on. The odds of words count beside those learnt here, by ``sentences.BESIDE_MODEL``; the threshold of
the highest F1 of both together on the videos to choose by is taken off what the last layer adds.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from search_core.embedding.e5.model import PieceEmbeddings, PieceTokenizer, build_graph, open_session
from search_core.embedding.e5.sentence_ends import LOWEST, WINDOWS
from search_core.embedding.e5.weights_file import SENTENCE_ENDS, Floats, WeightsFile, find_weights
from search_core.embedding.sentence_ends import read_in_windows
from search_core.video.sentences import BESIDE_MODEL, plain_word, sentence_end_odds
from tests.quality.learn_sentence_ends import (
    OF_VIDEOS,
    SEED,
    WORDS,
    Example,
    best_threshold,
    is_punctuated,
    learn_windows,
    videos_to_learn,
)
from tests.quality.spoken_words import CHOSEN_BY, Word, podcasts, video_words

STEPS, RATE = 2_500, 2e-3
EPISODES, OF_EPISODE = 600, 28
"""Episodes, and windows of each; of videos every window is read that begins half a window behind the one before."""
INNER, OUTER, DROPPED = 128, 160, 0.1
"""Numbers of a word in the first layer of the network, in the layers behind it, and the share that is left out while learning."""
NORMED_BY = 64
"""Windows whose states say what is usual."""


class MiddleLayer:
    """Computes the states that are learnt from."""

    def __init__(self) -> None:
        found = find_weights()
        if found is None:
            raise SystemExit("The weights of the shipped model are not on this machine.")
        weights = WeightsFile(found)
        self.width = weights.sizes.hidden
        self._tokenizer = PieceTokenizer(weights.take_pieces(), weights.sizes.positions)
        self._embeddings = PieceEmbeddings(weights)
        self._session = open_session(build_graph(weights, LOWEST))

    def states(self, words: Sequence[str]) -> Floats:
        """Return ``(words, width)``: the state of each word's last piece."""
        numbers, places = self._tokenizer.encode_words(words)
        states: Floats = self._session.run(None, {"embedded": self._embeddings.embed(numbers)[None]})[0][0]
        return states[places]


class Network(nn.Module):
    """What the graph of ``search_core/embedding/e5/sentence_ends.py`` computes behind the shipped model's layers."""

    def __init__(self, usual: NDArray[np.float32]) -> None:
        """Take states ``(words, width)`` that say how large numbers are as a rule."""
        super().__init__()
        sizes = [usual.shape[1], INNER, *[OUTER] * (len(WINDOWS) - 2), 1]
        self.layers = nn.ModuleList(
            nn.Conv1d(sizes[at], sizes[at + 1], width, padding=width // 2 * apart, dilation=apart)
            for at, (width, apart) in enumerate(WINDOWS)
        )
        self.dropout = nn.Dropout(DROPPED)
        self.register_buffer("mean", torch.from_numpy(usual.mean(axis=0)))
        self.register_buffer("deviation", torch.from_numpy(usual.std(axis=0)))

    def forward(self, states: Tensor) -> Tensor:
        """Return ``(windows, words)`` log odds of states ``(windows, words, width)``."""
        states = self.layers[0](((states.float() - self.mean) / self.deviation).transpose(1, 2))
        for number, layer in enumerate(self.layers[1:-1]):
            states = torch.relu(layer(self.dropout(states))) + (states if number else 0)
        odds: Tensor = self.layers[-1](states)[:, 0]
        return odds

    def learnt(self, threshold: float) -> dict[str, Any]:
        """Return what was learnt by name, the usual size of numbers and *threshold* in it."""
        found: dict[str, Any] = {}
        for number, layer in enumerate(self.layers):
            matrix, bias = layer.weight.detach(), layer.bias.detach()
            if number == 0:
                matrix = matrix / self.deviation[:, None]
                bias = bias - matrix[:, :, 0] @ self.mean
            if number == len(self.layers) - 1:
                matrix, bias = matrix * (1 - BESIDE_MODEL), bias * (1 - BESIDE_MODEL) - threshold
            found |= {f"c{number}.w": matrix.numpy().astype(np.float16), f"c{number}.b": bias.numpy().astype(np.float16)}
        return found


def of_podcasts(
    folder: Path, episodes: int, of_episode: int = OF_EPISODE, *, seed: int | str = SEED
) -> Iterator[list[list[Word]]]:
    """Yield the windows of each episode that is learnt from."""
    chance = random.Random(seed)
    for words in podcasts(folder, episodes, random.Random(seed)):
        starts = [chance.randrange(len(words) - WORDS) for _ in range(of_episode)] if is_punctuated(words) else []
        yield [words[start : start + WORDS] for start in starts]


def of_videos() -> Iterator[list[list[Word]]]:
    """Yield the windows of each video that is learnt from."""
    for words in videos_to_learn():
        yield [words[start : start + WORDS] for start in range(0, len(words) - WORDS + 1, WORDS // 2)]


def kept_examples(windows: Iterator[list[list[Word]]], folder: Path, layer: MiddleLayer) -> list[Example]:
    """Return the states of *windows* and their ends, from files in *folder* where they are there already, one for each text."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Example] = []
    for number, of_text in enumerate(windows):
        file = folder / f"{number}.npy"
        if of_text and not file.exists():
            states = [layer.states([plain_word(word.text) for word in words]).astype(np.float16) for words in of_text]
            part = file.with_suffix(".part.npy")
            np.save(part, np.stack(states))
            part.replace(file)
        kept = np.load(file, mmap_mode="r") if of_text else []
        ends = [np.array([word.ends for word in words], dtype=np.float32) for words in of_text]
        found += zip(kept, ends, strict=True)
    return found


def learn(folder: Path, states: Path, checkpoint: Path, target: Path, *, episodes: int, steps: int) -> None:
    """Learn from podcasts in *folder* and from development videos, and write what was learnt."""
    layer = MiddleLayer()
    videos = kept_examples(of_videos(), states / "videos", layer)
    said = kept_examples(of_podcasts(folder, episodes), states / "podcasts", layer)
    print(f"{len(said)} windows of podcasts, {len(videos)} of videos", flush=True)
    torch.manual_seed(SEED)
    network = Network(np.concatenate([window for window, _ in said[:NORMED_BY]]).astype(np.float32))
    learnt = learn_windows(
        network, checkpoint, steps, RATE, lambda chance: chance.choice(videos if chance.random() < OF_VIDEOS else said)
    )
    network.eval()

    def read(words: Sequence[str]) -> Floats:
        with torch.no_grad():
            found: Floats = network(torch.from_numpy(layer.states(words))[None])[0].numpy()
        return found

    odds, by_words, ends = (np.concatenate(part) for part in zip(*(_judged(name, read) for name in CHOSEN_BY), strict=True))
    threshold, reached = best_threshold((1 - BESIDE_MODEL) * odds + BESIDE_MODEL * by_words, ends)
    made = {
        "seed": SEED,
        "steps": learnt,
        "windows": len(said) + len(videos),
        "f1_on_videos_to_choose_by": round(reached, 4),
        "alone": round(best_threshold(odds, ends)[1], 4),
        "words": round(best_threshold(by_words, ends)[1], 4),
    }
    np.savez_compressed(target, **network.learnt(threshold), made=np.array(json.dumps(made)))
    print(f"{made}, {target.stat().st_size} bytes")


def _judged(name: str, read: Any) -> tuple[Floats, Floats, NDArray[np.float32]]:
    """Return of a video the log odds by meaning and by words, and its ends."""
    words = video_words(name)
    plain = [plain_word(word.text) for word in words]
    odds = np.concatenate([read(window)[inner] for window, inner in read_in_windows(plain)])
    return odds, sentence_end_odds(plain), np.array([word.ends for word in words], dtype=np.float32)


def main() -> None:
    """Learn, go on where states or a checkpoint are, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--podcasts", type=Path, required=True)
    parser.add_argument("--episodes", type=int, default=EPISODES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--states", type=Path, default=Path("data/sentence_ends"))
    parser.add_argument("--checkpoint", type=Path, default=Path("data/sentence_ends_by_meaning.checkpoint"))
    parser.add_argument("--target", type=Path, default=SENTENCE_ENDS)
    args = parser.parse_args()
    learn(args.podcasts, args.states, args.checkpoint, args.target, episodes=args.episodes, steps=args.steps)


if __name__ == "__main__":
    main()
