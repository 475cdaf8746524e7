"""``POST /api/search``: one search, answered when it is complete."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from search_core.api.bodies import Core, Owner, SearchBody
from search_core.api.problems import ApiError, Json
from search_core.api.sessions import video_of
from search_core.api.streams import cancel_on_disconnect
from search_core.core import SearchCore
from search_core.domain.report import Question, SearchOptions
from search_core.job import SearchJob

SEARCHES_AT_ONCE = 64
"""Threads that wait for searches; further requests wait for a free one."""

router = APIRouter(default_response_class=Response, tags=["search"])


@router.post("/search")
async def search(request: Request, body: SearchBody, core: Core, owner: Owner) -> Response:
    """Search the web in the context of a video and answer with the whole report; a search whose client leaves is stopped."""
    job = await run_in_threadpool(_start, core, body, owner)
    try:
        await cancel_on_disconnect(_wait_for_end(request, job), request.receive)
        return await run_in_threadpool(_response, core, job)
    finally:
        job.cancel()


async def _wait_for_end(request: Request, job: SearchJob) -> None:
    waiters = request.app.state.waiters
    await anyio.to_thread.run_sync(partial(job.wait, None), abandon_on_cancel=True, limiter=waiters)


def _response(core: SearchCore, job: SearchJob) -> Response:
    if job.report is not None:
        return Json(core.report_json(job.report))
    if job.error is not None:
        raise job.error
    raise ApiError(503, "stopped", "The search was stopped.", "검색이 중단되었어요. 다시 요청해 주세요.")


def _start(core: SearchCore, body: SearchBody, owner: str) -> SearchJob:
    question = Question(text=body.query, video=video_of(core, owner, body), moment_s=body.moment_s)
    return core.start_search(question, _options(body, core.default_options()), caller=owner)


def _options(body: SearchBody, options: SearchOptions) -> SearchOptions:
    wanted: dict[str, Any] = {"threshold": body.threshold, "max_results": body.max_results}
    ranking = replace(options.ranking, **{name: value for name, value in wanted.items() if value is not None})
    providers = tuple(dict.fromkeys(body.providers)) if body.providers is not None else None
    return replace(options, ranking=ranking, providers=providers, verbatim=body.verbatim, **body.domains)
