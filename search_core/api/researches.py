"""``/api/research``: runs started, followed, steered and looked up again."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from search_core.api.bodies import AgreeBody, EditBody, ResearchBody
from search_core.api.dependencies import Core, Owner, Rules
from search_core.api.openapi import BODY_REFUSED, refusals
from search_core.api.runs import RunApi, run_router, steered
from search_core.api.serializers import run_body, run_entry_body
from search_core.api.videos import hold_to_video, known_video
from search_core.chat.memory import memory_of
from search_core.core import SearchCore
from search_core.domain import ConversationMemory, ResearchRequest
from search_core.research import ResearchService

RESEARCH = RunApi(
    path="research",
    name="research",
    plural="researches",
    schemas="Research",
    told="`research_complete`",
    service=lambda core: core.research,
    body=run_body,
    entry_body=run_entry_body,
    steer={
        "cancel": (ResearchService.cancel, "Stop a run; what there is stays. An ended one is left alone."),
        "finish": (ResearchService.finish, "Have the report written from what there is. An ended run is left alone."),
    },
    resume="Start a run that goes on from what a stopped, failed or early finished one has found.",
)
_BY_ITS_PLAN = AgreeBody()
_PLANNED = {**steered(RESEARCH), **BODY_REFUSED, **refusals(409)}

router = run_router(RESEARCH)


@router.post("", operation_id="startResearch", responses={**RESEARCH.started(), **BODY_REFUSED, **refusals(409)})
def start_research(request: Request, body: ResearchBody, core: Core, owner: Owner, rules: Rules) -> Response:
    """Research a question: plan, search, read and write a report, and stream the events."""
    return RESEARCH.follow(request, core, core.research.start(_request(core, body, owner)), rules)


@router.post("/{run_id}/agree", operation_id="agreeToPlan", status_code=202, responses=_PLANNED)
def agree_to_plan(run_id: str, core: Core, owner: Owner, body: AgreeBody = _BY_ITS_PLAN) -> Response:
    """Let a run that waits with its plan go on, by that plan or by another."""
    core.research.agree(run_id, owner, body.plan)
    return RESEARCH.as_it_stands(core, run_id, owner, 202)


@router.post("/{run_id}/edit", operation_id="editPlan", status_code=202, responses=_PLANNED)
def edit_plan(run_id: str, body: EditBody, core: Core, owner: Owner) -> Response:
    """Change a part of the plan until the report is written; only that part is searched for again."""
    core.research.edit(run_id, owner, body.number, body.text)
    return RESEARCH.as_it_stands(core, run_id, owner, 202)


def _request(core: SearchCore, body: ResearchBody, owner: str) -> ResearchRequest:
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
