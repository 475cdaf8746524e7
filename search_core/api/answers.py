"""Searches, answers as they are written, and the caller's conversations, in which answers are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import anyio
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from search_core.answers.chat.chat import Chat, start_answer
from search_core.answers.chat.job import AnswerJob
from search_core.api.bodies import Core, Owner, QuestionBody, SearchBody, WebSearchBody, WithVideo
from search_core.api.problems import ApiError, Json
from search_core.api.streams import (
    Body,
    answer_bodies,
    answer_stream,
    cancel_on_disconnect,
    error_body,
    event_body,
    stream_or_refusal,
)
from search_core.core import SearchCore
from search_core.domain.conversation import (
    AnswerDone,
    AnswerEvent,
    AnswerToken,
    PagesRead,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSourcesFound,
)
from search_core.domain.report import Question, SearchOptions
from search_core.domain.video import VideoContext, video_key
from search_core.health.report import ProviderFacts
from search_core.job import SearchJob
from search_core.runtime import ASKED_BY
from search_core.search.understanding.question import validate_question
from search_core.video.mapping import DATES, read_day

STARTED_AT_ONCE = 2
"""Threads that start answers; starting needs only the processor, so more threads would be no faster and slow the event loop."""
SEARCHES_AT_ONCE = 64
"""Threads that wait for searches; further requests wait for a free one."""
T = TypeVar("T")
_OF_A_CHECK = (WebSourcesFound, PagesRead, StancesCompared, AnswerToken, WebAnswerFinished, AnswerDone)

router = APIRouter(default_response_class=Response, tags=["answers"])
sessions = APIRouter(prefix="/sessions", default_response_class=Response, tags=["sessions"])


@router.post("/chat")
async def chat(request: Request, body: QuestionBody, core: Core, owner: Owner) -> Response:
    """Answer a question from the video, and from the web where the video says nothing."""

    def begin() -> AnswerJob:
        query = validate_question(body.query)
        return _start_answer(core, owner, body, lambda session: core.chat.ask(session, owner, query, moment_s=body.moment_s))

    job = await _run_start(request, begin)
    return answer_stream(job, answer_bodies(job, event_body))


@router.post("/web-search")
async def web_search(request: Request, body: WebSearchBody, core: Core, owner: Owner) -> Response:
    """Search the web for a question, compare it with the session so far, and stream sources and answer."""

    def begin() -> AnswerJob | Response:
        query = validate_question(body.query)
        if not core.chat.can_check():
            return not_configured(core.providers())
        check = partial(core.chat.check_question, owner=owner, query=query, moment_s=body.moment_s, subject=body.about)
        return _start_answer(core, owner, body, check)

    job = await _run_start(request, begin)
    if isinstance(job, Response):
        return job
    return await stream_or_refusal(job, answer_bodies(job, _check_event_body), request.receive)


async def _run_start(request: Request, begin: Callable[[], T]) -> T:
    return await anyio.to_thread.run_sync(begin, limiter=request.app.state.starters)


def _start_answer(core: SearchCore, owner: str, body: QuestionBody, ask: Callable[[str], AnswerJob]) -> AnswerJob:
    """Start an answer in the conversation that *body* names, or in a new one, whose id *ask* gets."""
    video = None
    if body.session_id is None:
        video = video_of(core, owner, body)
    else:
        hold_to_video(core.chat, owner, body.session_id, body)
    return start_answer(core.chat, owner, body.session_id, video, ask)


def not_configured(services: Iterable[ProviderFacts]) -> Response:
    """Return the refusal if no web service is configured; unlike other refusals its ``error`` is a sentence, not an object."""
    wanting = [info.absent_because or "" for info in services if info.web]
    to_mend = " ".join(wanting) or "SEARCH_PROVIDERS에 웹 검색 서비스의 이름을 적어 주세요."
    korean = f"쓸 수 있는 웹 검색 서비스가 없어요. {to_mend}"
    return Json({"error": "Web search not configured", "type": "not_configured", "korean": korean}, 503)


def _check_event_body(event: AnswerEvent) -> Body | None:
    if isinstance(event, WebAnswerFailed):
        return error_body(event)
    if isinstance(event, WebSourcesFound) and not event.sources:
        return None
    return event_body(event) if isinstance(event, _OF_A_CHECK) else None


@router.post("/search")
async def search(request: Request, body: SearchBody, core: Core, owner: Owner) -> Response:
    """Search the web in the context of a video and answer with the whole report; a search whose client leaves is stopped."""
    job = await run_in_threadpool(_start, core, body, owner)
    try:
        limiter = request.app.state.waiters
        ending = anyio.to_thread.run_sync(partial(job.wait, None), abandon_on_cancel=True, limiter=limiter)
        await cancel_on_disconnect(ending, request.receive)
        return await run_in_threadpool(_response, core, job)
    finally:
        job.cancel()


def _response(core: SearchCore, job: SearchJob) -> Response:
    if job.report is not None:
        return Json(core.report_json(job.report))
    if job.error is not None:
        raise job.error
    raise ApiError(503, "stopped", "The search was stopped.", "검색이 중단되었어요. 다시 요청해 주세요.")


def _start(core: SearchCore, body: SearchBody, owner: str) -> SearchJob:
    question = Question(text=body.query, video=video_of(core, owner, body), moment_s=body.moment_s)
    ASKED_BY.set(owner)
    return core.start_search(question, _options(body, core.default_options()), kept=False)


def _options(body: SearchBody, options: SearchOptions) -> SearchOptions:
    changes: dict[str, Any] = {"threshold": body.threshold, "max_results": body.max_results}
    ranking = replace(options.ranking, **{name: value for name, value in changes.items() if value is not None})
    providers = tuple(dict.fromkeys(body.providers)) if body.providers is not None else None
    return replace(options, ranking=ranking, providers=providers, verbatim=body.verbatim)


@sessions.get("")
def list_sessions(core: Core, owner: Owner) -> Response:
    """List the caller's sessions, last changed first."""
    return Json({"sessions": core.chat.conversations(owner)})


@sessions.get("/{session_id}")
def open_session(session_id: str, core: Core, owner: Owner) -> Response:
    """Return one session with its messages, oldest first."""
    return Json(core.chat.open(session_id, owner))


def video_of(core: SearchCore, owner: str, body: WithVideo) -> VideoContext | None:
    """Return the video that *body* names or contains; raises ApiError and errors of reading it."""
    if body.video_id is not None and body.video is not None:
        raise ApiError(400, "two_videos", "Send video_id or video, not both.", "video_id와 video 가운데 하나만 보내 주세요.")
    if body.video_id is not None:
        return known_video(core, owner, body.video_id)
    if body.video is None:
        return None
    for name in DATES:
        read_day(str(body.video.get(name) or ""))
    return replace(VideoContext.from_mapping(body.video), sample=False)


def known_video(core: SearchCore, owner: str, video_id: str) -> VideoContext:
    """Return the video with that id; raises ApiError (404) if neither *owner* nor the samples have it."""
    sample = next((video for video in core.samples() if video.video_id == video_id), None)
    if sample is not None:
        return sample
    own = core.chat.conversations(owner, video_key(VideoContext(video_id=video_id))) if video_id else ()
    video = core.chat.open(own[0].id, owner).video if own else None
    if video is None:
        raise ApiError(404, "unknown_video", "No video of this id is known here.", "이 ID의 영상을 알지 못해요.")
    return video


def hold_to_video(chat: Chat, owner: str, session_id: str, body: WithVideo) -> None:
    """Raise ApiError (409) if *body* contains a video, or names another one than the conversation's."""
    if body.video_id is None and body.video is None:
        return
    video = chat.open(session_id, owner).video
    if video is None or body.video is not None or video.video_id != body.video_id:
        raise ApiError(
            409,
            "other_video",
            "The session is about another video; begin a new one without session_id.",
            "이 대화는 다른 영상에 대한 대화예요. session_id 없이 새 대화를 시작해 주세요.",
        )
