"""Long runs over HTTP: started, followed, steered and looked up again, whatever kind they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from pydantic import BeforeValidator
from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import BodyRoute
from search_core.api.dependencies import Core, Owner, Rules
from search_core.api.openapi import LOCATION, Responses, answer, refusals, stream
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.rules import StreamRules
from search_core.api.run_stream import RunStream
from search_core.api.serializers import run_event_body
from search_core.api.streams import prepend
from search_core.core import SearchCore

_STREAM = (
    "Server-sent events, named by `event`, each with its number in the run under `id`, from 1; the data of each is one JSON "
    "object (see {event}). {told} ends a run. A client that leaves does not end it: who asks for the events after the last "
    "number they have gets the others, each once. A stream that ends before its run, with `interrupted` or without, is taken up "
    "again in that way. A comment line is sent every 15 seconds."
)
_MAX_DIGITS = 9


def _event_number(name: str) -> BeforeValidator:
    """Return what reads the number after which events are sent from a text; it raises ApiError (400)."""

    def read(given: str | int) -> int:
        text = str(given)
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ApiError(400, "bad_value", f"{name} must be the number of an event.", f"{name} 값은 이벤트 번호여야 해요.")
        return int(text)

    return BeforeValidator(read)


After = Annotated[
    int,
    _event_number("after"),
    Query(
        ge=0, le=10**_MAX_DIGITS - 1, description="Number of the last event that is known; 0 streams the run from its beginning."
    ),
]
LastEventId = Annotated[
    int,
    _event_number("Last-Event-ID"),
    BeforeValidator(lambda text: text or 0),
    Header(
        alias="Last-Event-ID",
        ge=0,
        le=10**_MAX_DIGITS - 1,
        description="The same, as browsers send it when they connect again; the larger of the two counts.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunApi:
    """One kind of run under the API, and how it is described."""

    path: str
    name: str
    """Of a run, in the names of operations."""
    plural: str
    schemas: str
    """What the names of its schemas begin with."""
    told: str
    """What the events tell, in words that end with the last one."""
    service: Callable[[SearchCore], Any]
    body: Callable[[Any], dict[str, Any]]
    """Returns a run as it stands."""
    entry_body: Callable[[Any], dict[str, Any]]
    """Returns a run as a list shows it."""
    steer: Mapping[str, tuple[Callable[[Any, str, str], None], str]]
    """What is called to steer a run, and what it does, by name."""
    resume: str
    """What a run that goes on from another does."""

    def started(self, note: str = "", *shapes: str) -> Responses:
        """Return how the answers to a start are described, with a *note*, and *shapes* that may stand in place of the stream."""
        text = f"{self.stream_note} The first event, `run`, has number 0 and names the run.{note}"
        named = answer("The run, for clients that accept `application/json` and no `text/event-stream`.", self.run)
        return {200: {**stream(text, self.event, *shapes), "headers": LOCATION}, 202: {**named, "headers": LOCATION}}

    @property
    def run(self) -> str:
        """Return the name of the schema of a run."""
        return f"{self.schemas}Run"

    @property
    def event(self) -> str:
        """Return the name of the schema of an event."""
        return f"{self.schemas}Event"

    @property
    def stream_note(self) -> str:
        """Return what is said of a stream."""
        return _STREAM.format(event=self.event, told=self.told)

    def as_it_stands(self, core: SearchCore, run_id: str, owner: str, status: int = 200) -> Response:
        """Answer with one of the owner's runs."""
        return JSONResponse(self.body(self.service(core).get(run_id, owner)), status, headers=NO_STORE)

    def begun(self, request: Request, run: Any) -> Response:
        """Answer with a run that was started, and its address."""
        return JSONResponse(self.body(run), 202, headers={**NO_STORE, "Location": self._address(request, run)})

    def follow(self, request: Request, core: SearchCore, run: Any, rules: StreamRules) -> Response:
        """Stream a run that was started; a client that accepts JSON and no stream is answered with the run."""
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return self.begun(request, run)
        events = self.service(core).follow(run.id, run.request.owner)
        return RunStream(events, run_event_body, rules, run_id=run.id, location=self._address(request, run))

    def _address(self, request: Request, run: Any) -> str:
        return f"{request.scope.get('root_path', '')}/{self.path}/{run.id}"


def run_router(kind: RunApi) -> APIRouter:
    """Return the addresses that every kind of run has; the one that starts a run is for the kind to add."""
    router = APIRouter(prefix=f"/{kind.path}", route_class=BodyRoute, default_response_class=Response)
    one, noun = "/{run_id}", f"{kind.name[0].upper()}{kind.name[1:]}"

    @router.get("", operation_id=kind.plural, responses={200: answer("The runs.", f"{kind.run}s")})
    def list_runs(core: Core, owner: Owner) -> Response:
        """List the caller's runs, newest first."""
        return JSONResponse({"runs": [kind.entry_body(entry) for entry in kind.service(core).list(owner)]}, headers=NO_STORE)

    @router.get(one, operation_id=kind.name, responses={200: answer("The run.", kind.run), **refusals(404)})
    def open_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Return a run in its present state."""
        return kind.as_it_stands(core, run_id, owner)

    @router.delete(one, operation_id=f"delete{noun}", status_code=204, responses=refusals(404, 409))
    def delete_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Delete a run that has ended, or waits with its plan, and all it has found."""
        kind.service(core).delete(run_id, owner)
        return Response(status_code=204, headers=NO_STORE)

    nothing = {"description": "The run has ended and there are no more events; browsers do not come again."}
    streamed = {200: stream(kind.stream_note, kind.event), 204: nothing, **refusals(400, 404)}

    @router.get(f"{one}/events", operation_id=f"follow{noun}", responses=streamed)
    async def follow_run(
        run_id: str, core: Core, owner: Owner, rules: Rules, after: After = 0, last_event_id: LastEventId = 0
    ) -> Response:
        """Stream the events of a run after a given one, until it ends."""
        run = await run_in_threadpool(lambda: kind.service(core).get(run_id, owner))
        events = kind.service(core).follow(run_id, owner, max(after, last_event_id))
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = prepend(first, events)
        return RunStream(events, run_event_body, rules)

    begun = {202: {**answer("The run that goes on.", kind.run), "headers": LOCATION}, **refusals(404, 409)}

    @router.post(f"{one}/resume", operation_id=f"resume{noun}", summary=kind.resume, status_code=202, responses=begun)
    def resume_run(request: Request, run_id: str, core: Core, owner: Owner) -> Response:
        return kind.begun(request, kind.service(core).resume(run_id, owner))

    for name, (steer, text) in kind.steer.items():
        router.post(f"{one}/{name}", operation_id=f"{name}{noun}", summary=text, status_code=202, responses=steered(kind))(
            _steering(kind, steer)
        )
    return router


def steered(kind: RunApi) -> Responses:
    """Return how the answer to who steers a run is described."""
    return {202: answer("The run as it stands; what becomes of it is among its events.", kind.run), **refusals(404)}


def _steering(kind: RunApi, steer: Callable[[Any, str, str], None]) -> Callable[..., Response]:
    def answer_steered(run_id: str, core: Core, owner: Owner) -> Response:
        steer(kind.service(core), run_id, owner)
        return kind.as_it_stands(core, run_id, owner, 202)

    return answer_steered
