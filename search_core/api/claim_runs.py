"""``/api/claims``: the claims of a video found, priced, checked, followed and looked up again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.bodies import read_body
from search_core.api.callers import caller_of
from search_core.api.claim_bodies import ClaimBody, ClaimsBody
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.runs import Runs, run_id_and_owner
from search_core.api.serializers import claims_entry_body, claims_event_body, claims_run_body, found_claims_body
from search_core.api.videos import known_video
from search_core.claims.choice import top_claims
from search_core.claims.service import ClaimsService
from search_core.domain import Claim, ClaimMoment, ClaimOrigin, ClaimsRequest, FoundClaims, VideoContext


class ClaimRuns(Runs[ClaimsService]):
    """Answers requests about checks of claims; *core* returns the search core and may block."""

    path = "claims"

    def _service(self) -> ClaimsService:
        return self._core().claims

    def _body(self, run: Any) -> dict[str, Any]:
        return claims_run_body(run)

    def _event_body(self, event: Any) -> dict[str, Any]:
        return claims_event_body(event)

    async def start(self, request: Request) -> Response:
        """Start a check and stream its events; what it would take alone is answered (200) where the body says so."""
        body, owner = await read_body(request, ClaimsBody), caller_of(request.scope).owner
        wanted, found = await run_in_threadpool(self._request, body, owner)
        if body.dry_run:
            budget = await run_in_threadpool(self._service().budget, wanted.claims)
            return JSONResponse(found_claims_body(found, budget), headers=NO_STORE)
        run = await run_in_threadpool(self._service().start, wanted)
        return self._answer_started(request, run, owner)

    async def all(self, request: Request) -> Response:
        """Answer with the caller's runs, newest first."""
        owner = caller_of(request.scope).owner
        entries = await run_in_threadpool(lambda: self._service().list(owner))
        return JSONResponse({"runs": [claims_entry_body(entry) for entry in entries]}, headers=NO_STORE)

    async def stop(self, request: Request) -> Response:
        """Stop a run."""
        return await self._steer(request, lambda service, run_id, owner: service.stop(run_id, owner))

    async def finish(self, request: Request) -> Response:
        """Begin with no more claims."""
        return await self._steer(request, lambda service, run_id, owner: service.finish(run_id, owner))

    async def resume(self, request: Request) -> Response:
        """Start a run that goes on from what another has checked."""
        run_id, owner = run_id_and_owner(request)
        return self._started_response(request, await run_in_threadpool(lambda: self._service().resume(run_id, owner)))

    def _request(self, body: ClaimsBody, owner: str) -> tuple[ClaimsRequest, FoundClaims]:
        """Return what is to be checked, and what was found where the body names no claims."""
        video = self._video(body, owner)
        if body.claims is not None:
            found = FoundClaims(claims=tuple(_claim(number, each) for number, each in enumerate(body.claims, start=1)))
        else:
            found = self._core().find_claims(video)
            found = replace(found, claims=top_claims(found.claims, body.check))
        return ClaimsRequest(video=video, claims=found.claims, owner=owner, fresh=body.fresh), found

    def _video(self, body: ClaimsBody, owner: str) -> VideoContext:
        if (body.video_id is None) is (body.video is None):
            raise ApiError(400, "one_video", "Send either video_id or video.", "video_id와 video 가운데 하나를 보내 주세요.")
        if body.video_id is not None:
            return known_video(self._core(), owner, body.video_id)
        return replace(VideoContext.from_mapping(body.video or {}), sample=False)


def _claim(number: int, body: ClaimBody) -> Claim:
    moments: tuple[ClaimMoment, ...] = ()
    if body.start_s is not None:
        end_s = body.end_s if body.end_s is not None else body.start_s
        moments = (ClaimMoment(body.start_s, max(end_s, body.start_s), body.quote or body.text),)
    return Claim(number=number, text=body.text, moments=moments, origin=ClaimOrigin.USER, speaker=body.speaker)
