"""``GET /api/sessions`` and ``GET /api/sessions/{id}``: the caller's conversations."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from search_core.api.callers import caller_of
from search_core.api.problems import NO_STORE
from search_core.api.serializers import conversation_body, entry_body
from search_core.core import SearchCore


class Sessions:
    """Answers with conversations; *core* returns the search core and may block."""

    def __init__(self, core: Callable[[], SearchCore]) -> None:
        self._core = core

    async def all(self, request: Request) -> Response:
        """Answer with the caller's conversations, last changed first."""
        owner = caller_of(request.scope).owner
        entries = await run_in_threadpool(lambda: self._core().chat.conversations(owner))
        return JSONResponse({"sessions": [entry_body(entry) for entry in entries]}, headers=NO_STORE)

    async def one(self, request: Request) -> Response:
        """Answer with one of them and its messages."""
        owner, session_id = caller_of(request.scope).owner, request.path_params["session_id"]
        conversation = await run_in_threadpool(lambda: self._core().chat.open(session_id, owner))
        return JSONResponse(conversation_body(conversation), headers=NO_STORE)
