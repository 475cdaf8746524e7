"""How well cited sentences are looked up: hand-written sources with sentences they bear out and sentences they do not.

Right sentences are the source's own, retold, or say a number in another form; wrong ones exchange a number, a name or a date,
turn a denial or a direction round, or add what the source does not say. Half of the sources (``side`` tuned) was looked at while
the rules were made; the other half (held) was measured only. Sentences and rules come from one hand, so the figures say how
well the rules do what was meant.

``precision`` and ``recall`` are those of "unsupported"; ``kept`` is the share of right sentences of the source's own language
that are called supported. Of the development sets, premises and hypotheses are sources and sentences (``xnli``: entailed or not;
``contradicted`` is the share found of those that contradict), and so are translations of news (``ntrex``: its own sentence or
another one's).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from search_core.answers.citations import CitationRegistry, Support
from search_core.answers.support import Nearness
from search_core.search.ranking import RelevanceFilter
from tests.quality.scope import ALL, SHIPPED, Scope
from tests.quality.scorers import scorer
from tests.quality.sets import loaders, read_rows, share, spread

PAIRS = 600
"""Of each development set, taken at even distances."""


class Told(NamedTuple):
    """One sentence that was looked up."""

    text: str
    kind: str
    right: bool
    support: Support


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return precision and recall of "unsupported" for both halves, and for the development sets where they are."""
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        told = [each for row in read_rows("citations") if row["side"] == side for each in looked_up(row)]
        figures |= {f"shipped/{side}_{name}": value for name, value in _figures(told).items()}
        own = (each.support is Support.SUPPORTED for each in told if each.right and each.kind != "cross")
        figures[f"shipped/{side}_kept"] = share(own)
    if scope.reads_development:
        load = loaders()
        told = [
            one(premise, sentence, kind, right=kind == "entailment")
            for premise, sentence, kind in spread(load.xnli_ko("dev"), PAIRS)
        ]
        figures |= {f"xnli/{name}": value for name, value in _figures(told).items()}
        against = (each.support is Support.UNSUPPORTED for each in told if each.kind == "contradiction")
        figures["xnli/contradicted"] = share(against)
        figures |= {f"ntrex/{name}": value for name, value in _figures(_translations(load, None)).items()}
        figures |= _by_meaning(load)
    return {f"citations/{name}": value for name, value in figures.items()}


def _by_meaning(load: Any) -> dict[str, float]:
    """Return the figures of translations looked up by the model that ships."""
    with scorer(SHIPPED) as embedder:
        if embedder is None:
            return {}
        told = _translations(load, RelevanceFilter(embedder).similarities)
        return {f"{embedder.name}/ntrex/{name}": value for name, value in _figures(told).items()}


def looked_up(row: dict[str, Any]) -> Iterator[Told]:
    """Yield each sentence of *row* with what became of looking it up."""
    published = datetime.fromisoformat(row["published"]).replace(tzinfo=UTC)
    registry = CitationRegistry()
    registry.add(title=row["title"], text=row["text"], url="https://news.example/1", published=published)
    for sentence in row["sentences"]:
        [cited] = registry.resolve(f"{sentence['text'].rstrip('.')} [1].").sentences
        yield Told(sentence["text"], sentence["kind"], sentence["right"], cited.support)


def one(source: str, sentence: str, kind: str, *, right: bool, nearness: Nearness | None = None) -> Told:
    """Return *sentence* looked up in *source*."""
    registry = CitationRegistry()
    registry.add(title="", text=source)
    found = registry.resolve(f"{' '.join(sentence.rstrip('.').split())} [1].", nearness).sentences
    return Told(sentence, kind, right, found[-1].support)


def _translations(load: Any, nearness: Nearness | None) -> list[Told]:
    rows = spread(load.parallel("ntrex", "dev"), PAIRS)
    pairs = [(row["en"], row["ko"]) for row in rows]
    others = [*pairs[7:], *pairs[:7]]
    right = [one(english, korean, "own", right=True, nearness=nearness) for english, korean in pairs]
    return [
        *right,
        *(
            one(english, korean, "other", right=False, nearness=nearness)
            for (english, _), (_, korean) in zip(pairs, others, strict=True)
        ),
    ]


def _figures(told: list[Told]) -> dict[str, float]:
    called = [each for each in told if each.support is Support.UNSUPPORTED]
    wrong = [each for each in told if not each.right]
    found = sum(not each.right for each in called)
    return {"precision": found / len(called) if called else 1.0, "recall": found / len(wrong)}
