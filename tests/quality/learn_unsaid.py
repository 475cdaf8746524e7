"""Learns what questions leave unsaid: ``python -m tests.quality.learn_unsaid`` writes ``models/embedding/data/unsaid.npz``.

The network is that of the entailment model, goes on from the weights of ``answering.npz``, and gives each word of a passage one
number. A step reads sixteen questions of viewers about videos and passages that are not kept aside (``viewer_sets``). It lowers
the negative log likelihood of the words that are meant among all words, the question's own left out; of a question that needs
several things the first counts twice. Title, subject and the beginning of a passage are left out at times.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from search_core.models.embedding.e5.tokenizer import PieceTokenizer
from search_core.models.embedding.e5.weights_file import ANSWERING, UNSAID, Additions, WeightsFile
from search_core.search.understanding.context import centre_of
from search_core.search.understanding.things import surroundings
from search_core.search.understanding.transcript_index import TranscriptIndex
from search_core.search.understanding.unsaid import PlacedWord, lay_out_words
from tests.quality.learn_context import ANALYZER, as_question, index_of, pointed_at, to_learn
from tests.quality.learning_layers import DEVICE, Learner, PairNetwork, learner_options, padded, shipped_file
from tests.quality.scorers import finding_subjects
from tests.quality.viewer_sets import (
    MomentQuestion,
    ViewerReference,
    asked_at_moments,
    is_kept_aside,
    names_any,
    viewer_moments,
    viewer_questions,
    viewer_references,
)

SEED = 5
STEPS, QUESTIONS, POOL = 1_500, 16, 16
"""Steps, questions of a step, and steps whose questions are put together by length."""
RATE_OF_HEAD, WARM, FALLING = 2e-4, 40, 0.5
UNTITLED, WITHOUT_SUBJECT, CUT = 0.25, 0.3, 0.4
"""How often a question is read without title, without subject, and without the beginning of its passage."""
LEAST_CHARS = 150
"""So much before the moment is never cut."""
FURTHER_COUNTS = 0.5
LONGEST = 384
UNLIKELY = -1e4


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what is around its place, and the things that it leaves unsaid, each by any of its names."""

    question: str
    title: str
    subject: str
    passage: str
    here: int
    unsaid: Sequence[Sequence[str]]
    pointing: bool = False
    """The question means the first of them by a pointing word."""


@dataclass(frozen=True, slots=True)
class Example:
    """The words of a question, for each thing that it leaves unsaid which of them name it, and which may."""

    words: list[str]
    meant: list[list[bool]]
    may_be: list[bool]


def asked_of_videos() -> Iterator[Asked]:
    """Yield the questions about videos that are not kept aside."""
    moments = to_learn(asked_at_moments())
    references = [*to_learn(viewer_references()), *(_as_reference(each) for each in moments if each.reference)]
    for row, resolver, reference in pointed_at(references):
        index = index_of(row.video)
        for place in dict.fromkeys((resolver.place_of(reference), index.position_at(row.moment_s))):
            yield from _around(row.question, index, place, [row.meaning], True)
    questions = [*to_learn(viewer_questions()), *(as_question(each) for each in moments if not each.reference)]
    for asked in questions:
        index = index_of(asked.video)
        terms = ANALYZER.analyze_intent(asked.question, index.video, moment_s=asked.moment_s).terms
        names = [] if asked.own else [each for each in asked.names if not names_any(asked.question, each)]
        if asked.own or names:
            yield from _around(asked.question, index, centre_of(terms, index, asked.moment_s), names)


def _as_reference(asked: MomentQuestion) -> ViewerReference:
    return ViewerReference(asked.video, asked.question, asked.reference, tuple(asked.needs[0]), asked.moment_s)


def _around(
    question: str, index: TranscriptIndex, centre: int | None, unsaid: Sequence[Sequence[str]], pointing: bool = False
) -> Iterator[Asked]:
    if centre is not None:
        around = surroundings(index, centre)
        yield Asked(question, index.title, " ".join(index.about), around.text, around.here, unsaid, pointing)


def asked_of_passages() -> Iterator[Asked]:
    """Yield the questions about passages that are not kept aside."""
    for moment in viewer_moments():
        if not is_kept_aside(f"moment:{moment.name}"):
            subject = " ".join(TranscriptIndex(moment.video).about)
            for question in moment.questions:
                yield Asked(
                    question.question,
                    moment.video.title,
                    subject,
                    moment.passage,
                    moment.here,
                    question.needs,
                    bool(question.reference),
                )


def vary(asked: Asked, chance: random.Random) -> Asked:
    """Return *asked* without title, subject or the beginning of its passage, each at times."""
    title = "" if chance.random() < UNTITLED else asked.title
    subject = "" if chance.random() < WITHOUT_SUBJECT else asked.subject
    start = 0
    if chance.random() < CUT and asked.here > LEAST_CHARS:
        start = asked.passage.find(" ", chance.randrange(asked.here - LEAST_CHARS)) + 1
    here = max(0, asked.here - start)
    return replace(asked, title=title, subject=subject, passage=asked.passage[start:], here=here)


def example_of(asked: Asked) -> Example | None:
    """Return what is learnt of *asked*; None where nothing of what it leaves unsaid is among the words."""
    words = lay_out_words(asked.question, asked.title, asked.subject, asked.passage, asked.here)
    texts = {"title": asked.title, "subject": asked.subject, "passage": asked.passage}
    meant = [_named(words, texts, names) for names in asked.unsaid]
    if not asked.unsaid:
        meant = [[word.part == "nothing" for word in words]]
    elif asked.pointing and not any(meant[0]):
        return None
    found = [each for each in meant if any(each)]
    may_be = [word.part not in ("", "question") for word in words]
    return Example([word.text for word in words], found, may_be) if found else None


def _named(words: Sequence[PlacedWord], texts: dict[str, str], names: Sequence[str]) -> list[bool]:
    spans = {part: [*_places(text, names)] for part, text in texts.items()}
    return [any(word.start < end and start < word.end for start, end in spans.get(word.part, ())) for word in words]


def _places(text: str, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where *text* has one of *names*, however it is spaced."""
    kept = [place for place, letter in enumerate(text) if not letter.isspace()]
    joined = "".join(text[place].casefold()[:1] for place in kept)
    for name in ("".join(each.casefold().split()) for each in names):
        start = joined.find(name) if name else -1
        while start >= 0:
            yield kept[start], kept[start + len(name) - 1] + 1
            start = joined.find(name, start + 1)


class WordNetwork(PairNetwork):
    """Reads texts and gives some of their places a number each."""

    def at(self, numbers: Tensor, mask: Tensor, places: Tensor) -> Tensor:
        """Return ``(texts, places)`` logits."""
        states = self.below(numbers, mask)
        chosen = torch.gather(states, 1, places[:, :, None].expand(-1, -1, states.shape[2])).float()
        return self.classes(torch.tanh(self.dense(chosen)))[:, :, 0]


def loss_of(network: WordNetwork, tokenizer: PieceTokenizer, batch: Sequence[Example]) -> Tensor:
    """Return the loss of a batch."""
    numbers, places = zip(*(tokenizer.encode_words(each.words) for each in batch), strict=True)
    with torch.autocast(DEVICE.type, torch.bfloat16):
        logits = network.at(*padded(numbers), padded(places)[0]).float()
    return torch.stack([_loss(row[: len(each.words)], each) for row, each in zip(logits, batch, strict=True)]).mean()


def _loss(odds: Tensor, example: Example) -> Tensor:
    odds = odds.masked_fill(~torch.tensor(example.may_be, device=odds.device), UNLIKELY)
    meant = torch.tensor(example.meant, device=odds.device)
    losses, counts = [], []
    for place, right in enumerate(meant):
        others = odds.masked_fill(meant.any(dim=0) & ~right, UNLIKELY)
        counts.append(FURTHER_COUNTS if place else 1.0)
        losses.append(counts[-1] * (torch.logsumexp(others, 0) - torch.logsumexp(odds.masked_fill(~right, UNLIKELY), 0)))
    return torch.stack(losses).sum() / sum(counts)


def batches(asked: Sequence[Asked], chance: random.Random) -> Iterator[list[Example]]:
    """Yield the batches of passes over *asked* without end; those of one batch are about as long."""
    while True:
        order = chance.sample(asked, len(asked))
        for start in range(0, len(order), POOL * QUESTIONS):
            drawn = [(example_of(vary(each, chance)) or example_of(each)) for each in order[start : start + POOL * QUESTIONS]]
            pool = sorted(filter(None, drawn), key=lambda each: len(each.words))
            cut = [pool[first : first + QUESTIONS] for first in range(0, len(pool), QUESTIONS)]
            yield from chance.sample(cut, len(cut))


def main() -> None:
    """Learn from the last checkpoint on and write the weights."""
    args = learner_options(__doc__, "unsaid", STEPS, UNSAID).parse_args()
    weights = WeightsFile(shipped_file())
    tokenizer = PieceTokenizer(weights.pieces(), LONGEST)
    torch.manual_seed(SEED)
    network = WordNetwork(weights, 1)
    network.take(Additions(ANSWERING))
    with finding_subjects(reading=False):
        asked = [each for each in (*asked_of_videos(), *asked_of_passages()) if example_of(each)]
    print(f"{len(asked)} questions", flush=True)
    learner = Learner(network.to(DEVICE), network.groups(RATE_OF_HEAD), args.checkpoint, args.steps, warm=WARM, falling=FALLING)
    drawn = batches(asked, random.Random(SEED + learner.step))
    learner.learn(lambda _: loss_of(network, tokenizer, next(drawn)))
    np.savez_compressed(args.target, **network.eval().learnt(), temperature=np.ones(1, dtype=np.float32))
    print(f"{args.target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
