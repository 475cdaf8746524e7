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

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.result import SearchResult
from search_core.domain.stance import Statement
from search_core.domain.video import VideoContext
from tests.quality.entailment_pairs import read_labelled
from tests.quality.judges import Judge, judges
from tests.quality.sets import DEVELOPMENT, are_present, loaders, read_day, read_rows, share, share_or_all

NOW = datetime(2027, 1, 10, tzinfo=UTC)
Told = Callable[[Mapping[str, Any]], str]
_KINDS = ("entailment", "neutral", "contradiction")


def measure() -> dict[str, float]:
    """Return the figures of the own pairs and of the development data where they are, by rules alone and with the models."""
    return {
        f"stances/{'models/' if judge.name else ''}{name}": value for judge in judges() for name, value in _measure(judge).items()
    }


def _measure(judge: Judge) -> dict[str, float]:
    told = partial(told_stance, judge)
    figures = {**_shipped(told), **_across(told)}
    if are_present():
        figures |= {f"xnli/{name}": value for name, value in _of_pairs(loaders().xnli_ko("dev"), told).items()}
        klue = [
            (row.window, row.statement, _KINDS[row.label]) for row in read_labelled(DEVELOPMENT, "dev") if row.source == "klue"
        ]
        figures |= {f"klue/{name}": value for name, value in _of_pairs(klue, told).items()}
    return figures


def _across(tell: Told) -> dict[str, float]:
    """Return, for both halves, precision and recall of agreement and contradiction over pairs in two languages."""
    told = [(row["side"], row["stance"], tell(row)) for row in read_rows("stances_across")]
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
    denied = share_or_all(found == "adds" for kind, found in told if kind == "contradiction")
    return {**_decided(told, "entailment", "contradiction"), "contradictions_told_as_no_addition": 1 - denied}


def _decided(told: Sequence[tuple[str, str]], agreeing: str, contradicting: str) -> dict[str, float]:
    """Return precision and recall of both decided stances; *told* are pairs of what is right and what was told."""
    figures = {}
    for name, stance, right in (("agrees", "agree", agreeing), ("contradicts", "contradicts", contradicting)):
        figures[f"{name}_precision"] = share_or_all(kind == right for kind, found in told if found == stance)
        figures[f"{name}_recall"] = share_or_all(found == stance for kind, found in told if kind == right)
    return figures


def _shipped(tell: Told) -> dict[str, float]:
    """Return accuracy, and precision and recall of contradictions, for both halves."""
    told = [(row, tell(row)) for row in read_rows("stances")]
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        half = [(row, stance) for row, stance in told if row["side"] == side]
        figures[f"{side}_accuracy"] = share(stance in (row["stance"], *row.get("also", ())) for row, stance in half)
        decided = _decided([(row["stance"], stance) for row, stance in half], "agree", "contradicts")
        figures |= {f"{side}_{name}": value for name, value in decided.items() if name.startswith("contradicts")}
    return {f"shipped/{name}": value for name, value in (figures | _agreements(tell)).items()}


def _agreements(tell: Told) -> dict[str, float]:
    """Return, for both halves, the share of lookalikes that are not called agreement, and of agreements that are."""
    agreed = [(row, tell(row) == "agree") for row in read_rows("agreements")]
    figures: dict[str, float] = {}
    for side in ("tuned", "held"):
        half = [(row["agrees"], found) for row, found in agreed if row["side"] == side]
        figures[f"{side}_lookalikes_told_apart"] = share_or_all(not found for agrees, found in half if not agrees)
        figures[f"{side}_agreements_found"] = share_or_all(found for agrees, found in half if agrees)
    return figures


def told_stance(judge: Judge, row: Mapping[str, Any]) -> str:
    """Return the stance the comparison gives to *row*, ``none`` without a row."""
    video = VideoContext(title=row["title"], published_at=read_day(row["video_date"]))
    source = SearchResult(
        title="", url="https://news.example/1", snippet=row["web"], source="news.example", publish_date=read_day(row["web_date"])
    )
    rows = judge_sources([Statement(0.0, 5.0, row["said"])], [source], video, NOW, entails=judge.entails).rows
    return rows[0].stance.value if rows else "none"
