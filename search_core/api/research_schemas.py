"""What runs of research and their events look like, as JSON schemas."""

from __future__ import annotations

from search_core.api.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    TIME,
    TIME_OR_NULL,
    VIDEO,
    WHOLE,
    Schema,
    a_list,
    an_event,
    an_object,
    or_null,
)

_STATUS: Schema = {
    "enum": [
        "queued",
        "planning",
        "planned",
        "searching",
        "reading",
        "writing",
        "complete",
        "finished_early",
        "stopped",
        "failed",
    ],
    "description": "How far a run is: `planned` waits for `agree`; the last four are ends.",
}
_ORIGIN: Schema = {"enum": ["model", "rules", "user"]}
_SUBTASK = an_object(
    {
        "number": WHOLE,
        "text": TEXT,
        "origin": _ORIGIN,
        "state": {"enum": ["waiting", "searching", "done", "failed", "left_out"]},
        "found": WHOLE,
        "own": {"type": "integer", "description": "How many of those found are documents of the library."},
        "failure": TEXT,
    }
)
_SOURCE = an_object(
    {
        "number": {
            "type": "integer",
            "description": "What the report cites it by; 0 in `source_read` and `opened` until `sources_complete`.",
        },
        "title": TEXT,
        "url": TEXT,
        "snippet": TEXT,
        "domain": TEXT,
        "publish_date": TIME_OR_NULL,
        "relevance_score": {"type": ["number", "null"]},
        "subtasks": a_list(WHOLE),
        "moment": or_null(an_object({"start_s": NUMBER, "text": TEXT, "similarity": NUMBER})),
        "read": {"type": ["boolean", "null"], "description": "Null when its page was not tried: then only the snippet is known."},
        "failure": TEXT,
        "reading": {"type": "boolean", "description": "True while its page is being read."},
        "shortened": {"type": "boolean", "description": "True when its page goes on behind what was read of it."},
        "collection": {"type": "string", "description": "Empty for the web, `user` or `sample` for a document of the library."},
    }
)
_DOMAINS: Schema = {"type": "object", "additionalProperties": WHOLE, "description": "Sources of the web by domain."}
_TIMES = ("query_decomposition", "search_duration_ms", "scrape_duration_ms", "analysis_duration_ms", "total_ms")
_METRICS = {**an_object(dict.fromkeys(_TIMES, NUMBER)), "description": "Milliseconds."}
_PLACES = a_list(a_list(WHOLE))
_WRITTEN: dict[str, Schema] = {
    "unfinished": {"type": "boolean", "description": "True when the report breaks off because writing failed."},
    "own_sent": {
        "type": ["boolean", "null"],
        "description": "Whether documents of the library were given to the language model; null without such documents or model.",
    },
    "excerpted": {**a_list(WHOLE), "description": "Sources of which only the sentences nearest to the question were used."},
}
_COVERAGE_LINES = a_list(
    an_object({"kind": {"enum": ["summary", "subtask", "service", "pages", "unanswered"]}, "text": TEXT, "subtask": WHOLE})
)
_FAILURE: dict[str, Schema] = {"kind": TEXT, "description": TEXT, "korean": TEXT}
_RUN: dict[str, Schema] = {
    "id": TEXT,
    "query": TEXT,
    "video": VIDEO,
    "session_id": {"type": ["string", "null"]},
    "plan_first": FLAG,
    "own_only": FLAG,
    "continues": {"type": ["string", "null"], "description": "The run whose findings this one goes on from."},
    "status": _STATUS,
    "message": TEXT,
    "plan": a_list(_SUBTASK),
    "plan_origin": or_null(_ORIGIN),
    "plan_note": TEXT,
    "count": WHOLE,
    "domains": _DOMAINS,
    "sources": a_list(_SOURCE),
    "opened": a_list(_SOURCE),
    "report": TEXT,
    "by_model": {"type": ["boolean", "null"], "description": "False for an extract, null until the report is finished."},
    "cited": a_list(WHOLE),
    "unsupported": _PLACES,
    "report_note": TEXT,
    **_WRITTEN,
    "failures": a_list(an_object(_FAILURE)),
    "coverage": a_list(TEXT),
    "coverage_lines": _COVERAGE_LINES,
    "unanswered": a_list(WHOLE),
    "metrics": _METRICS,
    "created_at": TIME,
    "ended_at": TIME_OR_NULL,
}

RESEARCH_EVENTS: Schema = {
    "description": "What is told while a run goes on; `event:` and `type` are the same.",
    "oneOf": [
        an_event("run", "Names the run that was started; number 0, in the answer to its start only.", id=TEXT),
        an_event("status", "How far the run is.", status=_STATUS, message=TEXT),
        an_event("thought", "A part of the plan, new or changed.", subtask=_SUBTASK),
        an_event(
            "thought",
            "The plan stands as far as it was told; with a size, parts of higher numbers are no more.",
            origin=_ORIGIN,
            note=TEXT,
            size={"type": ["integer", "null"]},
        ),
        an_event(
            "sources_update",
            "A search has ended: what all of them have found so far.",
            subtask=_SUBTASK,
            count=WHOLE,
            domains=_DOMAINS,
            ledger=a_list(TEXT),
        ),
        an_event("sources_complete", "All sources, by relevance.", sources=a_list(_SOURCE)),
        an_event(
            "source_read", "Reading the page of a source begins (`reading`), or has ended: what became of it.", source=_SOURCE
        ),
        an_event(
            "content_chunk", "A piece of the report; one that `begins` takes the place of all before it.", text=TEXT, begins=FLAG
        ),
        an_event(
            "report",
            "The whole report; it takes the place of its pieces. `unsupported` are places in the text that their sources do not "
            "bear out.",
            text=TEXT,
            by_model=FLAG,
            cited=a_list(WHOLE),
            unsupported=_PLACES,
            note=TEXT,
            **_WRITTEN,
        ),
        an_event("error", "Something failed; the run ends with it only when its status says so.", **_FAILURE),
        an_event(
            "research_complete",
            "The end of every run.",
            status=_STATUS,
            metrics=_METRICS,
            coverage=a_list(TEXT),
            coverage_lines=_COVERAGE_LINES,
            unanswered=a_list(WHOLE),
            at=TIME_OR_NULL,
        ),
        an_event(
            "interrupted",
            "The stream ends, not the run: come again. It has no number.",
            cause=TEXT,
            message=TEXT,
            korean=TEXT,
        ),
    ],
}
RESEARCH_RUN: Schema = an_object(_RUN)
RESEARCH_RUNS: Schema = an_object(
    {"runs": a_list(an_object({name: _RUN[name] for name in ("id", "query", "status", "created_at", "ended_at")}))}
)
_TOLD = ("report", "by_model", "cited", "unsupported", "report_note", "failures", "coverage", "unanswered", "metrics")
RESEARCH_OF_MESSAGE: Schema = {
    "anyOf": [
        an_object(
            {
                "run_id": TEXT,
                "state": _STATUS,
                "missing": {"const": ""},
                "thoughts": _RUN["plan"],
                "sources": _RUN["sources"],
                "sourceUrls": a_list(TEXT),
                **{name: _RUN[name] for name in _TOLD},
            }
        ),
        {
            **an_object({"run_id": TEXT, "state": {"type": "null"}, "missing": TEXT}),
            "description": "A run that was deleted, or cannot be read; `missing` says so in Korean.",
        },
        {"type": "null"},
    ],
    "description": "The run of a message of the kind `research`, as it stands; null for all others.",
}
