"""What the answers of the API look like, as JSON schemas."""

from __future__ import annotations

from search_core.api.research_schemas import RESEARCH_OF_MESSAGE
from search_core.api.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    TIME,
    TIME_OR_NULL,
    VIDEO,
    Schema,
    a_list,
    an_event,
    an_object,
    or_null,
)

_PASSAGE = an_object({"start_s": NUMBER, "end_s": NUMBER, "text": TEXT, "score": NUMBER})
_SOURCE = an_object(
    {
        "number": {"type": "integer"},
        "title": TEXT,
        "url": TEXT,
        "snippet": TEXT,
        "source": TEXT,
        "publish_date": TIME_OR_NULL,
        "score": or_null({**NUMBER, "description": "Relevance from 0 to 1."}),
    }
)
_OWN_DOCUMENT = an_object(
    {
        "number": {"type": "integer", "description": "Counts own documents alone, from 1."},
        "title": TEXT,
        "url": TEXT,
        "quote": TEXT,
        "source": TEXT,
        "publish_date": TIME_OR_NULL,
        "sample": {**FLAG, "description": "True for a document that ships with the app."},
    }
)
_ROW = an_object(
    {
        "moment_s": NUMBER,
        "statement": TEXT,
        "stance": {"enum": ["agree", "adds", "contradicts", "changed", "cannot_tell"]},
        "source": {"type": "integer", "description": "Place among the sources, from 0."},
        "quote": TEXT,
        "date": TIME_OR_NULL,
        "after_video": {"type": ["boolean", "null"]},
        "independent_of": {"type": "integer"},
        "confidence": NUMBER,
        "restates_video": FLAG,
        "why": TEXT,
    }
)
_COMPARISON = an_object(
    {
        "rows": a_list(_ROW),
        "adds_nothing": FLAG,
        "before": a_list(_ROW),
        "after": a_list(_ROW),
        "undated": a_list(_ROW),
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
    **an_object(
        {"type": {"const": "error"}, "message": TEXT, "korean": TEXT},
        failure=_FAILURE,
        reason=TEXT,
        retry_after_s=or_null(NUMBER),
        session_id=TEXT,
    ),
    "description": "Why there is no more to tell: nothing found, nobody could be asked, or the answer ended. Tokens of the web "
    "that came before are void.",
}
EVENTS: Schema = {
    "description": "What is told while an answer is given.",
    "oneOf": [
        an_event("question_heard", "What a spoken question says.", text=TEXT),
        an_event("passages", "The passages of the transcript that the answer is made from.", passages=a_list(_PASSAGE)),
        an_event("token", "A piece of an answer, of the video or of the web.", content=TEXT, part={"enum": ["video", "web"]}),
        an_event(
            "answer",
            "The answer from the video, complete; moments in seconds.",
            text=TEXT,
            moments=a_list(NUMBER),
            origin=_ORIGIN,
            complete=FLAG,
            notice=TEXT,
        ),
        an_event(
            "fallback",
            "Whether the answer says that it is none, so that the web is searched.",
            triggered=FLAG,
            reason=TEXT,
            evidence=TEXT,
            passages=a_list(_PASSAGE),
            enabled=FLAG,
        ),
        an_event("web_searching", "The web is being searched for this query.", question=TEXT),
        an_event(
            "web_sources", "What was found, and who was asked.", sources=a_list(_SOURCE), headline=TEXT, ledger=a_list(TEXT)
        ),
        an_event(
            "pages_read",
            "Which pages were read; of the other sources the snippet counts.",
            pages=a_list(an_object({"number": {"type": "integer"}, "failure": TEXT})),
        ),
        an_event("stances", "How the sources stand to what the video says.", comparison=_COMPARISON, summary=TEXT),
        an_event(
            "web_answer",
            "The answer from the web, complete; it takes the place of its tokens.",
            text=TEXT,
            origin=_ORIGIN,
            cited=a_list({"type": "integer"}),
            unsupported=a_list(a_list({"type": "integer"})),
        ),
        an_event(
            "web_failed",
            "The web gave no answer; the one from the video stands.",
            failure=_FAILURE,
            cause=TEXT,
            korean=TEXT,
            for_model=TEXT,
            reason={**TEXT, "description": "Where no service of the web answered: the cause of each. Otherwise empty."},
            retry_after_s=or_null({**NUMBER, "description": "When a service can be asked again, at the earliest."}),
        ),
        an_event(
            "own_documents",
            "What documents of the library say; they are no part of an answer from the web.",
            documents=a_list(_OWN_DOCUMENT),
            to_model={**FLAG, "description": "True when their texts go to the language model's endpoint."},
        ),
        an_event(
            "answer_without_web",
            "What a model makes of video, conversation and own documents while the web is away; the first answer stands.",
            text=TEXT,
            moments=a_list(NUMBER),
            cited=a_list({"type": "integer"}),
            unsupported=a_list(a_list({"type": "integer"})),
        ),
        STREAM_ERROR,
        {
            **an_object(
                {"type": {"const": "done"}, "session_id": TEXT, "message_id": TEXT, "state": _STATE},
                **dict.fromkeys(_TIMES, NUMBER),
            ),
            "description": "The end of every stream.",
        },
    ],
}
PROBLEM: Schema = {
    **an_object({"error": an_object({"type": TEXT, "message": TEXT, "korean": TEXT})}),
    "description": "Why a request is refused, in English and in Korean.",
}
PLAIN_ERROR: Schema = an_object({"error": {"const": "Web search not configured"}, "type": TEXT, "korean": TEXT})
_ENTRY: dict[str, Schema] = {
    "id": TEXT,
    "title": TEXT,
    "video_title": TEXT,
    "created_at": TIME,
    "updated_at": TIME,
}
_MESSAGE = an_object(
    {
        "id": TEXT,
        "kind": {"enum": ["question", "answer", "check", "research"]},
        "state": _STATE,
        "text": TEXT,
        "spoken": FLAG,
        "about": TEXT,
        "created_at": TIME,
        "told": {
            "type": ["object", "null"],
            "description": "What was told, under the names of the events; the tokens put together.",
        },
        "research": RESEARCH_OF_MESSAGE,
    }
)
SESSIONS: Schema = an_object({"sessions": a_list(an_object({**_ENTRY, "messages": {"type": "integer"}}))})
SESSION: Schema = an_object({**_ENTRY, "video": VIDEO, "messages": a_list(_MESSAGE)})
REPORT: Schema = an_object(
    {
        "query": TEXT,
        "video": VIDEO,
        "intent": {"type": "object"},
        "constructed": {"type": "object"},
        "web_unavailable": {**FLAG, "description": "The web was to be searched, and none of its services answered."},
        "outcome": {**TEXT, "description": "That, or that nothing was found, in Korean with the reasons; else empty."},
        "replies": a_list({"type": "object"}),
        "results": a_list({"type": "object"}),
        "hidden": a_list({"type": "object"}),
        "threshold": NUMBER,
        "scorer": TEXT,
        "degradations": a_list({"type": "object"}),
        "elapsed_ms": NUMBER,
        "own_ms": NUMBER,
        "created_at": TIME_OR_NULL,
    }
)
