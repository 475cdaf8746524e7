"""How well stances are told: hand-written pairs of a video's sentence and a web's sentence, with their dates.

The pairs were written before the rules. Half of them (``side`` tuned) were looked at while the rules were made; the other half
(held) was measured when they stood. Rules and pairs come from one hand and the halves hold the same kinds of pairs, so the
figures say how well the rules do what was meant, not how they fare on the web. ``also`` names stances that a careful reader would
accept as well; ``none`` is a sentence that speaks of something else and gets no row.

``agreements.jsonl`` has pairs that look as if they agreed and do not, for another subject, property, time, bound or part, or
because it was only planned, beside pairs that do.

``stances_across.jsonl`` has pairs of a Korean and an English sentence that agree, contradict, or only look alike. ``xnli`` and
``klue`` hold premises against hypotheses of the development data: what follows agrees, what contradicts does. All are measured by
rules alone, and with the models that ship.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from search_core.checking.verdicts.compare import judge_sources
from search_core.domain.result import SearchResult
from search_core.domain.stance import Statement
from search_core.domain.video import VideoContext
from tests.quality.entailment_pairs import read_labelled
from tests.quality.scope import Scope
from tests.quality.scorers import Judge, judges
from tests.quality.sets import loaders, read_day, read_rows, share, share_or_all, under

NOW = datetime(2027, 1, 10, tzinfo=UTC)
DAY = "2026-06-12"
SIDES = ("tuned", "held")
_KINDS = ("entailment", "neutral", "contradiction")


def measure(scope: Scope) -> dict[str, float]:
    """Return the figures of the own pairs and of the development data where they are, by rules alone and with the models."""
    figures: dict[str, float] = {}
    for judge in judges():
        shares = {name: value for side in SIDES for name, value in _own(judge, side).items()}
        if scope.reads_development:
            klue = [row for row in read_labelled("dev") if row.source == "klue"]
            shares |= under("klue", _of_pairs([(row.window, row.statement, _KINDS[row.label]) for row in klue], judge))
            shares |= under("xnli", _of_pairs(loaders().xnli_ko("dev"), judge))
        figures |= under("stances/models" if judge.name else "stances", shares)
    return figures


def _own(judge: Judge, side: str) -> dict[str, float]:
    """Return the figures of one half of the own pairs: of one language, of two, and of those that look as if they agreed."""
    pairs, across, alike = (
        [(row, judge_pair(judge, row)) for row in read_rows(name) if row["side"] == side]
        for name in ("stances", "stances_across", "agreements")
    )
    decided = _decided([(row["stance"], stance) for row, stance in pairs], "agree", "contradicts")
    figures = {
        "accuracy": share(stance in (row["stance"], *row.get("also", ())) for row, stance in pairs),
        "contradicts_precision": decided["contradicts_precision"],
        "contradicts_recall": decided["contradicts_recall"],
        "lookalikes_told_apart": share_or_all(stance != "agree" for row, stance in alike if not row["agrees"]),
        "agreements_found": share_or_all(stance == "agree" for row, stance in alike if row["agrees"]),
    }
    of_two = _decided([(row["stance"], stance) for row, stance in across], "agrees", "contradicts")
    return under("shipped", {f"{side}_{name}": value for name, value in figures.items()}) | under(
        "across", {f"{side}_{name}": value for name, value in of_two.items()}
    )


def _of_pairs(rows: Iterable[tuple[str, str, str]], judge: Judge) -> dict[str, float]:
    """Return the figures of pairs of a premise and a hypothesis, and the share of contradictions that are called additions."""
    judged = [
        (kind, judge_pair(judge, {"title": "", "video_date": DAY, "web_date": DAY, "said": sentence, "web": premise}))
        for premise, sentence, kind in rows
    ]
    denied = share_or_all(stance == "adds" for kind, stance in judged if kind == "contradiction")
    return {**_decided(judged, "entailment", "contradiction"), "contradictions_told_as_no_addition": 1 - denied}


def _decided(judged: Sequence[tuple[str, str]], agreeing: str, contradicting: str) -> dict[str, float]:
    """Return precision and recall of both decided stances; *judged* are pairs of what is right and what was said."""
    figures = {}
    for name, stance, right in (("agrees", "agree", agreeing), ("contradicts", "contradicts", contradicting)):
        figures[f"{name}_precision"] = share_or_all(kind == right for kind, said in judged if said == stance)
        figures[f"{name}_recall"] = share_or_all(said == stance for kind, said in judged if kind == right)
    return figures


def judge_pair(judge: Judge, row: Mapping[str, Any]) -> str:
    """Return the stance the comparison gives to *row*, ``none`` without a row."""
    video = VideoContext(title=row["title"], published_at=read_day(row["video_date"]))
    source = SearchResult(
        title="", url="https://news.example/1", snippet=row["web"], source="news.example", publish_date=read_day(row["web_date"])
    )
    rows = judge_sources([Statement(0.0, row["said"])], [source], video, NOW, entails=judge.entails).rows
    return rows[0].stance.value if rows else "none"
