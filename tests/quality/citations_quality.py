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
from search_core.search.ranking.filter import RelevanceFilter
from tests.quality.scope import Scope
from tests.quality.scorers import LOAD_S, running_host
from tests.quality.sets import loaders, read_rows, share, spread, under

PAIRS = 600
"""Of each development set, taken at even distances."""


class CheckedSentence(NamedTuple):
    """A sentence, whether it is right, and whether its source was found to support it."""

    kind: str
    right: bool
    support: Support


def measure(scope: Scope) -> dict[str, float]:
    """Return precision and recall of "unsupported" for both halves, and for the development sets where they are."""
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        checked = [each for row in read_rows("citations") if row["side"] == side for each in check_sentences(row)]
        own = (each.support is Support.SUPPORTED for each in checked if each.right and each.kind != "cross")
        shares = _figures(checked) | {"kept": share(own)}
        figures |= {f"shipped/{side}_{name}": value for name, value in shares.items()}
    if scope.reads_development:
        figures |= under("xnli", _entailed()) | under("ntrex", _figures(_translations(None)))
        with running_host() as host:
            if host is not None:
                embedder = host.wait(LOAD_S)
                translations = _translations(RelevanceFilter(embedder).similarities)
                figures |= under(f"{embedder.name}/ntrex", _figures(translations))
    return under("citations", figures)


def check_sentences(row: dict[str, Any]) -> Iterator[CheckedSentence]:
    """Yield each sentence of *row* with whether its source supports it."""
    published = datetime.fromisoformat(row["published"]).replace(tzinfo=UTC)
    registry = CitationRegistry()
    registry.add(title=row["title"], text=row["text"], url="https://news.example/1", published=published)
    for sentence in row["sentences"]:
        [cited] = registry.resolve(f"{sentence['text'].rstrip('.')} [1].").sentences
        yield CheckedSentence(sentence["kind"], sentence["right"], cited.support)


def check(source: str, sentence: str, kind: str, *, right: bool, nearness: Nearness | None = None) -> CheckedSentence:
    """Return *sentence* looked up in *source*."""
    registry = CitationRegistry()
    registry.add(title="", text=source)
    sentences = registry.resolve(f"{' '.join(sentence.rstrip('.').split())} [1].", nearness).sentences
    return CheckedSentence(kind, right, sentences[-1].support)


def _entailed() -> dict[str, float]:
    rows = spread(loaders().xnli_ko("dev"), PAIRS)
    checked = [check(premise, sentence, kind, right=kind == "entailment") for premise, sentence, kind in rows]
    against = (each.support is Support.UNSUPPORTED for each in checked if each.kind == "contradiction")
    return _figures(checked) | {"contradicted": share(against)}


def _translations(nearness: Nearness | None) -> list[CheckedSentence]:
    rows = spread(loaders().parallel("ntrex", "dev"), PAIRS)
    own = [check(row["en"], row["ko"], "own", right=True, nearness=nearness) for row in rows]
    pairs = zip(rows, [*rows[7:], *rows[:7]], strict=True)
    return own + [check(row["en"], other["ko"], "other", right=False, nearness=nearness) for row, other in pairs]


def _figures(checked: list[CheckedSentence]) -> dict[str, float]:
    called = [each for each in checked if each.support is Support.UNSUPPORTED]
    wrong = [each for each in checked if not each.right]
    hits = sum(not each.right for each in called)
    return {"precision": hits / len(called) if called else 1.0, "recall": hits / len(wrong)}
