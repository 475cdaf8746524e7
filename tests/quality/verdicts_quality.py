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
from tests.quality.scope import Scope
from tests.quality.scorers import Judge, judges
from tests.quality.sets import f1, loaders, read_day, read_rows, share_or_all, under
from tests.quality.worlds_quality import NOW, pages_found

_LABELS = (("agrees", "supported", "Supported", Stance.AGREE), ("contradicts", "refuted", "Refuted", Stance.CONTRADICTS))
_CONFLICTING = "Conflicting Evidence/Cherrypicking"


def measure(scope: Scope) -> dict[str, float]:
    """Return the figures of what ships and of the development data where they are, by words alone and with the model."""
    figures: dict[str, float] = {}
    for judge in judges():
        shares = under("shipped", _shipped(judge))
        if scope.reads_development:
            evidence = [(row["label"], judge_evidence(row, judge).stance) for row in loaders().averitec("dev")]
            shares |= under("averitec", _against_labels(evidence))
        figures |= under(f"verdicts/{judge.name}" if judge.name else "verdicts", shares)
    return figures


def _shipped(judge: Judge) -> dict[str, float]:
    """Return the share of verdicts that are right, and of those the share with as many witnesses as there are."""
    verdicts = [(row, judge_sources_of(row, judge)) for row in read_rows("verdicts")]
    right = [(row, verdict) for row, verdict in verdicts if verdict.stance == row["verdict"]]
    return {
        "right": len(right) / len(verdicts),
        "witnesses": share_or_all(verdict.independent == row["independent"] for row, verdict in right),
    }


def _against_labels(judged: Sequence[tuple[str, Stance]]) -> dict[str, float]:
    figures = {}
    for name, place, label, stance in _LABELS:
        labels = [given for given, verdict in judged if verdict is stance]
        verdicts = [verdict for given, verdict in judged if given == label]
        figures[f"{place}_f1"] = f1(labels.count(label), len(labels), len(verdicts))
        figures[f"{name}_precision"] = share_or_all(given in (label, _CONFLICTING) for given in labels)
        figures[f"{name}_recall"] = share_or_all(verdict is stance for verdict in verdicts)
    return figures | {"macro_f1": (figures["supported_f1"] + figures["refuted_f1"]) / 2}


def judge_evidence(row: Mapping[str, Any], judge: Judge) -> StatementVerdict:
    """Return the verdict on a claim of AVeriTeC by its evidence."""
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
    judged = judge_sources([Statement(0.0, claim)], results, video, NOW, entails=judge.entails)
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
