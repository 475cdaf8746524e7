"""How well questions are understood: their kind, and whether they need context.

Labels. ``news`` is what changes by the day (announcements, prices, results, schedules); ``background`` is what an
encyclopaedia answers (definitions, facts, persons, reasons, workings); ``general`` is the rest (how-to, advice, opinions,
tasks, addresses of pages).

Mapping of the development sets. SLURP: scenario news → news; qa_definition and qa_factoid → background; qa_stock,
qa_currency and qa_maths are left out (prices are news to us and facts to SLURP); all other scenarios → general. Korean
headlines typed as queries → news. MIRACL questions → background. SQuARe's ethical one-sentence questions → not news.

Needs context. TREC CAsT by its ``changed`` flag with the earlier turns as memory. The second turn of a Korean dialogue does;
its first does not, neither by itself nor after the first turn of another dialogue. SQuARe and MIRACL questions stand alone,
also beside a video.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from search_core.domain.query import ConversationMemory, SearchType
from search_core.domain.report import MAX_QUESTION_CHARS
from search_core.domain.video import VideoContext
from tests.quality.queries_quality import ANALYZER, video_of
from tests.quality.scope import Scope
from tests.quality.sets import loaders, read_rows, share, under

EVERY = 3
"""One in three of the large sets: the figures move by less than a hundredth."""
BESIDE = VideoContext(
    title="정원 가꾸기 입문", speakers=("한여름",), organizations=("푸른온실",), key_terms=("장미", "가지치기"), language="ko"
)
"""A video that has nothing to do with the questions asked beside it."""


def measure(scope: Scope) -> dict[str, float]:
    """Return each figure by name; of the own questions alone unless *scope* has everything."""
    figures = _shipped()
    if scope.reads_development:
        load = loaders()
        figures |= {**_cast(load), **_two_turns(load), **_stand_alone(load), **_kinds(load)}
    return under("intent", figures)


def needs_context(text: str, video: VideoContext | None = None, history: Iterable[str] = ()) -> bool:
    """Tell whether the analyser wants context for *text*."""
    return ANALYZER.analyze_intent(_cut(text), video, ConversationMemory.from_questions(history)).requires_context


def _cut(text: str) -> str:
    return text[:MAX_QUESTION_CHARS]


def _shipped() -> dict[str, float]:
    pairs = []
    for row in read_rows("intent"):
        memory = ConversationMemory.from_questions(row.get("history", ()))
        pairs.append((row, ANALYZER.analyze_intent(row["query"], video_of(row.get("video")), memory)))
    return {
        "shipped_type_accuracy": share(intent.intent_type == row["intent_type"] for row, intent in pairs),
        "shipped_context_accuracy": share(intent.requires_context == row["requires_context"] for row, intent in pairs),
        "shipped_calibration": 1.0 - calibration_error([(i.confidence, i.intent_type == row["intent_type"]) for row, i in pairs]),
    }


def _cast(load: Any) -> dict[str, float]:
    history: dict[str, list[str]] = {}
    judged = []
    for turn in load.cast(side="dev"):
        earlier = history.setdefault(turn["topic"], [])
        judged.append((turn["changed"], needs_context(turn["raw"], history=earlier), bool(earlier)))
        earlier.append(turn["raw"])
    recall = share(got for wanted, got, _ in judged if wanted)
    precision = share(wanted for wanted, got, _ in judged if got)
    return {
        "cast_f1": 2 * precision * recall / (precision + recall),
        "cast_recall": recall,
        "cast_precision": precision,
        "cast_accuracy": share(wanted == got for wanted, got, _ in judged),
        "cast_first_turn_quiet": share(not got for _, got, follows in judged if not follows),
        "cast_later_unchanged_quiet": share(not got for wanted, got, follows in judged if follows and not wanted),
    }


def _two_turns(load: Any) -> dict[str, float]:
    rows = load.korean_two_turn(side="dev")
    firsts = [row["turns"][0] for row in rows]
    searched = [row for row in rows if row["category"] == "search"]
    return {
        "two_turn_second_found": share(needs_context(row["turns"][1], history=row["turns"][:1]) for row in rows),
        "two_turn_search_second_found": share(needs_context(row["turns"][1], history=row["turns"][:1]) for row in searched),
        "two_turn_first_quiet": share(not needs_context(first) for first in firsts),
        "two_turn_new_subject_quiet": share(
            not needs_context(first, history=(before,)) for before, first in zip(firsts, [*firsts[1:], firsts[0]], strict=True)
        ),
    }


def _stand_alone(load: Any) -> dict[str, float]:
    figures = {}
    for name, rows in (("square", load.square_questions(side="dev")), ("miracl", load.miracl_mrtydi_queries(side="dev"))):
        texts = [row["text"] for row in rows[::EVERY]]
        figures[f"{name}_quiet"] = share(not needs_context(text) for text in texts)
        figures[f"{name}_beside_video_quiet"] = share(not needs_context(text, BESIDE) for text in texts)
        figures[f"{name}_after_other_quiet"] = share(
            not needs_context(text, history=(before,)) for before, text in zip(texts[1:], texts[:-1], strict=True)
        )
    return figures


def _kinds(load: Any) -> dict[str, float]:
    slurp = [(label, _kind_of(row["text"])) for row in load.slurp(side="dev") if (label := slurp_label(row)) is not None]
    recalls = {kind: share(got is kind for label, got in slurp if label is kind) for kind in SearchType}
    square, miracl, headlines = (
        load.square_questions(side="dev"),
        load.miracl_mrtydi_queries(side="dev")[::EVERY],
        load.korean_headlines(side="dev")[::EVERY],
    )
    ethical = [row["text"] for row in square if row["category"] == "ethical" and ". " not in row["text"]]
    return {
        "headlines_news": share(_kind_of(row["headline"]) is SearchType.NEWS for row in headlines),
        "slurp_accuracy": share(label is got for label, got in slurp),
        **{f"slurp_{kind.value}_recall": recall for kind, recall in recalls.items()},
        "slurp_macro_recall": sum(recalls.values()) / len(recalls),
        "square_ethical_not_news": share(_kind_of(text) is not SearchType.NEWS for text in ethical),
        "miracl_background": share(_kind_of(row["text"]) is SearchType.BACKGROUND for row in miracl),
    }


def _kind_of(text: str) -> SearchType:
    return ANALYZER.determine_search_type(_cut(text))


def slurp_label(row: Mapping[str, str]) -> SearchType | None:
    """Return the kind of a SLURP row, None if it is left out."""
    if row["scenario"] == "news":
        return SearchType.NEWS
    if row["scenario"] == "qa":
        return SearchType.BACKGROUND if row["action"] in ("definition", "factoid") else None
    return SearchType.GENERAL


def calibration_error(judged: list[tuple[float, bool]], bins: int = 5) -> float:
    """Return the expected calibration error: the mean distance between confidence and the share that is right, over bins."""
    total = 0.0
    for index in range(bins):
        low, high = index / bins, (index + 1) / bins
        inside = [(confidence, right) for confidence, right in judged if low <= confidence < high or high == 1.0 == confidence]
        if inside:
            confidence_mean = sum(confidence for confidence, _ in inside) / len(inside)
            total += abs(confidence_mean - share(right for _, right in inside)) * len(inside)
    return total / len(judged)
