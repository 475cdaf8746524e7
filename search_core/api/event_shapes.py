"""What the answers of the API look like, as JSON schemas."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_FLAG: Schema = {"type": "boolean"}
_TIME: Schema = {"type": ["string", "null"], "format": "date-time"}


def _object(required: dict[str, Schema], **optional: Schema) -> Schema:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **optional},
        "additionalProperties": False,
    }


def _list(each: Schema) -> Schema:
    return {"type": "array", "items": each}


def _event(name: str, about: str, **fields: Schema) -> Schema:
    return {**_object({"type": {"const": name}, **fields}), "description": about}


_PASSAGE = _object({"start_s": _NUMBER, "end_s": _NUMBER, "text": _TEXT, "score": _NUMBER})
_SOURCE = _object(
    {"number": {"type": "integer"}, "title": _TEXT, "url": _TEXT, "snippet": _TEXT, "source": _TEXT, "publish_date": _TIME}
)
_ROW = _object(
    {
        "moment_s": _NUMBER,
        "statement": _TEXT,
        "stance": {"enum": ["agree", "adds", "contradicts", "changed", "cannot_tell"]},
        "source": {"type": "integer", "description": "Place among the sources, from 0."},
        "quote": _TEXT,
        "date": _TIME,
        "after_video": {"type": ["boolean", "null"]},
        "independent_of": {"type": "integer"},
        "confidence": _NUMBER,
        "restates_video": _FLAG,
        "why": _TEXT,
    }
)
_COMPARISON = _object(
    {
        "rows": _list(_ROW),
        "adds_nothing": _FLAG,
        "before": _list(_ROW),
        "after": _list(_ROW),
        "undated": _list(_ROW),
        "unread_statements": {"type": "integer"},
        "unread_sources": {"type": "integer"},
    }
)
_ORIGIN: Schema = {"enum": ["model", "extract"]}
_FAILURE: Schema = {
    "enum": ["no_results", "not_relevant", "unavailable", "timeout", "search_failed", "model_failed", "not_answered"]
}
_STATE: Schema = {"enum": ["running", "complete", "stopped", "failed"]}
_TIMES = ("passages_ms", "answer_ms", "search_ms", "reading_ms", "comparison_ms", "web_answer_ms", "total_ms")

STREAM_ERROR: Schema = {
    **_object({"type": {"const": "error"}, "message": _TEXT, "korean": _TEXT}, failure=_FAILURE, session_id=_TEXT),
    "description": "Why there is no more to tell: nothing found, nobody could be asked, or the answer ended. Tokens of the web "
    "that came before are void.",
}
EVENTS: Schema = {
    "description": "What is told while an answer is given.",
    "oneOf": [
        _event("question_heard", "What a spoken question says.", text=_TEXT),
        _event("passages", "The passages of the transcript that the answer is made from.", passages=_list(_PASSAGE)),
        _event("token", "A piece of an answer, of the video or of the web.", content=_TEXT, part={"enum": ["video", "web"]}),
        _event(
            "answer",
            "The answer from the video, complete; moments in seconds.",
            text=_TEXT,
            moments=_list(_NUMBER),
            origin=_ORIGIN,
            complete=_FLAG,
            notice=_TEXT,
        ),
        _event(
            "fallback",
            "Whether the answer says that it is none, so that the web is searched.",
            triggered=_FLAG,
            reason=_TEXT,
            evidence=_TEXT,
            passages=_list(_PASSAGE),
            enabled=_FLAG,
        ),
        _event("web_searching", "The web is being searched.", question=_TEXT),
        _event("web_sources", "What was found, and who was asked.", sources=_list(_SOURCE), headline=_TEXT, ledger=_list(_TEXT)),
        _event(
            "pages_read",
            "Which pages were read; of the other sources the snippet counts.",
            pages=_list(_object({"number": {"type": "integer"}, "failure": _TEXT})),
        ),
        _event("stances", "How the sources stand to what the video says.", comparison=_COMPARISON, summary=_TEXT),
        _event(
            "web_answer",
            "The answer from the web, complete; it takes the place of its tokens.",
            text=_TEXT,
            origin=_ORIGIN,
            cited=_list({"type": "integer"}),
            unsupported=_list(_list({"type": "integer"})),
        ),
        _event(
            "web_failed",
            "The web gave no answer; the one from the video stands.",
            failure=_FAILURE,
            cause=_TEXT,
            korean=_TEXT,
            for_model=_TEXT,
        ),
        STREAM_ERROR,
        {
            **_object(
                {"type": {"const": "done"}, "session_id": _TEXT, "message_id": _TEXT, "state": _STATE},
                **dict.fromkeys(_TIMES, _NUMBER),
            ),
            "description": "The end of every stream.",
        },
    ],
}
PROBLEM: Schema = {
    **_object({"error": _object({"type": _TEXT, "message": _TEXT, "korean": _TEXT})}),
    "description": "Why a request is refused, in English and in Korean.",
}
PLAIN_ERROR: Schema = _object({"error": {"const": "Web search not configured"}, "type": _TEXT, "korean": _TEXT})
_ENTRY: dict[str, Schema] = {
    "id": _TEXT,
    "title": _TEXT,
    "video_title": _TEXT,
    "created_at": {"type": "string", "format": "date-time"},
    "updated_at": {"type": "string", "format": "date-time"},
}
_VIDEO: Schema = {"anyOf": [_object({"video_id": _TEXT, "title": _TEXT, "url": _TEXT}), {"type": "null"}]}
_MESSAGE = _object(
    {
        "id": _TEXT,
        "kind": {"enum": ["question", "answer", "check"]},
        "state": _STATE,
        "text": _TEXT,
        "spoken": _FLAG,
        "about": _TEXT,
        "created_at": {"type": "string", "format": "date-time"},
        "told": {
            "type": ["object", "null"],
            "description": "What was told, under the names of the events; the tokens put together.",
        },
    }
)
SESSIONS: Schema = _object({"sessions": _list(_object({**_ENTRY, "messages": {"type": "integer"}}))})
SESSION: Schema = _object({**_ENTRY, "video": _VIDEO, "messages": _list(_MESSAGE)})
REPORT: Schema = _object(
    {
        "query": _TEXT,
        "video": _VIDEO,
        "intent": {"type": "object"},
        "constructed": {"type": "object"},
        "replies": _list({"type": "object"}),
        "results": _list({"type": "object"}),
        "hidden": _list({"type": "object"}),
        "threshold": _NUMBER,
        "scorer": _TEXT,
        "degradations": _list({"type": "object"}),
        "elapsed_ms": _NUMBER,
        "own_ms": _NUMBER,
        "created_at": _TIME,
    }
)
