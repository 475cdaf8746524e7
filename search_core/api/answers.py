"""``POST /api/chat`` and ``POST /api/web-search``: answers as they are written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

import anyio
from starlette.requests import Request
from starlette.responses import Response

from search_core.api.answer_stream import AnswerStream
from search_core.api.bodies import ChatBody, WebSearchBody, read_body
from search_core.api.callers import caller_of
from search_core.api.problems import ApiError
from search_core.api.rules import StreamRules
from search_core.api.serializers import event_body, failure_body
from search_core.api.streams import Body
from search_core.api.videos import hold_to_video, known_video
from search_core.chat import AnswerJob, Chat
from search_core.core import ProviderInfo, SearchCore
from search_core.domain import (
    AnswerDone,
    AnswerEvent,
    AnswerToken,
    PagesRead,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSourcesFound,
)
from search_core.errors import StorageError
from search_core.intent import validate_question

logger = logging.getLogger(__name__)

_STARTED_AT_ONCE = 2
"""Starting an answer is the processor's work: more threads at it take turns with the event loop, and none is done sooner."""
_OF_A_CHECK = (WebSourcesFound, PagesRead, StancesCompared, AnswerToken, WebAnswerFinished, AnswerDone)
Ask = Callable[["Chat", str], "AnswerJob"]
"""Starts an answer in a conversation by its id."""


class Answers:
    """Answers both requests; *core* returns the search core and may block."""

    def __init__(self, core: Callable[[], SearchCore], rules: StreamRules) -> None:
        self._core = core
        self._rules = rules
        self._starters: anyio.CapacityLimiter | None = None

    async def chat(self, request: Request) -> Response:
        """Answer from the video, and from the web where the video says nothing."""
        body, owner = await read_body(request, ChatBody), caller_of(request.scope).owner

        def begin() -> AnswerJob:
            query = validate_question(body.query)
            return self._start_answer(owner, body, lambda chat, session: chat.ask(session, owner, query))

        return AnswerStream(await self._run_start(begin), event_body, self._rules, waits_for_first=False)

    async def web_search(self, request: Request) -> Response:
        """Search the web, and hold what it says against what was said so far."""
        body, owner = await read_body(request, WebSearchBody), caller_of(request.scope).owner

        def begin() -> AnswerJob:
            query = validate_question(body.query)
            if not self._core().chat.can_check():
                raise not_configured_error(self._core().providers())
            return self._start_answer(
                owner,
                body,
                lambda chat, session: chat.check_question(session, owner, query, subject=body.about, domains=body.domains),
            )

        return AnswerStream(await self._run_start(begin), _check_event_body, self._rules, waits_for_first=True)

    async def _run_start(self, begin: Callable[[], AnswerJob]) -> AnswerJob:
        self._starters = self._starters or anyio.CapacityLimiter(_STARTED_AT_ONCE)
        return await anyio.to_thread.run_sync(begin, limiter=self._starters)

    def _start_answer(self, owner: str, body: ChatBody | WebSearchBody, ask: Ask) -> AnswerJob:
        """Start an answer in the conversation that *body* names or in a new one, which is deleted when no answer can start."""
        core = self._core()
        if body.session_id is not None:
            hold_to_video(core.chat, owner, body.session_id, body.video_id)
            return ask(core.chat, body.session_id)
        video = known_video(core, owner, body.video_id) if body.video_id is not None else None
        entry = core.chat.new(owner, video)
        try:
            return ask(core.chat, entry.id)
        except BaseException:
            _forget(core.chat, entry.id, owner)
            raise


def _forget(chat: Chat, session_id: str, owner: str) -> None:
    """Delete a conversation in which nothing could be asked; where that fails too, the first error is the one to answer with."""
    try:
        chat.delete(session_id, owner)
    except StorageError as error:
        logger.warning("A conversation in which nothing could be asked could not be deleted: %s", error)


def not_configured_error(services: Iterable[ProviderInfo]) -> ApiError:
    """Return the refusal for a server of whose *services* none of the web is set up."""
    wanting = [info.absent_because or "" for info in services if info.web]
    to_mend = " ".join(wanting) or "SEARCH_PROVIDERS에 웹 검색 서비스의 이름을 적어 주세요."
    return ApiError(
        503,
        "not_configured",
        "Web search not configured",
        f"쓸 수 있는 웹 검색 서비스가 없어요. {to_mend}",
        plain=True,
    )


def _check_event_body(event: AnswerEvent) -> Body | None:
    if isinstance(event, WebAnswerFailed):
        return failure_body(event)
    if isinstance(event, WebSourcesFound) and not event.sources:
        return None
    return event_body(event) if isinstance(event, _OF_A_CHECK) else None
