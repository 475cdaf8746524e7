"""Long runs over HTTP: started, followed, steered and looked up again, whatever kind they are of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from search_core.answers.chat.memory import memory_of
from search_core.api.bodies import AgreeBody, ClaimBody, ClaimsBody, ResearchBody, SettledBody
from search_core.api.dependencies import Core, Owner
from search_core.api.openapi import LOCATION, Responses, Schema, answer, stream
from search_core.api.problems import NO_STORE, ApiError, Json
from search_core.api.schemas import ClaimsFound
from search_core.api.sessions import hold_to_video, video_of
from search_core.api.streams import EventStream, prepend, run_events
from search_core.claims.service import check_claim_ids, claims_by_id, top_claims
from search_core.core import SearchCore
from search_core.domain import (
    Claim,
    ClaimMoment,
    ClaimOrigin,
    ClaimsRequest,
    ConversationMemory,
    FoundClaims,
    ResearchRequest,
    Settlement,
)
from search_core.domain.run import record_of

_STREAM = (
    "Server-sent events, named by `event`, each with its number in the run under `id`, from 1; the data of each is one JSON "
    "object (see {event}). {told} ends a run. A client that leaves does not end it: who asks for the events after the last "
    "number they have gets the others, each once. A stream that ends before its run, with `interrupted` or without, is taken up "
    "again in that way. A comment line is sent every 15 seconds."
)
_MOST = 10**9 - 1
After = Annotated[
    int, Query(ge=0, le=_MOST, description="Number of the last event that is known; 0 streams the run from its beginning.")
]
LastEventId = Annotated[
    int,
    Header(
        alias="Last-Event-ID",
        ge=0,
        le=_MOST,
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
    steer: Mapping[str, tuple[str, str]]
    """The method of the service that steers a run, and what it does, by its name here."""

    def started(self, note: str = "", *shapes: str) -> Responses:
        """Return how the answers to a start are described, with a *note*, and *shapes* that may stand in place of the stream."""
        named = self.described("The run, for a client that accepts `application/json` and no stream.", headers=LOCATION)
        first = f" The first event, `run`, has number 0 and names the run.{note}"
        return {200: {**self.stream(first, *shapes), "headers": LOCATION}, 202: named}

    def described(self, text: str, **more: Any) -> Schema:
        """Return the description of an answer that is a run."""
        return {**answer(text, f"{self.schemas}Run"), **more}

    def stream(self, note: str = "", *shapes: str) -> Schema:
        """Return the description of a stream, with a *note*, and *shapes* that may stand in its place."""
        event = f"{self.schemas}Event"
        return stream(f"{_STREAM.format(event=event, told=self.told)}{note}", event, *shapes)

    def as_it_stands(self, core: SearchCore, run_id: str, owner: str, status: int = 200) -> Response:
        """Answer with one of the owner's runs."""
        return Json(self.service(core).get(run_id, owner), status)

    def begun(self, request: Request, run: Any) -> Response:
        """Answer with a run that was started, and its address."""
        return Json(run, 202, {"Location": self._address(request, run)})

    def follow(self, request: Request, core: SearchCore, run: Any) -> Response:
        """Stream a run that was started; a client that accepts JSON and no stream is answered with the run."""
        accepted = request.headers.get("accept", "")
        if "application/json" in accepted and "text/event-stream" not in accepted:
            return self.begun(request, run)
        events = self.service(core).follow(run.id, run.request.owner)
        return EventStream(run_events(events, run.id), location=self._address(request, run))

    def _address(self, request: Request, run: Any) -> str:
        return f"{request.scope.get('root_path', '')}/{self.path}/{run.id}"


def run_router(kind: RunApi) -> APIRouter:
    """Return the addresses that every kind of run has; the one that starts a run is for the kind to add."""
    router = APIRouter(prefix=f"/{kind.path}", default_response_class=Response, tags=[kind.path])
    one, noun = "/{run_id}", f"{kind.name[0].upper()}{kind.name[1:]}"

    @router.get("", operation_id=kind.plural, responses={200: answer("The runs.", f"{kind.schemas}Runs")})
    def list_runs(core: Core, owner: Owner) -> Response:
        """List the caller's runs, newest first."""
        return Json({"runs": kind.service(core).list(owner)})

    @router.get(one, operation_id=kind.name, responses={200: kind.described("The run.")})
    def open_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Return a run in its present state."""
        return kind.as_it_stands(core, run_id, owner)

    @router.delete(one, operation_id=f"delete{noun}", status_code=204)
    def delete_run(run_id: str, core: Core, owner: Owner) -> Response:
        """Delete a run that has ended, or waits with its plan, and all it has found."""
        kind.service(core).delete(run_id, owner)
        return Response(status_code=204, headers=NO_STORE)

    nothing = {"description": "The run has ended and there are no more events; browsers do not come again."}
    streamed: Responses = {200: kind.stream(), 204: nothing}

    @router.get(f"{one}/events", operation_id=f"follow{noun}", responses=streamed)
    async def follow_run(run_id: str, core: Core, owner: Owner, after: After = 0, last_event_id: LastEventId = 0) -> Response:
        """Stream the events of a run after a given one, until it ends."""
        run = await run_in_threadpool(lambda: kind.service(core).get(run_id, owner))
        events = kind.service(core).follow(run_id, owner, max(after, last_event_id))
        if run.status.ended:
            first = await anext(events, None)
            if first is None:
                return Response(status_code=204, headers=NO_STORE)
            events = prepend(first, events)
        return EventStream(run_events(events))

    begun: Responses = {202: kind.described("The run that goes on.", headers=LOCATION)}

    @router.post(f"{one}/resume", operation_id=f"resume{noun}", status_code=202, responses=begun)
    def resume_run(request: Request, run_id: str, core: Core, owner: Owner) -> Response:
        """Go on with a stopped, failed or early finished run from what it has."""
        return kind.begun(request, kind.service(core).resume(run_id, owner))

    for name, (method, text) in kind.steer.items():
        named: dict[str, Any] = {"operation_id": f"{name}{noun}", "summary": text, "responses": steered(kind)}
        router.post(f"{one}/{name}", status_code=202, **named)(_steering(kind, method))
    return router


def steered(kind: RunApi) -> Responses:
    """Return how the answer to who steers a run is described."""
    return {202: kind.described("The run as it stands; what becomes of it is among its events.")}


def _steering(kind: RunApi, method: str) -> Callable[..., Response]:
    def steer(run_id: str, core: Core, owner: Owner) -> Response:
        getattr(kind.service(core), method)(run_id, owner)
        return kind.as_it_stands(core, run_id, owner, 202)

    return steer


RESEARCH = RunApi(
    path="research",
    name="research",
    plural="researches",
    schemas="Research",
    told="`research_complete`",
    service=lambda core: core.research,
    steer={
        "cancel": ("cancel", "Stop a run; what there is stays. An ended one is left alone."),
        "finish": ("finish", "Have the report written from what there is. An ended run is left alone."),
    },
)
_BY_ITS_PLAN = AgreeBody()

research_router = run_router(RESEARCH)


@research_router.post("", operation_id="startResearch", responses=RESEARCH.started())
def start_research(request: Request, body: ResearchBody, core: Core, owner: Owner) -> Response:
    """Research a question: plan, search, read and write a report, and stream the events."""
    return RESEARCH.follow(request, core, core.research.start(_research_request(core, body, owner)))


@research_router.post("/{run_id}/agree", operation_id="agreeToPlan", status_code=202, responses=steered(RESEARCH))
def agree_to_plan(run_id: str, core: Core, owner: Owner, body: AgreeBody = _BY_ITS_PLAN) -> Response:
    """Let a run that waits with its plan go on, by that plan or by another."""
    core.research.agree(run_id, owner, body.plan)
    return RESEARCH.as_it_stands(core, run_id, owner, 202)


def _research_request(core: SearchCore, body: ResearchBody, owner: str) -> ResearchRequest:
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
        plan_first=body.plan_first,
    )


CLAIMS = RunApi(
    path="claims",
    name="claimRun",
    plural="claimRuns",
    schemas="Claims",
    told="`claim` gives the progress of one claim and replaces what earlier events said of it; `claims_complete`",
    service=lambda core: core.claims,
    steer={
        "stop": ("cancel", "Stop a run; claims that were checked stay. An ended one is left alone."),
        "finish": ("finish", "Begin with no more claims. An ended run is left alone."),
    },
)
_STARTED = CLAIMS.started(" With `dry_run` a JSON object.", "ClaimsFound")

claims_router = run_router(CLAIMS)


@claims_router.post("", operation_id="checkClaims", responses=_STARTED)
def check_claims(request: Request, body: ClaimsBody, core: Core, owner: Owner) -> Response:
    """Check claims of a video against the web, given ones or those of the highest scores, and stream the events."""
    wanted, found = _claims_request(core, body, owner)
    if body.dry_run:
        priced = record_of(ClaimsFound, found, budget=core.claims.budget(wanted.claims))
        return Json(priced)
    return CLAIMS.follow(request, core, core.claims.start(wanted))


@claims_router.put(
    "/{run_id}/settled/{number}", operation_id="settleClaim", responses={200: CLAIMS.described("The run, with what was settled.")}
)
def settle_claim(run_id: str, number: int, body: SettledBody, core: Core, owner: Owner) -> Response:
    """Keep what the caller makes of a claim of a run, by its number; it stands beside the verdict, which stays."""
    core.claims.settle(run_id, owner, number, Settlement(body.settled) if body.settled is not None else None)
    return CLAIMS.as_it_stands(core, run_id, owner)


def _claims_request(core: SearchCore, body: ClaimsBody, owner: str) -> tuple[ClaimsRequest, FoundClaims]:
    """Return what is to be checked, and what was found where the body holds no claims."""
    if body.claims is not None and body.claim_ids is not None:
        raise ApiError(400, "two_choices", "Send claims or claim_ids, not both.", "claims와 claim_ids 가운데 하나만 보내 주세요.")
    check_claim_ids(body.claim_ids or ())
    video = video_of(core, owner, body) if (body.video_id is None) is not (body.video is None) else None
    if video is None:
        raise ApiError(400, "one_video", "Send either video_id or video.", "video_id와 video 가운데 하나를 보내 주세요.")
    if body.claims is not None:
        found = FoundClaims(claims=tuple(_claim(number, each) for number, each in enumerate(body.claims, start=1)))
    else:
        found = core.find_claims(video)
        chosen = claims_by_id(found, body.claim_ids) if body.claim_ids is not None else top_claims(found.claims, body.check)
        found = replace(found, claims=chosen)
    return ClaimsRequest(video=video, claims=found.claims, owner=owner, fresh=body.fresh), found


def _claim(number: int, body: ClaimBody) -> Claim:
    moments: tuple[ClaimMoment, ...] = ()
    if body.start_s is not None:
        end_s = body.end_s if body.end_s is not None else body.start_s
        moments = (ClaimMoment(body.start_s, max(end_s, body.start_s), body.quote or body.text),)
    return Claim(number=number, text=body.text, moments=moments, origin=ClaimOrigin.USER, speaker=body.speaker)
