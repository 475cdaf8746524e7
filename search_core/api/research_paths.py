"""The addresses of deep research, described."""

from __future__ import annotations

from search_core.api.operations import answer, operation, stream
from search_core.api.schemas import Schema

_STREAM = (
    "Server-sent events, named by `event`, each with its number in the run under `id`, from 1; the data of each is one JSON "
    "object (see ResearchEvent). `research_complete` ends a run. A client that leaves does not end it: who asks for the events "
    "after the last number they have gets the others, each once. A stream that ends before its run, with `interrupted` or "
    "without, is taken up again in that way. A comment line is sent every 15 seconds."
)
AFTER: list[Schema] = [
    {
        "name": "after",
        "in": "query",
        "description": "Number of the last event that is known; 0 streams the run from its beginning.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999, "default": 0},
    },
    {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The same, as browsers send it when they connect again; the larger of the two counts.",
        "schema": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    },
]
LOCATION = {"Location": {"description": "Address of the run.", "schema": {"type": "string"}}}


def research_paths() -> Schema:
    """Return the addresses of research."""
    one = "/api/research/{run_id}"
    listed = operation("researches", "List the caller's runs, newest first.", {200: answer("The runs.", "ResearchRuns")})
    return {
        "/api/research": {"post": _start(), "get": listed},
        one: {
            "get": operation(
                "research", "Return a run in its present state.", {200: answer("The run.", "ResearchRun")}, refused=(404,)
            ),
            "delete": operation(
                "deleteResearch",
                "Delete a run that has ended, or waits with its plan, and all it has found.",
                {204: {"description": "It is deleted."}},
                refused=(404, 409),
            ),
        },
        f"{one}/events": {"get": _events()},
        **{f"{one}/{name}": {"post": described} for name, described in _steering().items()},
    }


def _start() -> Schema:
    started = {
        "description": f"{_STREAM} The first event, `run`, has number 0 and names the run.",
        "headers": LOCATION,
        "content": stream("ResearchEvent"),
    }
    named = {**answer("The run, for clients that accept `application/json` and no `text/event-stream`.", "ResearchRun")}
    return operation(
        "startResearch",
        "Research a question: plan, search, read and write a report, and stream the events.",
        {200: started, 202: {**named, "headers": LOCATION}},
        body="ResearchBody",
        refused=(409,),
    )


def _events() -> Schema:
    return operation(
        "followResearch",
        "Stream the events of a run after a given one, until it ends.",
        {
            200: {"description": _STREAM, "content": stream("ResearchEvent")},
            204: {"description": "The run has ended and there are no more events; browsers do not come again."},
        },
        refused=(400, 404),
        parameters=AFTER,
    )


def _steering() -> dict[str, Schema]:
    asked = {202: answer("The run as it stands; what becomes of it is among its events.", "ResearchRun")}
    begun = {202: {**answer("The run that goes on.", "ResearchRun"), "headers": LOCATION}}
    return {
        "cancel": operation(
            "cancelResearch", "Stop a run; what there is stays. An ended one is left alone.", asked, refused=(404,)
        ),
        "finish": operation(
            "finishResearch", "Have the report written from what there is. An ended run is left alone.", asked, refused=(404,)
        ),
        "resume": operation(
            "resumeResearch",
            "Start a run that goes on from what a stopped, failed or early finished one has found.",
            begun,
            refused=(404, 409),
        ),
        "agree": operation(
            "agreeToPlan",
            "Let a run that waits with its plan go on, by that plan or by another.",
            asked,
            body="AgreeBody",
            body_required=False,
            refused=(409,),
        ),
        "edit": operation(
            "editPlan",
            "Change a part of the plan until the report is written; only that part is searched for again.",
            asked,
            body="EditBody",
            refused=(409,),
        ),
    }
