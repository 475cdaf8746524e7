"""Has the shipped model learn where sentences end: ``python -m tests.quality.learn_sentence_ends --podcasts FOLDER``.

FOLDER holds github.com/thechangelog/transcripts (CC BY-SA 4.0). Writes ``models/embedding/data/sentence_ends.npz``: what is
added to the lower layers, whose matrices learn whole, in 8 bits, and a convolutional network over their states. It takes five
minutes of a GPU where torch finds one. A checkpoint is written every five minutes; the same command goes on. The threshold of the
highest F1 on the videos to choose by, found with the engine that ships, is taken off what the last layer adds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from search_core.models.embedding.e5.model import LOWEST, WINDOWS, E5Model, E5SentenceEnds
from search_core.models.embedding.e5.tokenizer import PieceTokenizer
from search_core.models.embedding.e5.weights_file import SENTENCE_ENDS, WeightsFile
from search_core.models.embedding.model_embedder import AROUND, read_in_windows
from search_core.video.sentences import plain_word
from tests.quality.learning_layers import DEVICE, SEED, Learner, LowerLayers, half, learner_options, padded, shipped_file
from tests.quality.spoken_words import CHOSEN_BY, KEPT_ASIDE, UNKNOWN, Word, english_videos, podcasts, video_words

STEPS, BATCH, WORDS = 8_600, 64, 192
"""Batches, windows of a batch, words of a window."""
ENDS = (0.025, 0.13)
"""Ends for each word; transcripts with fewer or more of them are not punctuated by people."""
RATE, RATE_OF_NETWORK = 1.5e-4, 1e-3
"""Highest rates of the layers, and of the network behind them."""
WARM, FALLING, DROPPED = 350, 0.96, 0.1
RANK = 96
"""Of what is written; by all that was learnt F1 is .001 higher, in a file twice as large."""
INNER, OUTER = 128, 160
"""Numbers of a word in the first layer of the network, and in the layers behind it."""
OF_VIDEOS = 0.03
"""The share of windows that are of videos: of these there are fifty times fewer words than of podcasts."""
MOST_PIECES = 510
"""Of a window; the model has places for two marks more."""
NORMED_BY = 64
"""Windows whose states say what is usual."""
EPISODES = 2_000


class Spoken(NamedTuple):
    """The numbers of words, and after which of them a sentence ends."""

    words: list[int]
    ends: list[int]


class Reader(nn.Module):
    """The network of ``E5SentenceEnds`` in torch."""

    def __init__(self, weights: WeightsFile) -> None:
        """Take the shipped model's *weights*."""
        super().__init__()
        self.below = LowerLayers(weights, LOWEST, dropped=DROPPED)
        sizes = [weights.sizes.hidden, INNER, *[OUTER] * (len(WINDOWS) - 2), 1]
        self.network = nn.ModuleList(
            nn.Conv1d(sizes[at], sizes[at + 1], width, padding=width // 2 * apart, dilation=apart)
            for at, (width, apart) in enumerate(WINDOWS)
        )
        self.dropout = nn.Dropout(DROPPED)

    def of_words(self, numbers: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """Return ``(windows, hidden, words)``: the state of each word's last piece, at *places* ``(windows, words)``."""
        states = self.below(numbers, mask)
        return torch.gather(states, 1, places[:, :, None].expand(-1, -1, states.shape[2])).transpose(1, 2)

    def forward(self, numbers: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """Return ``(windows, words)`` log odds."""
        return self.odds_of(self.of_words(numbers, mask, places))

    def odds_of(self, states: Tensor) -> Tensor:
        """Return ``(windows, words)`` log odds of states ``(windows, hidden, words)``."""
        read = self.network[0](states)
        for number, layer in enumerate(self.network[1:-1]):
            read = torch.relu(layer(self.dropout(read))) + (read if number else 0)
        odds: Tensor = self.network[-1](read)[:, 0]
        return odds

    def take_usual(self, states: Tensor) -> None:
        """Start from *states* ``(windows, hidden, words)`` as what is usual, so that all channels begin equally large."""
        mean, deviation = states.float().mean(dim=(0, 2)), states.float().std(dim=(0, 2)) + 1e-3
        first = self.network[0]
        first.weight.data /= deviation[None, :, None]
        first.bias.data -= first.weight.data[:, :, 0] @ mean

    def learnt(self, threshold: float = 0.0) -> dict[str, Any]:
        """Return what was learnt by name, the *threshold* of its log odds taken off."""
        arrays = self.below.learnt(RANK)
        for number, layer in enumerate(self.network):
            less = threshold if number == len(WINDOWS) - 1 else 0.0
            arrays |= {f"c{number}.w": half(layer.weight), f"c{number}.b": half(layer.bias - less)}
        return arrays


class Transcripts:
    """The transcripts that are learnt from, cut into the pieces of the model."""

    def __init__(self, folder: Path, tokenizer: PieceTokenizer) -> None:
        self._known = dict[str, int]()
        said = podcasts(folder, EPISODES, random.Random(SEED))
        self._podcasts = [self._read(words) for words in said if is_punctuated(words)]
        if not self._podcasts:
            raise SystemExit(f"There is no transcript to learn from in {folder}.")
        videos = (video_words(name) for name in english_videos() if name not in (*KEPT_ASIDE, *CHOSEN_BY))
        self._videos = [self._read(words) for words in videos if len(words) > WORDS]
        self._pieces = [tokenizer.encode_words([word])[0][1:-1] for word in self._known]
        self._marks = tokenizer.encode_words([])[0]

    def windows(self) -> Iterator[Spoken]:
        """Yield windows without end: of podcasts each once in a pass, cut elsewhere in every pass, and some of videos."""
        chance = random.Random(SEED)
        lengths = [len(video.words) for video in self._videos]
        while True:
            starts = [
                (episode, start)
                for episode in self._podcasts
                for start in range(chance.randrange(WORDS), len(episode.words) - WORDS + 1, WORDS - 2 * AROUND)
            ]
            chance.shuffle(starts)
            for episode, start in starts:
                while chance.random() < OF_VIDEOS:
                    video = chance.choices(self._videos, lengths)[0]
                    yield self._window(video, chance.randrange(len(video.words) - WORDS))
                yield self._window(episode, start)

    def batch(self, windows: Sequence[Spoken]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the numbers of pieces of *windows* as one tensor, which places of it are filled, and those of words.

        They are those of ``encode_words``, which would cut each word anew and take longer than a step of a GPU.
        """
        pieces = [[self._pieces[word] for word in window.words] for window in windows]
        first, last = self._marks
        numbers, mask = padded([first, *[*chain(*words)][:MOST_PIECES], last] for words in pieces)
        places = torch.tensor([[*accumulate(map(len, words))] for words in pieces]).clamp(max=MOST_PIECES)
        return numbers, mask, places.to(DEVICE)

    def _read(self, words: Sequence[Word]) -> Spoken:
        known = self._known
        return Spoken([known.setdefault(plain_word(word.text), len(known)) for word in words], [word.ends for word in words])

    @staticmethod
    def _window(said: Spoken, start: int) -> Spoken:
        return Spoken(said.words[start : start + WORDS], said.ends[start : start + WORDS])


def loss_of_ends(odds: Tensor, ends: Tensor) -> Tensor:
    """Return the cross entropy of log *odds* and *ends*, where these are known."""
    known = ends != UNKNOWN
    return functional.binary_cross_entropy_with_logits(odds[known], ends[known])


def is_punctuated(words: Sequence[Word]) -> bool:
    """Return whether a transcript is long enough to learn from and punctuated by people."""
    return len(words) > WORDS and ENDS[0] < sum(word.ends == 1 for word in words) / len(words) < ENDS[1]


def learn(reader: Reader, transcripts: Transcripts, checkpoint: Path, steps: int) -> None:
    """Have *reader* learn from *transcripts*."""
    windows = transcripts.windows()
    with torch.no_grad():
        reader.take_usual(reader.of_words(*transcripts.batch([*islice(windows, NORMED_BY)])))
    head = {"params": [*reader.network.parameters()], "rate": RATE_OF_NETWORK, "weight_decay": 0.01}
    learner = Learner(reader, [*reader.below.groups(RATE, RATE), head], checkpoint, steps, warm=WARM, falling=FALLING)
    unread = islice(windows, learner.step * BATCH, None)

    def loss_of(_: random.Random) -> Tensor:
        batch = [*islice(unread, BATCH)]
        with torch.autocast(DEVICE.type, torch.bfloat16):
            odds = reader(*transcripts.batch(batch))
        return loss_of_ends(odds.float(), torch.tensor([window.ends for window in batch], device=DEVICE).float())

    learner.learn(loss_of)


def write(reader: Reader, target: Path) -> None:
    """Write what was learnt, with the threshold that is best for the engine."""
    np.savez_compressed(target, **reader.learnt())
    engine = E5SentenceEnds(E5Model(shipped_file(), threads=2), target)
    odds, ends = [], []
    for name in CHOSEN_BY:
        words = video_words(name)
        windows = read_in_windows([plain_word(word.text) for word in words])
        odds += [engine.odds([window])[inner] for window, inner in windows]
        ends.append(np.array([word.ends for word in words], dtype=np.float32))
    threshold, reached = best_threshold(np.concatenate(odds), np.concatenate(ends))
    np.savez_compressed(target, **reader.learnt(threshold))
    print(f"F1 on the videos to choose by {reached:.4f}, {target.stat().st_size} bytes")


def best_threshold(odds: NDArray[np.float32], ends: NDArray[np.float32]) -> tuple[float, float]:
    """Return the log odds from which on to tell an end, for the highest F1, and that."""
    odds, ends = odds[ends != UNKNOWN], ends[ends != UNKNOWN]
    order = np.argsort(-odds)
    scores = 2 * np.cumsum(ends[order]) / (np.arange(1, len(odds) + 1) + ends.sum())
    best = int(scores.argmax())
    return float(odds[order[best]]), float(scores[best])


def main() -> None:
    """Learn from the last checkpoint on and write the weights."""
    parser = learner_options(__doc__, "sentence_ends", STEPS, SENTENCE_ENDS)
    parser.add_argument("--podcasts", type=Path, required=True)
    args = parser.parse_args()
    weights = WeightsFile(shipped_file())
    tokenizer = PieceTokenizer(weights.pieces(), weights.sizes.positions)
    torch.manual_seed(SEED)
    reader = Reader(weights).to(DEVICE)
    learn(reader, Transcripts(args.podcasts, tokenizer), args.checkpoint, args.steps)
    write(reader.eval(), args.target)


if __name__ == "__main__":
    main()
