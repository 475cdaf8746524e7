"""The JSON of each record: the one format that scripts, files, agents and the HTTP API rely on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any

from search_core.domain.claim import ClaimsEntry, ClaimsRun, FoundClaims
from search_core.domain.conversation import Conversation, ConversationEntry
from search_core.domain.query import SearchIntent
from search_core.domain.reply import ProviderReply
from search_core.domain.report import SearchReport
from search_core.domain.research import ResearchEntry, ResearchRun
from search_core.domain.stance import Comparison
from search_core.domain.video import TranscriptPassage, VideoContext


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSelection:
    """How the JSON of a type differs from its fields."""

    only: tuple[str, ...] = ()
    """The fields in the JSON; empty for all."""
    left_out: tuple[str, ...] = ()
    added: Mapping[str, str] = field(default_factory=dict)
    """Further values of the JSON: the name of each, and the path of attributes to it ("video.title")."""


FORMS: Mapping[type, FieldSelection] = {
    VideoContext: FieldSelection(only=("video_id", "title", "url", "transcript_origin", "transcript_model")),
    TranscriptPassage: FieldSelection(only=("score",), added={name: name for name in ("start_s", "end_s", "text")}),
    SearchIntent: FieldSelection(left_out=("query", "references", "terms", "follow_up", "own", "moment_s")),
    ProviderReply: FieldSelection(left_out=("results", "advice", "out_of_order"), added={"count": "count"}),
    SearchReport: FieldSelection(
        left_out=("question", "options", "compute_ms", "web_wanted"),
        added={
            "query": "question.text",
            "video": "question.video",
            "moment_s": "question.moment_s",
            "threshold": "options.ranking.threshold",
            "ranking": "options.ranking",
            "web_unavailable": "web_unavailable",
            "own_ms": "compute_ms",
        },
    ),
    ConversationEntry: FieldSelection(left_out=("owner", "video_key")),
    Conversation: FieldSelection(
        left_out=("entry",),
        added={name: f"entry.{name}" for name in ("id", "title", "video_title", "created_at", "updated_at")},
    ),
    ResearchEntry: FieldSelection(left_out=("question", "video_key", "conversation"), added={"query": "question"}),
    ResearchRun: FieldSelection(
        left_out=("request",),
        added={
            "query": "request.question",
            "video": "request.video",
            "moment_s": "request.moment_s",
            "session_id": "request.conversation_id",
            "plan_first": "request.plan_first",
        },
    ),
    ClaimsEntry: FieldSelection(left_out=("video_key",)),
    ClaimsRun: FieldSelection(
        left_out=("request",),
        added={"video": "request.video", "fresh": "request.fresh"},
    ),
    Comparison: FieldSelection(added={"adds_nothing": "adds_nothing"}),
    FoundClaims: FieldSelection(left_out=("less_certain", "before")),
}
"""Types whose JSON is not simply their fields; owners and whole transcripts stay out."""


def plain_json(value: Any) -> Any:
    """Return *value* as JSON: records as objects, tuples as lists, times in ISO 8601, at any depth."""
    match value:
        case Enum():
            return value.value
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(name): plain_json(item) for name, item in value.items()}
        case tuple() if hasattr(value, "_fields"):
            return {name: plain_json(getattr(value, name)) for name in value._fields}
        case tuple() | list():
            return [plain_json(item) for item in value]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {name: plain_json(read(value)) for name, read in _readers(type(value)).items()}
        case _:
            return value


def fields_json(value: object, *names: str) -> dict[str, object]:
    """Return the attributes *names* of *value* as in its JSON."""
    return {name: plain_json(getattr(value, name)) for name in names}


@cache
def _readers(kind: type) -> dict[str, attrgetter[Any]]:
    """Return a getter for each value in the JSON of a dataclass, by its name there."""
    form = next((FORMS[base] for base in kind.__mro__ if base in FORMS), FieldSelection())
    names = form.only or tuple(field.name for field in fields(kind))
    paths = {**{name: name for name in names if name not in form.left_out}, **form.added}
    return {name: attrgetter(path) for name, path in paths.items()}
