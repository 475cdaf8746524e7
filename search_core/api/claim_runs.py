"""``/api/claims``: the claims of a video found, priced, checked, followed and looked up again."""

from __future__ import annotations

from dataclasses import replace

from fastapi import Request
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import ClaimBody, ClaimsBody
from search_core.api.dependencies import Core, Owner, Rules
from search_core.api.openapi import BODY_REFUSED
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.runs import RunApi, run_router
from search_core.api.serializers import claims_entry_body, claims_run_body, found_claims_body
from search_core.api.videos import known_video
from search_core.claims.choice import top_claims
from search_core.claims.service import ClaimsService
from search_core.core import SearchCore
from search_core.domain import Claim, ClaimMoment, ClaimOrigin, ClaimsRequest, FoundClaims, VideoContext

CLAIMS = RunApi(
    path="claims",
    name="claimRun",
    plural="claimRuns",
    schemas="Claims",
    told="`claim` gives the progress of one claim and replaces what earlier events said of it; `claims_complete`",
    service=lambda core: core.claims,
    body=claims_run_body,
    entry_body=claims_entry_body,
    steer={
        "stop": (ClaimsService.stop, "Stop a run; claims that were checked stay. An ended one is left alone."),
        "finish": (ClaimsService.finish, "Begin with no more claims. An ended run is left alone."),
    },
    resume="Start a run that checks what another, which has ended, did not.",
)
_STARTED = CLAIMS.started(" With `dry_run` a JSON object.", "ClaimsFound")

router = run_router(CLAIMS)


@router.post("", operation_id="checkClaims", responses={**_STARTED, **BODY_REFUSED})
def check_claims(request: Request, body: ClaimsBody, core: Core, owner: Owner, rules: Rules) -> Response:
    """Check claims of a video against the web, given ones or those of the highest scores, and stream the events."""
    wanted, found = _request(core, body, owner)
    if body.dry_run:
        return JSONResponse(found_claims_body(found, core.claims.budget(wanted.claims)), headers=NO_STORE)
    return CLAIMS.follow(request, core, core.claims.start(wanted), rules)


def _request(core: SearchCore, body: ClaimsBody, owner: str) -> tuple[ClaimsRequest, FoundClaims]:
    """Return what is to be checked, and what was found where the body names no claims."""
    video = _video(core, body, owner)
    if body.claims is not None:
        found = FoundClaims(claims=tuple(_claim(number, each) for number, each in enumerate(body.claims, start=1)))
    else:
        found = core.find_claims(video)
        found = replace(found, claims=top_claims(found.claims, body.check))
    return ClaimsRequest(video=video, claims=found.claims, owner=owner, fresh=body.fresh), found


def _video(core: SearchCore, body: ClaimsBody, owner: str) -> VideoContext:
    if (body.video_id is None) is (body.video is None):
        raise ApiError(400, "one_video", "Send either video_id or video.", "video_id와 video 가운데 하나를 보내 주세요.")
    if body.video_id is not None:
        return known_video(core, owner, body.video_id)
    return replace(VideoContext.from_mapping(body.video or {}), sample=False)


def _claim(number: int, body: ClaimBody) -> Claim:
    moments: tuple[ClaimMoment, ...] = ()
    if body.start_s is not None:
        end_s = body.end_s if body.end_s is not None else body.start_s
        moments = (ClaimMoment(body.start_s, max(end_s, body.start_s), body.quote or body.text),)
    return Claim(number=number, text=body.text, moments=moments, origin=ClaimOrigin.USER, speaker=body.speaker)
