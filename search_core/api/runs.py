"""Long runs of every kind over HTTP: started, followed, steered and read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from search_core.answers.chat.memory import memory_of
from search_core.api.answers import hold_to_video, video_of
from search_core.api.bodies import ClaimsBody, Core, Owner, QuestionBody
from search_core.api.problems import NO_STORE, ApiError, Json
from search_core.api.streams import EventStream, RunEvent, prepend, run_events
from search_core.checking.claims.service import claims_by_id, top_claims
from search_core.core import SearchCore
from search_core.domain.claim import ClaimsRequest
from search_core.domain.plain_json import plain_json
from search_core.domain.query import ConversationMemory
from search_core.domain.research import ResearchRequest, ResearchRun

if TYPE_CHECKING:
    from search_core.checking.claims.service import ClaimsService
    from search_core.domain.claim import ClaimsRun
    from search_core.research.service import ResearchService

LastEventId = Annotated[
    int,
    Header(
        alias="Last-Event-ID",
        ge=0,
        le=10**9 - 1,
        description="Number of the last event that is known, as browsers send it; 0 streams the run from its beginning.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunApi:
    """One kind of run under the API."""

    path: str
    service: Callable[[SearchCore], ResearchService | ClaimsService]
    stop: str
    """Last part of the path that stops a run of this kind."""

    def as_it_stands(self, core: SearchCore, run_id: str, owner: str, status: int = 200) -> Response:
        """Respond with the current state of one of the owner's runs."""
        return Json(self.service(core).get(run_id, owner), status)

    def begun(self, request: Request, run: ResearchRun | ClaimsRun) -> Response:
        """Respond with a started run and its address."""
        return Json(run, 202, {"Location": self._address(request, run)})

    def follow(self, request: Request, core: SearchCore, run: ResearchRun | ClaimsRun) -> Response:
        """Stream a started run; a client that accepts only JSON gets the run."""
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return self.begun(request, run)
        events = self.service(core).follow(run.id, run.request.owner)
        return EventStream(run_events(events, run.id), location=self._address(request, run))

    def _address(self, request: Request, run: ResearchRun | ClaimsRun) -> str:
        return f"{request.scope.get('root_path', '')}/{self.path}/{run.id}"


def run_router(kind: RunApi) -> APIRouter:
    """Return the routes common to all kinds of runs; the route that starts one is added per kind."""
    router = APIRouter(prefix=f"/{kind.path}", default_response_class=Response, tags=[kind.path])
    one = "/{run_id}"

    @router.get("")
    def list_runs(core: Core, owner: Owner) -> Response:
        """List the caller's runs, newest first."""
        return Json({"runs": kind.service(core).list(owner)})

    @router.get(one)
    def open_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Return a run in its present state."""
        return kind.as_it_stands(core, run_id, owner)

    @router.delete(one, status_code=204)
    def delete_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Delete an ended run with its findings."""
        kind.service(core).delete(run_id, owner)
        return Response(status_code=204, headers=NO_STORE)

    @router.get(f"{one}/events")
    async def follow_run(run_id: str, core: Core, owner: Owner, last_event_id: LastEventId = 0) -> Response:
        """Stream the events of a run after a given number, until it ends."""
        run = await run_in_threadpool(lambda: kind.service(core).get(run_id, owner))
        events: AsyncGenerator[tuple[int, RunEvent]] = kind.service(core).follow(run_id, owner, last_event_id)
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = prepend(first, events)
        return EventStream(run_events(events))

    @router.post(f"{one}/resume", status_code=202)
    def resume_run(request: Request, run_id: str, core: Core, owner: Owner) -> Response:
        """Go on with a stopped, failed or early finished run from what it has."""
        return kind.begun(request, kind.service(core).resume(run_id, owner))

    @router.post(f"{one}/{kind.stop}", status_code=202)
    def stop_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Stop a run; what there is stays. An ended one is left alone."""
        kind.service(core).cancel(run_id, owner)
        return kind.as_it_stands(core, run_id, owner, 202)

    @router.post(f"{one}/finish", status_code=202)
    def finish_run(run_id: str, core: Core, owner: Owner) -> Response:
        """End a run early: research writes its report from what there is. An ended run is left alone."""
        kind.service(core).finish(run_id, owner)
        return kind.as_it_stands(core, run_id, owner, 202)

    return router


RESEARCH = RunApi(path="research", service=lambda core: core.research, stop="cancel")
research_router = run_router(RESEARCH)


@research_router.post("")
def start_research(request: Request, body: QuestionBody, core: Core, owner: Owner) -> Response:
    """Research a question: plan, search, read and write a report, and stream the events."""
    return RESEARCH.follow(request, core, core.research.start(_research_request(core, body, owner)))


def _research_request(core: SearchCore, body: QuestionBody, owner: str) -> ResearchRequest:
    video, memory = None, ConversationMemory()
    if body.session_id is None:
        video = video_of(core, owner, body)
    else:
        hold_to_video(core.chat, owner, body.session_id, body)
        conversation = core.chat.open(body.session_id, owner)
        video, memory = conversation.video, memory_of(conversation.messages, asking=body.query)
    return ResearchRequest(
        question=body.query,
        video=video,
        memory=memory,
        moment_s=body.moment_s,
        owner=owner,
        conversation_id=body.session_id or "",
    )


CLAIMS = RunApi(path="claims", service=lambda core: core.claims, stop="stop")
claims_router = run_router(CLAIMS)


@claims_router.post("")
def check_claims(request: Request, body: ClaimsBody, core: Core, owner: Owner) -> Response:
    """Check claims of a video against the web, those named by ids or the highest scored, and stream the events."""
    video = video_of(core, owner, body)
    if video is None:
        raise ApiError(400, "one_video", "Send either video_id or video.", "video_id와 video 가운데 하나를 보내 주세요.")
    listing = core.find_claims(video)
    claims = claims_by_id(listing, body.claim_ids) if body.claim_ids is not None else top_claims(listing.claims, body.check)
    if body.dry_run:
        return Json({**plain_json(replace(listing, claims=claims)), "budget": core.claims.budget(claims)})
    claims_request = ClaimsRequest(video=video, claims=claims, owner=owner, fresh=body.fresh)
    return CLAIMS.follow(request, core, core.claims.start(claims_request))
