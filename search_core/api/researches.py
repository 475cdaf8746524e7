"""``/api/research``: runs started, followed, steered and looked up again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import AgreeBody, EditBody, ResearchBody, read_body, read_body_if_any
from search_core.api.callers import caller_of
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.research_stream import Events, ResearchStream
from search_core.api.rules import StreamRules
from search_core.api.serializers import run_body, run_entry_body
from search_core.api.videos import hold_to_video, known_video
from search_core.chat.turns import memory_of
from search_core.domain import ConversationMemory, ResearchEvent, ResearchRequest, ResearchRun

if TYPE_CHECKING:
    from search_core.api.core_api import CoreApi
    from search_core.research import ResearchService

Steer = Callable[["ResearchService", str, str], None]
"""Asks something of a run, by its id and its owner."""
_MAX_DIGITS = 9


class Researches:
    """Answers for runs of research; *door* gives the core and may take its time."""

    def __init__(self, door: Callable[[], CoreApi], rules: StreamRules) -> None:
        self._door = door
        self._rules = rules

    async def start(self, request: Request) -> Response:
        """Start a run and stream it; to a client that takes JSON and no stream, name it."""
        body, owner = await read_body(request, ResearchBody), caller_of(request.scope).owner
        run = await run_in_threadpool(lambda: self._service().start(self._request(body, owner)))
        if _wants_json(request):
            return _begun(request, run)
        events = self._service().follow(run.id, owner)
        return ResearchStream(events, self._rules, run_id=run.id, location=_address(request, run))

    async def events(self, request: Request) -> Response:
        """Stream a run from an event on; nothing (204) when it has ended and there is no more to tell."""
        run_id, owner = _named(request)
        after = _after(request)
        run = await run_in_threadpool(lambda: self._service().get(run_id, owner))
        events = self._service().follow(run_id, owner, after)
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = _preceded(first, events)
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
        return await self._steered(request, lambda service, run_id, owner: service.cancel(run_id, owner))

    async def finish(self, request: Request) -> Response:
        """Let the report be written from what there is."""
        return await self._steered(request, lambda service, run_id, owner: service.finish(run_id, owner))

    async def agree(self, request: Request) -> Response:
        """Let a run that waits with its plan go on."""
        body = await read_body_if_any(request, AgreeBody)
        return await self._steered(request, lambda service, run_id, owner: service.agree(run_id, owner, body.plan))

    async def edit(self, request: Request) -> Response:
        """Change one part of a plan."""
        body = await read_body(request, EditBody)
        return await self._steered(request, lambda service, run_id, owner: service.edit(run_id, owner, body.number, body.text))

    async def resume(self, request: Request) -> Response:
        """Start a run that goes on from what another has found."""
        run_id, owner = _named(request)
        return _begun(request, await run_in_threadpool(lambda: self._service().resume(run_id, owner)))

    async def delete(self, request: Request) -> Response:
        """Delete a run that has ended."""
        run_id, owner = _named(request)
        await run_in_threadpool(lambda: self._service().delete(run_id, owner))
        return Response(status_code=204, headers=NO_STORE)

    def _service(self) -> ResearchService:
        return self._door().research

    async def _run(self, request: Request) -> ResearchRun:
        run_id, owner = _named(request)
        return await run_in_threadpool(lambda: self._service().get(run_id, owner))

    async def _steered(self, request: Request, steer: Steer) -> Response:
        """Ask something of a run and answer with the run as it stands; what was asked shows in its events."""
        run_id, owner = _named(request)
        await run_in_threadpool(lambda: steer(self._service(), run_id, owner))
        return JSONResponse(run_body(await self._run(request)), status_code=202, headers=NO_STORE)

    def _request(self, body: ResearchBody, owner: str) -> ResearchRequest:
        core = self._door()
        video, memory = None, ConversationMemory()
        if body.session_id is None:
            video = known_video(core, owner, body.video_id) if body.video_id is not None else None
        else:
            hold_to_video(core.chat, owner, body.session_id, body.video_id)
            conversation = core.chat.open(body.session_id, owner)
            video, memory = conversation.video, memory_of(conversation.messages)
        return ResearchRequest(
            question=body.query,
            video=video,
            memory=memory,
            owner=owner,
            conversation_id=body.session_id or "",
            plan_first=body.plan_first,
            own_only=body.own_only,
        )


async def _preceded(first: tuple[int, ResearchEvent], others: Events) -> Events:
    async with aclosing(others):
        yield first
        async for told in others:
            yield told


def _named(request: Request) -> tuple[str, str]:
    """Return the run that a request names, and whose it has to be."""
    return request.path_params["run_id"], caller_of(request.scope).owner


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


def _begun(request: Request, run: ResearchRun) -> Response:
    headers = {**NO_STORE, "Location": _address(request, run)}
    return JSONResponse(run_body(run), status_code=202, headers=headers)


def _address(request: Request, run: ResearchRun) -> str:
    return f"{request.scope.get('root_path', '')}/research/{run.id}"


def _after(request: Request) -> int:
    """Return the number above which events are told: the larger of what the address and the header say.

    A client that connects again by itself keeps its address, and its header is newer. Raises ApiError (400).
    """
    given = {"after": request.query_params.get("after", "0"), "Last-Event-ID": request.headers.get("last-event-id") or "0"}
    for name, text in given.items():
        if not (text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS):
            raise ApiError(
                400,
                "bad_value",
                f"{name} must be the number of an event.",
                f"{name} 값은 이벤트 번호여야 해요.",
            )
    return max(map(int, given.values()))
