"""``evaluate LABELS.jsonl``: how well labelled searches are placed, and the threshold that they speak for."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.domain import Question, RankingOptions
from search_core.errors import InputError, MaekrakError
from search_core.ranking.evaluation.label_file import LabelledLine, read_labelled_line
from search_core.ranking.evaluation.labels import LabelledSearch, ScoredLabels
from search_core.ranking.evaluation.measures import Figure, Measures, measure
from search_core.ranking.evaluation.profile import read_profile
from search_core.ranking.evaluation.threshold import NoPromise, Promise, describe_suggestion, suggest_threshold
from search_core.settings import Settings
from search_core.text.json_line import read_line

EXIT_NOTHING_TO_MEASURE = 1
_MODEL_WAIT_S = 120.0
_FIGURES = {
    "ndcg@10": ("ndcg", "nDCG@10"),
    "p@10": ("precision", "P@10"),
    "judged@10": ("judged", "Judged@10"),
    "precision_shown": ("shown_relevant", "보이는 것 가운데 관련 있음"),
    "judged_shown": ("shown_judged", "보이는 것 가운데 판정함"),
    "recall_found": ("found", "찾은 것 가운데 관련 있는 것이 보임"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    """What the labels of a file come to."""

    ranking: RankingOptions
    scorer: str
    results: int
    labels: ScoredLabels
    measures: Measures
    suggestion: Promise | NoPromise
    bad_lines: tuple[tuple[int, str], ...]


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Score the searches, measure and print; 1 when no line could be used. Lines that cannot be used are named and skipped."""
    with closing(SearchCore.from_settings(settings)) as core:
        ranking = _ranking(args, core.default_options().ranking)
        found = _evaluate(core, args, ranking)
    print(json.dumps(_as_json(found), ensure_ascii=False, indent=2) if args.json else _as_text(found))
    for number, reason in found.bad_lines:
        print(f"line {number}: {reason}", file=sys.stderr)
    return 0 if found.labels.searches else EXIT_NOTHING_TO_MEASURE


def _ranking(args: argparse.Namespace, ranking: RankingOptions) -> RankingOptions:
    if args.profile:
        ranking = read_profile(_read(args.profile)).ranking
    return ranking if args.threshold is None else replace(ranking, threshold=args.threshold)


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"The file cannot be read: {error}", korean="파일을 읽지 못했어요. 경로를 확인해 주세요.") from None


def _evaluate(core: SearchCore, args: argparse.Namespace, ranking: RankingOptions) -> _Evaluation:
    searches: list[LabelledSearch] = []
    bad: list[tuple[int, str]] = []
    scorers: set[str] = set()
    core.scorer(wait_s=_MODEL_WAIT_S)
    for number, text in _lines(args.labels):
        try:
            line = read_labelled_line(read_line(text), datetime.now(UTC))
            search, scorer = _score(core, line)
        except MaekrakError as error:
            bad.append((number, str(error)))
            continue
        scorers.add(scorer)
        searches.append(replace(search, id=f"{number}:{search.id}"))  # two lines of one id are two searches
    labels = ScoredLabels.of(searches, ranking)
    return _Evaluation(
        ranking=ranking,
        scorer=", ".join(sorted(scorers)),
        results=sum(len(search.results) for search in searches),
        labels=labels,
        measures=measure(searches, ranking),
        suggestion=suggest_threshold(labels, args.precision, args.confidence),
        bad_lines=tuple(bad),
    )


def _lines(path: str) -> Iterator[tuple[int, str]]:
    text = sys.stdin.read() if path == "-" else _read(path).decode("utf-8-sig", "replace")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _score(core: SearchCore, line: LabelledLine) -> tuple[LabelledSearch, str]:
    report = core.report_on(Question(text=line.search.query, video=line.video), line.search.results)
    return replace(line.search, results=(*report.results, *report.hidden)), report.scorer


def _as_json(found: _Evaluation) -> dict[str, Any]:
    measures = found.measures
    return {
        "searches": found.labels.searches,
        "results": found.results,
        "labels": int(found.labels.judged.sum()),
        "judged": float(found.labels.judged.mean()) if found.results else None,
        "scorer": found.scorer,
        "ranking": asdict(found.ranking),
        "measures": {name: asdict(getattr(measures, field)) for name, (field, _) in _FIGURES.items()},
        "answerless": {"searches": measures.answerless, "showing_nothing": measures.answerless_empty},
        "suggested": asdict(found.suggestion) if isinstance(found.suggestion, Promise) else None,
        "not_suggested": asdict(found.suggestion) if isinstance(found.suggestion, NoPromise) else None,
        "bad_lines": [{"line": number, "error": reason} for number, reason in found.bad_lines],
    }


def _as_text(found: _Evaluation) -> str:
    measures = found.measures
    lines = [
        f"검색 {found.labels.searches}건 · 결과 {found.results}개 · 판정 {found.labels.judged.sum()}개",
        f"채점: {found.scorer or '없음'} · 기준 {found.ranking.threshold * 100:.0f}점",
    ]
    lines += [f"  {label}: {_figure(getattr(measures, field))}" for field, label in _FIGURES.values()]
    if measures.answerless:
        lines.append(
            f"  관련 있는 결과가 없는 검색 {measures.answerless}건 가운데 {measures.answerless_empty}건은 아무것도 보이지 않아요."
        )
    return "\n".join([*lines, describe_suggestion(found.suggestion)])


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "셀 것이 없어요"
    between = "" if figure.low is None or figure.high is None else f" ({figure.low:.3f}–{figure.high:.3f}, 90 %)"
    few = "" if between else " (검색이 적어 구간을 말할 수 없어요)"
    return f"{figure.value:.3f}{between}{few}"
