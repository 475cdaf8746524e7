"""How well whole claims are checked, each against several sources: the verdict that the rows come to.

``verdicts.jsonl`` has hand-written claims of a video with sources that agree, contradict, came later, copy each other, belong to
the speaker or speak of something else; ``independent`` is how many witnesses there are. Rules and claims come from one hand, so
the figures say how well the rules do what was meant, not how they fare on the web.

``averitec`` holds dated claims with the evidence that annotators found, in the development data. Each answer is given as a page
of its address, from the day of the claim, behind its question; answers that say nothing was found are left out. 일치 counts as
Supported, 상충 as Refuted; what a claim's label calls conflicting may be either. No weight was learnt from it; the rules for
questions that pages answer were made looking at it, so its figures say how they do on what they were made for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from search_core.checking.verdicts.compare import judge_sources
from search_core.checking.verdicts.weighing import StatementVerdict, weigh_rows
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance, Statement
from search_core.domain.video import VideoContext
from tests.quality.claim_worlds import pages_found
from tests.quality.scope import Scope
from tests.quality.scorers import Judge, judges
from tests.quality.sets import f1, loaders, read_day, read_rows, share_or_all, under

NOW = datetime(2027, 1, 10, tzinfo=UTC)
_LABELS = {"Supported": Stance.AGREE, "Refuted": Stance.CONTRADICTS}
_CONFLICTING = "Conflicting Evidence/Cherrypicking"


def measure(scope: Scope) -> dict[str, float]:
    """Return the figures of what ships and of the development data where they are, by words alone and with the model."""
    figures: dict[str, float] = {}
    for judge in judges():
        found = under("shipped", _shipped(judge))
        if scope.reads_development:
            evidence = [(row["label"], judge_evidence(row, judge).stance) for row in loaders().averitec("dev")]
            found |= under("averitec", _against_labels(evidence))
        figures |= under(f"verdicts/{judge.name}" if judge.name else "verdicts", found)
    return figures


def _shipped(judge: Judge) -> dict[str, float]:
    """Return the share of verdicts that are right, and of those the share with as many witnesses as there are."""
    told = [(row, judge_sources_of(row, judge)) for row in read_rows("verdicts")]
    right = [(row, verdict) for row, verdict in told if verdict.stance == row["verdict"]]
    return {
        "right": len(right) / len(told),
        "witnesses": share_or_all(verdict.independent == row["independent"] for row, verdict in right),
    }


def _against_labels(told: Sequence[tuple[str, Stance]]) -> dict[str, float]:
    scores = {label: _f1([(kind == label, found is stance) for kind, found in told]) for label, stance in _LABELS.items()}
    figures = {
        "supported_f1": scores["Supported"],
        "refuted_f1": scores["Refuted"],
        "macro_f1": sum(scores.values()) / len(scores),
    }
    for name, label in (("agrees", "Supported"), ("contradicts", "Refuted")):
        stance = _LABELS[label]
        figures[f"{name}_precision"] = share_or_all(kind in (label, _CONFLICTING) for kind, found in told if found is stance)
        figures[f"{name}_recall"] = share_or_all(found is stance for kind, found in told if kind == label)
    return figures


def judge_evidence(row: Mapping[str, Any], judge: Judge) -> StatementVerdict:
    """Return what the check makes of a claim of AVeriTeC and its evidence."""
    day = datetime.strptime(row["date"], "%d-%m-%Y").replace(tzinfo=UTC)
    answers = [(each["question"].strip(), answer) for each in row["evidence"] for answer in each["answers"]]
    results = [
        SearchResult(
            title="",
            url=answer["url"] or f"https://evidence.example/{number}",
            snippet=f"{question.rstrip('? ')}? {answer['text']}",
            source="",
            publish_date=day,
        )
        for number, (question, answer) in enumerate(answers)
        if answer["type"] != "Unanswerable"
    ]
    video = VideoContext(published_at=day, speakers=(row["speaker"],) if row["speaker"] else ())
    return _weigh(row["claim"], results, video, judge)


def _weigh(claim: str, results: Sequence[SearchResult], video: VideoContext, judge: Judge) -> StatementVerdict:
    judged = judge_sources([Statement(0.0, 0.0, claim)], results, video, NOW, entails=judge.entails)
    return weigh_rows(judged.evidence, judged.sentences)


def judge_sources_of(row: Mapping[str, Any], judge: Judge) -> StatementVerdict:
    """Return the verdict on a claim that ships with its sources."""
    video = VideoContext(
        title=row["title"],
        channel=row.get("channel", ""),
        speakers=tuple(row.get("speakers", ())),
        published_at=read_day(row["day"]),
    )
    return _weigh(row["claim"], pages_found(row["sources"]), video, judge)


def _f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return F1 of pairs of what is so and what was told."""
    return f1(sum(so and told for so, told in pairs), sum(told for _, told in pairs), sum(so for so, _ in pairs))
