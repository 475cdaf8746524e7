"""How well answers that are none are told from answers.

Labels of the development sets. RealTimeQA answers, and AlpacaEval answers to questions of the day: ``no_answer``, ``empty`` and
``fallback`` should trigger, ``direct`` should not. Answers that two readers may see otherwise (ambiguous, mixed, premise denied)
are left out. Refusals on grounds of conduct, English and Korean, should not trigger: a web search has no place there. Korean
answers to tasks, and the short right answers of SelfAware, should not trigger.

Cues were written with all of these sets in sight, and the classifier has learnt from them (``learn_unknown_weights``); what it
was not shown are the wordings ``held``, and answers like them (``traps``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from search_core.answers.fallback_detector import FallbackDetector
from search_core.language.korean import has_hangul
from tests.quality.scope import KIWI, Scope
from tests.quality.scorers import scorers
from tests.quality.sets import loaders, read_rows, share, under

MISSING = ("no_answer", "empty", "fallback")
QUIET_SETS = {
    "logickor_ko": ("direct",),
    "k_overrefusal_ko": ("compliance", "refusal"),
    "xstest_en": ("direct", "refusal"),
}
"""Sets whose answers of these labels should not trigger."""
ANSWERED = {"realtimeqa_llm_en": ("direct",), "alpaca_realtime_en": ("direct",), **QUIET_SETS}
"""Sets with labelled answers, and the labels of those that should not trigger."""
Row = Mapping[str, Any]


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name, in [0, 1], higher is better; those of cues and classifier stand below the model's name."""
    figures: dict[str, float] = {}
    for model, embedder in scorers(scope):
        cues_alone = model == KIWI
        detector = FallbackDetector() if cues_alone else FallbackDetector(lambda ready=embedder: ready)
        shares = _shipped(detector) | _kept_aside(detector)
        shares |= _development(detector, loaders()) if scope.reads_development else {}
        figures |= under("fallback" if cues_alone else f"fallback/{embedder.name}", shares)
    return figures


def _shipped(detector: FallbackDetector) -> dict[str, float]:
    rows = read_rows("fallback")
    for row in rows:
        decision = detector.detect(row["answer"], row.get("question"))
        if (decision.triggered, decision.reason) != (row["triggered"], row["reason"]):
            print(f"fallback: {row['id']} is taken for {decision}")
    return {
        "shipped/found": _triggered(detector, (row for row in rows if row["triggered"])),
        "shipped/quiet": 1 - _triggered(detector, (row for row in rows if not row["triggered"])),
        "shipped/reason_right": share(
            detector.detect(row["answer"], row.get("question")).reason == row["reason"] for row in rows if row["triggered"]
        ),
    }


def _kept_aside(detector: FallbackDetector) -> dict[str, float]:
    """Return the figures of the wordings in ``unknown.jsonl`` that are kept aside."""
    rows, figures = [row for row in read_rows("unknown") if row["use"] == "held"], {}
    for language, korean in (("ko", True), ("en", False)):
        of_language = [row for row in rows if has_hangul(row["answer"]) is korean]
        figures[f"held_{language}/found"] = _triggered(detector, (row for row in of_language if row["unknown"]))
        figures[f"held_{language}/traps_quiet"] = 1 - _triggered(detector, (row for row in of_language if not row["unknown"]))
    return figures


def _development(detector: FallbackDetector, load: Any) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name, short in (("realtimeqa_llm_en", "realtimeqa"), ("alpaca_realtime_en", "alpaca")):
        rows = load.answers(name, "dev")
        should = [row for row in rows if row["label"] in MISSING]
        direct = [row for row in rows if row["label"] == "direct"]
        hits, alarms = _triggered(detector, should) * len(should), _triggered(detector, direct) * len(direct)
        figures[f"{short}/recall"] = hits / len(should)
        figures[f"{short}/precision"] = hits / (hits + alarms)
        figures[f"{short}/direct_quiet"] = 1 - alarms / len(direct)
    for name, labels in QUIET_SETS.items():
        for label in labels:
            rows = [row for row in load.answers(name, "dev") if row["label"] == label]
            figures[f"{name}/{label}_quiet"] = 1 - _triggered(detector, rows)
    questions = [row for row in load.answers("selfaware_questions_en", "dev") if row["answerable"]]
    figures["selfaware/answers_quiet"] = 1 - share(
        detector.detect(answer, row["text"]).triggered for row in questions for answer in row["answer"]
    )
    return figures


def _triggered(detector: FallbackDetector, rows: Iterable[Row]) -> float:
    return share(detector.detect(row["answer"] or "", row.get("question") or row.get("prompt")).triggered for row in rows)
