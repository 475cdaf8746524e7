"""How much of a question its query keeps: superlatives, ordinals, numerals, units, and what the question leaves out.

Each question of ``data/queries.jsonl`` names the words its query must hold and must not hold; ``video`` is a sample video or a
mapping. The text of a question decides by its hash whether it was kept aside while rules were written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from search_core.domain.query import ConversationMemory
from search_core.domain.report import Question, SearchOptions
from search_core.search.pipeline import construct
from search_core.search.understanding import QueryConstructor
from search_core.video import samples
from tests.quality.intent_quality import ANALYZER, NOW, missing_from, video_of
from tests.quality.sets import read_rows, share

CONSTRUCTOR = QueryConstructor(now=lambda: NOW)
SAMPLES = {video.video_id: video for video in samples()}


def measure() -> dict[str, float]:
    """Return the share of questions whose query is right, of those that rules were written on and of those kept aside."""
    right: dict[bool, list[bool]] = {True: [], False: []}
    for row in read_rows("queries"):
        right[is_kept_aside(row["query"])].append(not missing_from(query_of(row), row))
    return {"queries/tuned_right": share(right[False]), "queries/held_right": share(right[True])}


def is_kept_aside(question: str) -> bool:
    """Return whether rules must not be written on *question*."""
    return hashlib.sha256(question.encode()).digest()[0] % 2 == 0


def query_of(row: Mapping[str, Any]) -> str:
    """Return the query of a search for the question of *row*."""
    named = row.get("video")
    question = Question(
        text=row["query"],
        video=SAMPLES[named] if isinstance(named, str) else video_of(named),
        memory=ConversationMemory.from_questions(row.get("history", ())),
    )
    intent = ANALYZER.analyze_intent(question.text, question.video, question.memory)
    return construct(CONSTRUCTOR, question, SearchOptions(), intent).text
