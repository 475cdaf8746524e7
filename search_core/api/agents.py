"""``/mcp``: the tools for agents over streamable HTTP, behind the guard of the API.

No session is kept, so any process behind a proxy can answer any request; long work has an id.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.agents.server import create_server
from search_core.api.allowed_hosts import caller_of
from search_core.api.guard import Guard
from search_core.api.problems import ApiError, Json
from search_core.core import SearchCore

MAX_MESSAGE_BYTES = 2 * 1024 * 1024
"""Of one message, which may hold the text of a subtitle file."""
_GUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Hosts and origins are the guard's."""
_REFUSED = -32_000
"""Code of JSON-RPC for what a server refuses in its own way."""


def create_agents_app(core: Callable[[], SearchCore]) -> ASGIApp:
    """Return the application under ``/mcp`` behind its guard; *core* returns the search core and may block or raise."""
    return Guard(_Agents(core), core, refusal_response)


def refusal_response(problem: ApiError) -> Response:
    """Return a refusal in the form whose sentence protocol clients show to their agent."""
    error = {"code": _REFUSED, "message": str(problem), "data": {"type": problem.kind, "korean": problem.korean}}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    return Json(body, problem.status, problem.headers)


class _Agents:
    """Answers messages, one for each request."""

    def __init__(self, core: Callable[[], SearchCore]) -> None:
        server = create_server(core, _owner_of)
        server.streamable_http_app(stateless_http=True, max_request_body_size=MAX_MESSAGE_BYTES, transport_security=_GUARDED)
        self._manager: StreamableHTTPSessionManager = server.session_manager
        self._running: asyncio.Task[None] | None = None
        self._started = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a message, or refuse it."""
        if scope["method"] != "POST":  # a stream without a session would have nothing to say, for ever
            message = "Messages are posted; there are no sessions and no stream beside the answers."
            wrong = ApiError(405, "wrong_method", message, "메시지는 POST로 보내 주세요.", headers={"Allow": "POST"})
            await refusal_response(wrong)(scope, receive, send)
        else:
            await self._start()
            await self._manager.handle_request(scope, receive, send)

    async def _start(self) -> None:
        """Let messages be answered until the loop ends."""
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="agents")
        await self._started.wait()

    async def _run(self) -> None:
        async with self._manager.run():
            self._started.set()
            await asyncio.Event().wait()


def _owner_of(context: Context[Any, Any]) -> str:
    """Return the owner of the agent that makes a request, as the guard determined it."""
    request: Any = context.request_context.request
    return caller_of(request.scope).owner
