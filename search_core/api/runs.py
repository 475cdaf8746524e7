"""Long runs over HTTP: started, followed, steered and looked up again, whatever kind they are of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from typing import Any, Generic, Protocol, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.callers import caller_of
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.rules import StreamRules
from search_core.api.run_stream import RunStream
from search_core.api.streams import prepend
from search_core.core import SearchCore

_MAX_DIGITS = 9


class Service(Protocol):
    """The face of one kind of run, as far as every kind has it."""

    def get(self, run_id: str, owner: str) -> Any:
        """Return a run as it stands."""

    def follow(self, run_id: str, owner: str, after: int = 0) -> AsyncGenerator[tuple[int, Any]]:
        """Yield the events above a number as they come."""

    def delete(self, run_id: str, owner: str) -> None:
        """Delete a run that has ended."""


ServiceT = TypeVar("ServiceT", bound=Service)


class Runs(ABC, Generic[ServiceT]):
    """Answers requests about runs of one kind; *core* returns the search core and may block."""

    path: str
    """Of the runs, under the API."""

    def __init__(self, core: Callable[[], SearchCore], rules: StreamRules) -> None:
        self._core = core
        self._rules = rules

    @abstractmethod
    def _service(self) -> ServiceT:
        """Return the service of the runs; may block."""

    @abstractmethod
    def _body(self, run: Any) -> dict[str, Any]:
        """Return a run as it stands."""

    @abstractmethod
    def _event_body(self, event: Any) -> dict[str, Any]:
        """Return an event with its name under ``type``."""

    async def one(self, request: Request) -> Response:
        """Answer with one of the caller's runs as it stands."""
        return JSONResponse(self._body(await self._run(request)), headers=NO_STORE)

    async def events(self, request: Request) -> Response:
        """Stream the events of a run after a given one; an empty answer (204) when the run has ended and has no more."""
        run_id, owner = run_id_and_owner(request)
        after = _number_after(request)
        run = await run_in_threadpool(lambda: self._service().get(run_id, owner))
        events = self._service().follow(run_id, owner, after)
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = prepend(first, events)
        return RunStream(events, self._event_body, self._rules)

    async def delete(self, request: Request) -> Response:
        """Delete a run that has ended."""
        run_id, owner = run_id_and_owner(request)
        await run_in_threadpool(lambda: self._service().delete(run_id, owner))
        return Response(status_code=204, headers=NO_STORE)

    def _answer_started(self, request: Request, run: Any, owner: str) -> Response:
        """Return the stream of a run that was started; a client that accepts JSON and no stream is answered with the run."""
        if _wants_json(request):
            return self._started_response(request, run)
        events = self._service().follow(run.id, owner)
        return RunStream(events, self._event_body, self._rules, run_id=run.id, location=self._address(request, run))

    async def _run(self, request: Request) -> Any:
        run_id, owner = run_id_and_owner(request)
        return await run_in_threadpool(lambda: self._service().get(run_id, owner))

    async def _steer(self, request: Request, steer: Callable[[ServiceT, str, str], None]) -> Response:
        """Call *steer* for a run and answer with the run as it stands; what comes of it shows in the events."""
        run_id, owner = run_id_and_owner(request)
        await run_in_threadpool(lambda: steer(self._service(), run_id, owner))
        return JSONResponse(self._body(await self._run(request)), status_code=202, headers=NO_STORE)

    def _started_response(self, request: Request, run: Any) -> Response:
        headers = {**NO_STORE, "Location": self._address(request, run)}
        return JSONResponse(self._body(run), status_code=202, headers=headers)

    def _address(self, request: Request, run: Any) -> str:
        return f"{request.scope.get('root_path', '')}/{self.path}/{run.id}"


def run_id_and_owner(request: Request) -> tuple[str, str]:
    """Return the id of the run that a request names, and the caller who has to own it."""
    return request.path_params["run_id"], caller_of(request.scope).owner


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


def _number_after(request: Request) -> int:
    """Return the number after which events are sent: the larger of what the address and the header say.

    A client that connects again by itself keeps its address, and its header is newer. Raises ApiError (400).
    """
    given = {"after": request.query_params.get("after", "0"), "Last-Event-ID": request.headers.get("last-event-id") or "0"}
    for name, text in given.items():
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ApiError(400, "bad_value", f"{name} must be the number of an event.", f"{name} 값은 이벤트 번호여야 해요.")
    return max(map(int, given.values()))
