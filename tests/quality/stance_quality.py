"""How well stances are told: hand-written pairs of a video's sentence and a web's sentence, with their dates.

The pairs were written before the rules. Half of them (``side`` tuned) were looked at while the rules were made; the other half
(held) was measured when they stood, at accuracy .907 and contradictions at precision .917 and recall .917. Rules and pairs come
from one hand and the halves hold the same kinds of pairs, so the figures say how well the rules do what was meant, not how they
fare on the web. ``also`` names stances that a careful reader would accept as well; ``none`` is a sentence that speaks of
something else and gets no row.

``agreements.jsonl`` has pairs that look as if they agreed and do not, for another subject, property, time, bound or part, or
because it was only planned, beside pairs that do.

``stances_across.jsonl`` has pairs of a Korean and an English sentence that agree, contradict, or only look alike. ``xnli`` and
``klue`` hold premises against hypotheses of the development data: what follows agrees, what contradicts does. All are measured by
rules alone, and with the models that ship.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_core.domain import SearchResult, Statement, VideoContext
from search_core.relevance import RelevanceFilter
from search_core.stance import Nearness, compare
from search_core.stance.judge import Entails
from tests.quality.entailment_pairs import read_labelled
from tests.quality.intent_quality import DEVELOPMENT, _loaders
from tests.quality.scorers import LOAD_S, running_host
from tests.quality.scorers import SHIPPED as SHIPPED_MODEL

SHIPPED = Path(__file__).parent / "data" / "stances.jsonl"
ACROSS = SHIPPED.with_name("stances_across.jsonl")
AGREEMENTS = SHIPPED.with_name("agreements.jsonl")
NOW = datetime(2027, 1, 10, tzinfo=UTC)
Told = Callable[[Mapping[str, Any]], str]
_KINDS = ("entailment", "neutral", "contradiction")


def measure() -> dict[str, float]:
    """Return the figures of the own pairs and of the development data where they are, by rules alone and with the models."""
    figures = {f"stances/{name}": value for name, value in _measure(None, None).items()}
    with running_host(SHIPPED_MODEL) as host:
        if host is not None:
            nearness = RelevanceFilter(host.wait(LOAD_S)).similarities
            found = _measure(nearness, host.entailment.judge_or_none)
            figures |= {f"stances/models/{name}": value for name, value in found.items()}
    return figures


def _measure(nearness: Nearness | None, entails: Entails | None) -> dict[str, float]:
    def told(row: Mapping[str, Any]) -> str:
        return told_stance(row, nearness, entails)

    figures = {**_shipped(told), **_across(told)}
    if (DEVELOPMENT / "loaders.py").exists():
        figures |= {f"xnli/{name}": value for name, value in _of_pairs(_loaders().xnli_ko("dev"), told).items()}
        klue = [
            (row.window, row.statement, _KINDS[row.label]) for row in read_labelled(DEVELOPMENT, "dev") if row.source == "klue"
        ]
        figures |= {f"klue/{name}": value for name, value in _of_pairs(klue, told).items()}
    return figures


def _across(tell: Told) -> dict[str, float]:
    """Return, for both halves, precision and recall of agreement and contradiction over pairs in two languages."""
    rows = [json.loads(line) for line in ACROSS.read_text(encoding="utf-8").splitlines()]
    told = [(row["side"], row["stance"], tell(row)) for row in rows]
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        half = [(right, found) for place, right, found in told if place == side]
        figures |= {f"across/{side}_{name}": value for name, value in _decided(half, "agrees", "contradicts").items()}
    return figures


def _of_pairs(rows: Iterable[tuple[str, str, str]], tell: Told) -> dict[str, float]:
    """Return the figures of pairs of a premise and a hypothesis, and the share of contradictions that are called additions."""
    day = "2026-06-12"
    told = [
        (kind, tell({"title": "", "video_date": day, "web_date": day, "said": sentence, "web": premise}))
        for premise, sentence, kind in rows
    ]
    denied = _share(found == "adds" for kind, found in told if kind == "contradiction")
    return {**_decided(told, "entailment", "contradiction"), "contradictions_told_as_no_addition": 1 - denied}


def _decided(told: Sequence[tuple[str, str]], agreeing: str, contradicting: str) -> dict[str, float]:
    """Return precision and recall of both decided stances; *told* are pairs of what is right and what was told."""
    figures = {}
    for name, stance, right in (("agrees", "agree", agreeing), ("contradicts", "contradicts", contradicting)):
        figures[f"{name}_precision"] = _share(kind == right for kind, found in told if found == stance)
        figures[f"{name}_recall"] = _share(found == stance for kind, found in told if kind == right)
    return figures


def _shipped(tell: Told) -> dict[str, float]:
    """Return accuracy, and precision and recall of contradictions, for both halves."""
    rows = [json.loads(line) for line in SHIPPED.read_text(encoding="utf-8").splitlines()]
    told = [(row, tell(row)) for row in rows]
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        half = [(row, stance) for row, stance in told if row["side"] == side]
        figures[f"{side}_accuracy"] = _share(stance in accepted(row) for row, stance in half)
        figures[f"{side}_contradicts_precision"] = _share(
            row["stance"] == "contradicts" for row, stance in half if stance == "contradicts"
        )
        figures[f"{side}_contradicts_recall"] = _share(
            stance == "contradicts" for row, stance in half if row["stance"] == "contradicts"
        )
    return {f"shipped/{name}": value for name, value in (figures | _agreements(tell)).items()}


def _agreements(tell: Told) -> dict[str, float]:
    """Return, for both halves, the share of lookalikes that are not called agreement, and of agreements that are."""
    rows = [json.loads(line) for line in AGREEMENTS.read_text(encoding="utf-8").splitlines()]
    agreed = [(row, tell(row) == "agree") for row in rows]
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        half = [(row["agrees"], found) for row, found in agreed if row["side"] == side]
        figures[f"{side}_lookalikes_told_apart"] = _share(not found for agrees, found in half if not agrees)
        figures[f"{side}_agreements_found"] = _share(found for agrees, found in half if agrees)
    return figures


def accepted(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the stances that are right for *row*."""
    return (row["stance"], *row.get("also", ()))


def told_stance(row: Mapping[str, Any], nearness: Nearness | None = None, entails: Entails | None = None) -> str:
    """Return the stance the comparison gives to *row*, ``none`` without a row."""
    video = VideoContext(title=row["title"], published_at=_moment(row["video_date"]))
    source = SearchResult(
        title="", url="https://news.example/1", snippet=row["web"], source="news.example", publish_date=_moment(row["web_date"])
    )
    found = compare([Statement(0.0, 5.0, row["said"])], [source], video, NOW, nearness=nearness, entails=entails)
    return found.rows[0].stance.value if found.rows else "none"


def _moment(day: str) -> datetime | None:
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None


def _share(right: Iterable[bool]) -> float:
    outcomes = list(right)
    return sum(outcomes) / len(outcomes) if outcomes else 1.0
