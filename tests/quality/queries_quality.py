"""How much of a question its query keeps: superlatives, ordinals, numerals, units, and what the question leaves out.

Each question of ``data/queries.jsonl`` names the words its query must hold and must not hold; ``video`` is a sample video or a
mapping. The text of a question decides by its hash whether it was kept aside while rules were written. ``followups`` are those of
``data/followups.jsonl``, asked behind others or beside a video, whose query is built with that context.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question, SearchOptions
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.search.pipeline import construct
from search_core.search.understanding.constructor import QueryConstructor
from search_core.search.understanding.question import QueryIntentAnalyzer
from search_core.video.upload import samples
from tests.quality.scope import Scope
from tests.quality.sets import read_rows, share, under

ANALYZER, CONSTRUCTOR = QueryIntentAnalyzer(), QueryConstructor(now=lambda: datetime(2026, 11, 20, tzinfo=UTC))
SAMPLES = {video.video_id: video for video in samples()}
SEGMENT_S = 5.0


def measure(_: Scope) -> dict[str, float]:
    """Return the share of queries that are right, of questions that rules were written on and of those kept aside."""
    right: dict[str, list[bool]] = {"tuned_right": [], "held_right": [], "followups_right": []}
    for row in read_rows("queries"):
        right["held_right" if is_kept_aside(row["query"]) else "tuned_right"].append(not missing_from(query_of(row), row))
    right["followups_right"] += [not missing_from(query_of(row, in_context=True), row) for row in read_rows("followups")]
    return under("queries", {name: share(outcomes) for name, outcomes in right.items()})


def is_kept_aside(question: str) -> bool:
    """Return whether *question* is only measured by, and no rule may be written on it."""
    return hashlib.sha256(question.encode()).digest()[0] % 2 == 0


def query_of(row: Mapping[str, Any], *, in_context: bool = False) -> str:
    """Return the query of a search for the question of *row*, or the one where it is taken to need its context."""
    named, memory = row.get("video"), ConversationMemory.from_questions(row.get("history", ()))
    question = Question(text=row["query"], video=SAMPLES[named] if isinstance(named, str) else video_of(named), memory=memory)
    intent = ANALYZER.analyze_intent(question.text, question.video, question.memory)
    if in_context:
        return CONSTRUCTOR.construct_query(intent, question.video, question.memory).text
    return construct(CONSTRUCTOR, question, SearchOptions(), intent).text


def video_of(mapping: Mapping[str, Any] | None) -> VideoContext | None:
    """Return the video of a shipped row; ``transcript`` is a list of [start, text]."""
    if mapping is None:
        return None
    fields = {key: tuple(value) if isinstance(value, list) else value for key, value in mapping.items()}
    fields.pop("published_at", None)
    segments = tuple(TranscriptSegment(start, start + SEGMENT_S, text) for start, text in fields.pop("transcript", ()))
    return VideoContext(**fields, transcript=segments)


def missing_from(text: str, row: Mapping[str, Any]) -> list[str]:
    """Return what *text* lacks of ``contains`` (a list stands for alternatives) and what it has of ``absent``."""
    low = text.casefold()
    parts = [[item] if isinstance(item, str) else item for item in row["contains"]]
    lacking = ["|".join(options) for options in parts if not any(option.casefold() in low for option in options)]
    return lacking + [f"not {item}" for item in row["absent"] if item.casefold() in low]
