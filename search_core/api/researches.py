"""``/api/research``: runs started, followed, steered and looked up again."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import AgreeBody, EditBody, ResearchBody, read_body, read_body_if_any
from search_core.api.callers import caller_of
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.research_stream import ResearchStream
from search_core.api.rules import StreamRules
from search_core.api.serializers import run_body, run_entry_body
from search_core.api.streams import prepend
from search_core.api.videos import hold_to_video, known_video
from search_core.chat.turns import memory_of
from search_core.core import SearchCore
from search_core.domain import ConversationMemory, ResearchRequest, ResearchRun
from search_core.research import ResearchService

Steer = Callable[["ResearchService", str, str], None]
"""Steers a run, given by its id and its owner."""
_MAX_DIGITS = 9


class Researches:
    """Answers requests about runs of research; *core* returns the search core and may block."""

    def __init__(self, core: Callable[[], SearchCore], rules: StreamRules) -> None:
        self._core = core
        self._rules = rules

    async def start(self, request: Request) -> Response:
        """Start a run and stream its events; a client that accepts JSON and no stream is answered with the run."""
        body, owner = await read_body(request, ResearchBody), caller_of(request.scope).owner
        run = await run_in_threadpool(lambda: self._service().start(self._request(body, owner)))
        if _wants_json(request):
            return _started_response(request, run)
        events = self._service().follow(run.id, owner)
        return ResearchStream(events, self._rules, run_id=run.id, location=_address(request, run))

    async def events(self, request: Request) -> Response:
        """Stream the events of a run after a given one; an empty answer (204) when the run has ended and has no more."""
        run_id, owner = _run_id_and_owner(request)
        after = _number_after(request)
        run = await run_in_threadpool(lambda: self._service().get(run_id, owner))
        events = self._service().follow(run_id, owner, after)
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = prepend(first, events)
        return ResearchStream(events, self._rules)

    async def all(self, request: Request) -> Response:
        """Answer with the caller's runs, newest first."""
        owner = caller_of(request.scope).owner
        entries = await run_in_threadpool(lambda: self._service().list(owner))
        return JSONResponse({"runs": [run_entry_body(entry) for entry in entries]}, headers=NO_STORE)

    async def one(self, request: Request) -> Response:
        """Answer with one of them as it stands."""
        return JSONResponse(run_body(await self._run(request)), headers=NO_STORE)

    async def cancel(self, request: Request) -> Response:
        """Stop a run."""
        return await self._steer(request, lambda service, run_id, owner: service.cancel(run_id, owner))

    async def finish(self, request: Request) -> Response:
        """Let the report be written from what there is."""
        return await self._steer(request, lambda service, run_id, owner: service.finish(run_id, owner))

    async def agree(self, request: Request) -> Response:
        """Let a run that waits with its plan go on."""
        body = await read_body_if_any(request, AgreeBody)
        return await self._steer(request, lambda service, run_id, owner: service.agree(run_id, owner, body.plan))

    async def edit(self, request: Request) -> Response:
        """Change one part of a plan."""
        body = await read_body(request, EditBody)
        return await self._steer(request, lambda service, run_id, owner: service.edit(run_id, owner, body.number, body.text))

    async def resume(self, request: Request) -> Response:
        """Start a run that goes on from what another has found."""
        run_id, owner = _run_id_and_owner(request)
        return _started_response(request, await run_in_threadpool(lambda: self._service().resume(run_id, owner)))

    async def delete(self, request: Request) -> Response:
        """Delete a run that has ended."""
        run_id, owner = _run_id_and_owner(request)
        await run_in_threadpool(lambda: self._service().delete(run_id, owner))
        return Response(status_code=204, headers=NO_STORE)

    def _service(self) -> ResearchService:
        return self._core().research

    async def _run(self, request: Request) -> ResearchRun:
        run_id, owner = _run_id_and_owner(request)
        return await run_in_threadpool(lambda: self._service().get(run_id, owner))

    async def _steer(self, request: Request, steer: Steer) -> Response:
        """Call *steer* for a run and answer with the run as it stands; what comes of it shows in the events."""
        run_id, owner = _run_id_and_owner(request)
        await run_in_threadpool(lambda: steer(self._service(), run_id, owner))
        return JSONResponse(run_body(await self._run(request)), status_code=202, headers=NO_STORE)

    def _request(self, body: ResearchBody, owner: str) -> ResearchRequest:
        core = self._core()
        video, memory = None, ConversationMemory()
        if body.session_id is None:
            video = known_video(core, owner, body.video_id) if body.video_id is not None else None
        else:
            hold_to_video(core.chat, owner, body.session_id, body.video_id)
            conversation = core.chat.open(body.session_id, owner)
            video, memory = conversation.video, memory_of(conversation.messages, asking=body.query)
        return ResearchRequest(
            question=body.query,
            video=video,
            memory=memory,
            owner=owner,
            conversation_id=body.session_id or "",
            plan_first=body.plan_first,
            own_only=body.own_only,
        )


def _run_id_and_owner(request: Request) -> tuple[str, str]:
    """Return the id of the run that a request names, and the caller who has to own it."""
    return request.path_params["run_id"], caller_of(request.scope).owner


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


def _started_response(request: Request, run: ResearchRun) -> Response:
    headers = {**NO_STORE, "Location": _address(request, run)}
    return JSONResponse(run_body(run), status_code=202, headers=headers)


def _address(request: Request, run: ResearchRun) -> str:
    return f"{request.scope.get('root_path', '')}/research/{run.id}"


def _number_after(request: Request) -> int:
    """Return the number after which events are sent: the larger of what the address and the header say.

    A client that connects again by itself keeps its address, and its header is newer. Raises ApiError (400).
    """
    given = {"after": request.query_params.get("after", "0"), "Last-Event-ID": request.headers.get("last-event-id") or "0"}
    for name, text in given.items():
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ApiError(400, "bad_value", f"{name} must be the number of an event.", f"{name} 값은 이벤트 번호여야 해요.")
    return max(map(int, given.values()))
