"""How well answers that are none are told from answers.

Labels of the development sets. RealTimeQA answers, and AlpacaEval answers to questions of the day: ``no_answer``, ``empty`` and
``fallback`` should trigger, ``direct`` should not. Answers that two readers may see otherwise (ambiguous, mixed, premise denied)
are left out. Refusals on grounds of conduct, English and Korean, should not trigger: a web search has no place there. Korean
answers to tasks, and the short right answers of SelfAware, should not trigger.

Rules were written with half of each set in sight; each figure of the other half is named ``unseen``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from search_core.answering import FallbackDetector
from tests.quality.intent_quality import DEVELOPMENT, _loaders

SHIPPED = Path(__file__).parent / "data" / "fallback.jsonl"
MISSING = ("no_answer", "empty", "fallback")
QUIET_SETS = {
    "logickor_ko": ("direct",),
    "k_overrefusal_ko": ("compliance", "refusal"),
    "xstest_en": ("direct", "refusal"),
}
"""Sets whose answers of these labels should not trigger."""
DETECTOR = FallbackDetector()
Row = Mapping[str, Any]


def measure() -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better."""
    figures = _shipped()
    if (DEVELOPMENT / "loaders.py").exists():
        figures |= _development(_loaders())
    else:
        print("fallback: only what ships is measured, for there is no development data")
    return {f"fallback/{name}": value for name, value in figures.items()}


def _shipped() -> dict[str, float]:
    rows = [json.loads(line) for line in SHIPPED.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        decision = DETECTOR.detect(row["answer"], row.get("question"))
        if (decision.triggered, decision.reason) != (row["triggered"], row["reason"]):
            print(f"fallback: {row['id']} is taken for {decision}")
    return {
        "shipped/found": _triggered(row for row in rows if row["triggered"]),
        "shipped/quiet": 1 - _triggered(row for row in rows if not row["triggered"]),
        "shipped/reason_right": _share(
            DETECTOR.detect(row["answer"], row.get("question")).reason == row["reason"] for row in rows if row["triggered"]
        ),
    }


def _development(load: Any) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, short in (("realtimeqa_llm_en", "realtimeqa"), ("alpaca_realtime_en", "alpaca")):
        for half, rows in _halves(load.answers(name, "dev")):
            should = [row for row in rows if row["label"] in MISSING]
            direct = [row for row in rows if row["label"] == "direct"]
            found, alarms = _triggered(should) * len(should), _triggered(direct) * len(direct)
            figures[f"{short}/{half}recall"] = found / len(should)
            figures[f"{short}/{half}precision"] = found / (found + alarms)
            figures[f"{short}/{half}direct_quiet"] = 1 - alarms / len(direct)
    for name, labels in QUIET_SETS.items():
        for half, rows in _halves(load.answers(name, "dev")):
            for label in labels:
                figures[f"{name}/{half}{label}_quiet"] = 1 - _triggered(row for row in rows if row["label"] == label)
    questions = [row for row in load.answers("selfaware_questions_en", "dev") if row["answerable"]]
    figures["selfaware/answers_quiet"] = 1 - _share(
        DETECTOR.detect(answer, row["text"]).triggered for row in questions for answer in row["answer"]
    )
    return figures


def _halves(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    halves: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        halves[int(hashlib.sha1(str(row["_id"]).encode(), usedforsecurity=False).hexdigest(), 16) % 2].append(row)
    yield "", halves[0]
    yield "unseen_", halves[1]


def _triggered(rows: Iterable[Row]) -> float:
    return _share(DETECTOR.detect(row["answer"] or "", row.get("question") or row.get("prompt")).triggered for row in rows)


def _share(verdicts: Iterable[bool]) -> float:
    counted = list(verdicts)
    return sum(counted) / len(counted)
