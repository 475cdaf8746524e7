"""``/api/research``: runs started, followed, steered and looked up again."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import AgreeBody, EditBody, ResearchBody, read_body, read_body_if_any
from search_core.api.callers import caller_of
from search_core.api.problems import NO_STORE
from search_core.api.runs import Runs, run_id_and_owner
from search_core.api.serializers import research_event_body, run_body, run_entry_body
from search_core.api.videos import hold_to_video, known_video
from search_core.chat.memory import memory_of
from search_core.domain import ConversationMemory, ResearchRequest
from search_core.research import ResearchService


class Researches(Runs[ResearchService]):
    """Answers requests about runs of research; *core* returns the search core and may block."""

    path = "research"

    def _service(self) -> ResearchService:
        return self._core().research

    def _body(self, run: Any) -> dict[str, Any]:
        return run_body(run)

    def _event_body(self, event: Any) -> dict[str, Any]:
        return research_event_body(event)

    async def start(self, request: Request) -> Response:
        """Start a run and stream its events; a client that accepts JSON and no stream is answered with the run."""
        body, owner = await read_body(request, ResearchBody), caller_of(request.scope).owner
        run = await run_in_threadpool(lambda: self._service().start(self._request(body, owner)))
        return self._answer_started(request, run, owner)

    async def all(self, request: Request) -> Response:
        """Answer with the caller's runs, newest first."""
        owner = caller_of(request.scope).owner
        entries = await run_in_threadpool(lambda: self._service().list(owner))
        return JSONResponse({"runs": [run_entry_body(entry) for entry in entries]}, headers=NO_STORE)

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
        run_id, owner = run_id_and_owner(request)
        return self._started_response(request, await run_in_threadpool(lambda: self._service().resume(run_id, owner)))

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
