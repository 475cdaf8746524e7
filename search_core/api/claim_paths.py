"""The addresses of checks of claims, described."""

from __future__ import annotations

from search_core.api.operations import answer, operation, stream
from search_core.api.research_paths import AFTER, LOCATION
from search_core.api.schemas import Schema

_STREAM = (
    "Server-sent events, named by `event`, each with its number in the run under `id`, from 1; the data of each is one JSON "
    "object (see ClaimsEvent). `claim` gives the progress of one claim and replaces what earlier events said of it; "
    "`claims_complete` ends a run. A client that leaves does not end it: who asks for the events after the last number they have "
    "gets the others, each once. A stream that ends before its run, with `interrupted` or without, is taken up again in that "
    "way. A comment line is sent every 15 seconds."
)


def claim_paths() -> Schema:
    """Return the addresses of checks of claims."""
    one = "/api/claims/{run_id}"
    listed = operation("claimRuns", "List the caller's checks, newest first.", {200: answer("The runs.", "ClaimsRuns")})
    return {
        "/api/claims": {"post": _start(), "get": listed},
        one: {
            "get": operation(
                "claimRun", "Return a run in its present state.", {200: answer("The run.", "ClaimsRun")}, refused=(404,)
            ),
            "delete": operation(
                "deleteClaimRun",
                "Delete a run that has ended, and all it has found.",
                {204: {"description": "It is deleted."}},
                refused=(404, 409),
            ),
        },
        f"{one}/events": {"get": _events()},
        **{f"{one}/{name}": {"post": described} for name, described in _steering().items()},
    }


def _start() -> Schema:
    started = {
        "description": f"{_STREAM} The first event, `run`, has number 0 and names the run. With `dry_run` a JSON object.",
        "headers": LOCATION,
        "content": {**stream("ClaimsEvent"), **answer("", "ClaimsFound")["content"]},
    }
    named = answer("The run, for clients that accept `application/json` and no `text/event-stream`.", "ClaimsRun")
    return operation(
        "checkClaims",
        "Check claims of a video against the web, given ones or those of the highest scores, and stream the events.",
        {200: started, 202: {**named, "headers": LOCATION}},
        body="ClaimsBody",
    )


def _events() -> Schema:
    return operation(
        "followClaimRun",
        "Stream the events of a run after a given one, until it ends.",
        {
            200: {"description": _STREAM, "content": stream("ClaimsEvent")},
            204: {"description": "The run has ended and there are no more events; browsers do not come again."},
        },
        refused=(400, 404),
        parameters=AFTER,
    )


def _steering() -> dict[str, Schema]:
    asked = {202: answer("The run as it stands; what becomes of it is among its events.", "ClaimsRun")}
    begun = {202: {**answer("The run that goes on.", "ClaimsRun"), "headers": LOCATION}}
    return {
        "stop": operation(
            "stopClaimRun", "Stop a run; claims that were checked stay. An ended one is left alone.", asked, refused=(404,)
        ),
        "finish": operation("finishClaimRun", "Begin with no more claims. An ended run is left alone.", asked, refused=(404,)),
        "resume": operation(
            "resumeClaimRun",
            "Start a run that checks what another, which has ended, did not.",
            begun,
            refused=(404, 409),
        ),
    }
