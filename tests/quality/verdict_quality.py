"""How well whole claims are checked, each against several sources: the verdict that the rows come to.

``verdicts.jsonl`` has hand-written claims of a video with sources that agree, contradict, came later, copy each other, belong to
the speaker or speak of something else; ``independent`` is how many witnesses there are. Rules and claims come from one hand, so
the figures say how well the rules do what was meant, not how they fare on the web.

``averitec`` holds dated claims with the evidence that annotators found, in the development data. Each answer is given as a page
of its address, from the day of the claim, behind its question; answers that say nothing was found are left out. 일치 counts as
Supported, 상충 as Refuted; what a claim's label calls conflicting may be either. No weight was learnt from it; the rules for
questions that pages answer were made looking at it, so its figures say how they do on what they were made for.

``ntrex`` holds news articles and their translations: how many are told to be one story, and how many pairs of different ones are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_core.claims.checking.weighing import WeighedClaim, judge_claim
from search_core.domain import Claim, SearchResult, Stance, VideoContext
from search_core.relevance import RelevanceFilter
from search_core.stance import Nearness
from search_core.stance.judge import Entails
from search_core.stance.translations import translated_pairs
from search_core.stance.weighing import StatementVerdict
from tests.quality.intent_quality import _loaders
from tests.quality.scorers import ALL, KIWI, LOAD_S, Scope, running_host
from tests.quality.scorers import SHIPPED as SHIPPED_MODEL

SHIPPED = Path(__file__).parent / "data" / "verdicts.jsonl"
NOW = datetime(2027, 1, 10, tzinfo=UTC)
_LABELS = {"Supported": Stance.AGREE, "Refuted": Stance.CONTRADICTS}
_CONFLICTING = "Conflicting Evidence/Cherrypicking"


def measure(scope: Scope = ALL) -> dict[str, float]:
    """Return the figures of what ships and of the development data where they are, by words alone and with the model."""
    figures = {
        f"verdicts/{name}": value for name, value in _measure(None, None, development=scope.reads_development(KIWI)).items()
    }
    development = scope.reads_development(SHIPPED_MODEL)
    with running_host(SHIPPED_MODEL) as host:
        if host is not None:
            embedder = host.wait(LOAD_S)
            nearness = RelevanceFilter(embedder).similarities
            found = _measure(nearness, host.entailment.judge_or_none, development=development)
            found |= _translations(nearness) if development else {}
            figures |= {f"verdicts/{embedder.name}/{name}": value for name, value in found.items()}
    return figures


def _measure(nearness: Nearness | None, entails: Entails | None, *, development: bool) -> dict[str, float]:
    figures = {f"shipped/{name}": value for name, value in _shipped(nearness, entails).items()}
    if development:
        rows = _loaders().averitec("dev")
        told = [(row["label"], told_of_evidence(row, nearness, entails).verdict.stance) for row in rows]
        figures |= {f"averitec/{name}": value for name, value in _against_labels(told).items()}
    return figures


def _translations(nearness: Nearness) -> dict[str, float]:
    """Return how many translations of articles are found, and of pairs of different ones the share that is told apart."""
    articles: dict[str, list[dict[str, str]]] = {}
    for row in _loaders().parallel("ntrex", "dev"):
        articles.setdefault(row["doc"], []).append(row)
    count = len(articles)
    texts = ["\n".join(row[language] for row in rows) for language in ("ko", "en") for rows in articles.values()]
    told = translated_pairs(texts, [None] * len(texts), nearness)
    found = sum(other - one == count for one, other in told)
    return {"ntrex/found": found / count, "ntrex/told_apart": 1 - (len(told) - found) / (count * (count - 1))}


def _shipped(nearness: Nearness | None, entails: Entails | None) -> dict[str, float]:
    """Return the share of verdicts that are right, and of those the share with as many witnesses as there are."""
    rows = [json.loads(line) for line in SHIPPED.read_text(encoding="utf-8").splitlines()]
    told = [(row, told_verdict(row, nearness, entails)) for row in rows]
    right = [(row, verdict) for row, verdict in told if verdict.stance == row["verdict"]]
    return {
        "right": len(right) / len(told),
        "witnesses": _share(verdict.independent == row["independent"] for row, verdict in right),
    }


def _against_labels(told: Sequence[tuple[str, Stance]]) -> dict[str, float]:
    f1 = {label: _f1([(kind == label, found is stance) for kind, found in told]) for label, stance in _LABELS.items()}
    return {
        "supported_f1": f1["Supported"],
        "refuted_f1": f1["Refuted"],
        "macro_f1": sum(f1.values()) / len(f1),
        "contradicts_precision": _share(kind in ("Refuted", _CONFLICTING) for kind, found in told if found is Stance.CONTRADICTS),
        "contradicts_recall": _share(found is Stance.CONTRADICTS for kind, found in told if kind == "Refuted"),
        "agrees_precision": _share(kind in ("Supported", _CONFLICTING) for kind, found in told if found is Stance.AGREE),
        "agrees_recall": _share(found is Stance.AGREE for kind, found in told if kind == "Supported"),
    }


def told_of_evidence(row: Mapping[str, Any], nearness: Nearness | None = None, entails: Entails | None = None) -> WeighedClaim:
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
    return judge_claim(Claim(number=1, text=row["claim"]), video, results, {}, NOW, nearness, entails).weigh()


def told_verdict(row: Mapping[str, Any], nearness: Nearness | None = None, entails: Entails | None = None) -> StatementVerdict:
    """Return the verdict on a claim that ships with its sources."""
    results = [
        SearchResult(
            title=source.get("title", ""),
            url=f"https://{source['host']}/{number}",
            snippet=source["text"],
            source=source["host"],
            publish_date=_moment(source["date"]),
        )
        for number, source in enumerate(row["sources"])
    ]
    video = VideoContext(
        title=row["title"],
        channel=row.get("channel", ""),
        speakers=tuple(row.get("speakers", ())),
        published_at=_moment(row["day"]),
    )
    return judge_claim(Claim(number=1, text=row["claim"]), video, results, {}, NOW, nearness, entails).weigh().verdict


def _moment(day: str) -> datetime | None:
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None


def _f1(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Return F1 of pairs of what is so and what was told."""
    both = sum(true and told for true, told in pairs)
    either = sum(true for true, _ in pairs) + sum(told for _, told in pairs)
    return 2 * both / either if either else 0.0


def _share(right: Iterable[bool]) -> float:
    outcomes = list(right)
    return sum(outcomes) / len(outcomes) if outcomes else 1.0
