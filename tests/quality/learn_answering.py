"""Learns which sentences answer: ``python -m tests.quality.learn_answering`` writes ``models/embedding/data/answering.npz``.

The network is that of the entailment model, goes on from its weights, and gives one number, the log odds that the end of a text
answers a question. A step reads eight questions with up to eight of their texts each; what it lowers is the cross entropy of each
text by itself, and half that of the right one among those of its question.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from search_core.models.embedding.e5.model import LONGEST
from search_core.models.embedding.e5.tokenizer import PieceTokenizer
from search_core.models.embedding.e5.weights_file import ANSWERING, ENTAILMENT, Additions, WeightsFile
from tests.quality.answering_pairs import TIMES, AskedTexts, texts_to_learn
from tests.quality.excerpts_quality import question_scorer
from tests.quality.learning_layers import DEVICE, Learner, PairNetwork, learner_options, padded, shipped_file
from tests.quality.scorers import LOAD_S, shipped_host

SEED = 31
STEPS, QUESTIONS, TEXTS, BESIDE = 1_350, 8, 8, 2
"""Of the texts of a question so many stand beside the one that answers."""
RATE_OF_HEAD, WARM, FALLING = 4e-4, 60, 0.4
RIGHT_COUNTS, AMONG_COUNTS = 2.0, 0.5
AT_ONCE = 16
"""Texts of about one length that are read together."""
Batch = list[tuple[list[tuple[str, str]], bool]]
"""Pairs of a text and its question, the right one first where there is one, and whether there is."""


def draw(asked: Sequence[AskedTexts], chance: random.Random) -> Iterator[AskedTexts]:
    """Yield questions without end, each as often in a pass as ``TIMES`` says of its kind."""
    while True:
        times = [TIMES.get(each.kind, 1.0) for each in asked]
        drawn = [each for each, often in zip(asked, times, strict=True) for _ in range(int(often + chance.random()))]
        chance.shuffle(drawn)
        yield from drawn


def batch_of(drawn: Iterator[AskedTexts], chance: random.Random) -> Batch:
    """Return the questions of a step, each with texts of its own drawn by *chance*."""
    batch: Batch = []
    for asked in (next(drawn) for _ in range(QUESTIONS)):
        right = chance.sample(asked.right, min(1, len(asked.right)))
        beside = [place for place in asked.wrong if any(abs(place - other) <= BESIDE for other in asked.right)]
        hard = chance.sample(beside, min(BESIDE, len(beside)))
        rest = [place for place in asked.wrong if place not in hard]
        places = [*right, *hard, *chance.sample(rest, min(TEXTS - 1 - len(hard), len(rest)))]
        batch.append(([(asked.texts[place], asked.question) for place in places], bool(right)))
    return batch


def loss_of(network: PairNetwork, tokenizer: PieceTokenizer, batch: Batch) -> Tensor:
    """Return the loss of a batch."""
    coded = tokenizer.encode_pairs([pair for pairs, _ in batch for pair in pairs], LONGEST)
    order = sorted(range(len(coded)), key=lambda place: len(coded[place]))
    parts = []
    for start in range(0, len(order), AT_ONCE):
        with torch.autocast(DEVICE.type, torch.bfloat16):
            parts.append(network(*padded(coded[place] for place in order[start : start + AT_ONCE]))[:, 0].float())
    odds = torch.cat(parts)[torch.tensor(np.argsort(order))]
    of_each = odds.split([len(pairs) for pairs, _ in batch])
    labels = torch.cat([torch.arange(len(pairs)) >= int(answered) for pairs, answered in batch]).logical_not().float().to(DEVICE)
    alone = functional.binary_cross_entropy_with_logits(odds, labels, pos_weight=torch.tensor(RIGHT_COUNTS))
    among = [-functional.log_softmax(each, 0)[0] for each, (_, answered) in zip(of_each, batch, strict=True) if answered]
    return alone + AMONG_COUNTS * torch.stack(among).mean() if among else alone


def read_texts(qamr: Path | None) -> list[AskedTexts]:
    """Return what is learnt from, as the shipped model reads talks and results."""
    with shipped_host() as host:
        scorer = replace(question_scorer(host.wait(LOAD_S)), ends=host.sentence_end_odds)
        return texts_to_learn(scorer, qamr)


def main() -> None:
    """Learn from the last checkpoint on and write the weights."""
    parser = learner_options(__doc__, "answering", STEPS, ANSWERING)
    parser.add_argument("--qamr", type=Path, help="the folder data of github.com/uwnlp/qamr")
    args = parser.parse_args()
    weights = WeightsFile(shipped_file())
    tokenizer = PieceTokenizer(weights.pieces(), LONGEST)
    torch.manual_seed(SEED)
    network = PairNetwork(weights, 1)
    network.take(Additions(ENTAILMENT))
    drawn = draw(read_texts(args.qamr), random.Random(SEED))
    learner = Learner(network.to(DEVICE), network.groups(RATE_OF_HEAD), args.checkpoint, args.steps, warm=WARM, falling=FALLING)
    learner.learn(lambda chance: loss_of(network, tokenizer, batch_of(drawn, chance)))
    np.savez_compressed(args.target, **network.eval().learnt(), temperature=np.ones(1, dtype=np.float32))
    print(f"{args.target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
