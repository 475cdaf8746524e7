"""``/mcp``: the tools for agents over streamable HTTP, behind the guard of the API.

Requests stand alone: no session is kept, so that any process behind a proxy may answer any of them; what goes on has an id.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from search_core.agents.calls import Caller
from search_core.agents.server import Context, create_server
from search_core.api.allowed_hosts import caller_of
from search_core.api.bodies import read_bytes
from search_core.api.guard import Guard
from search_core.api.problems import NO_STORE, ApiError, stopping_error
from search_core.api.stopping import StreamRules
from search_core.api.streams import send_by_rules
from search_core.core import SearchCore

logger = logging.getLogger(__name__)

MAX_MESSAGE_BYTES = 2 * 1024 * 1024
"""Of one message, which may hold the text of a subtitle file."""
_REFUSED = -32_000
"""Code of JSON-RPC for what a server refuses in its own way."""


def create_agents_app(core: Callable[[], SearchCore], rules: StreamRules) -> ASGIApp:
    """Return what answers under ``/mcp``, behind its guard; *core* gives the one search core and may take its time or raise."""
    return Guard(_Agents(core, rules), core, refusal_response)


def refusal_response(problem: ApiError) -> Response:
    """Return a refusal in the form in which clients of the protocol hand its sentence on to their agent."""
    error = {"code": _REFUSED, "message": str(problem), "data": {"type": problem.kind, "korean": problem.korean}}
    body = {"jsonrpc": "2.0", "id": None, "error": error}
    return JSONResponse(body, status_code=problem.status, headers={**NO_STORE, **problem.headers})


class _Agents:
    """Answers messages, one a request."""

    def __init__(self, core: Callable[[], SearchCore], rules: StreamRules) -> None:
        self._core = core
        self._rules = rules
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a message, or say why not."""
        if scope["type"] != "http":
            return
        try:
            self._hold_to_settings(scope)
            body = await read_bytes(Request(scope, receive), most=MAX_MESSAGE_BYTES)
        except ApiError as problem:
            await refusal_response(problem)(scope, receive, send)
        except ClientDisconnect:
            logger.debug("The client of a message is gone before it was read")
        else:
            manager = await self._manager_now()
            again = _replay(body, receive)
            await send_by_rules(scope, send, self._rules, lambda sending: manager.handle_request(scope, again, sending))

    def _hold_to_settings(self, scope: Scope) -> None:
        if not self._core().settings.mcp_http:  # made before, by the guard
            raise ApiError(
                404,
                "turned_off",
                "The tools for agents are not served over HTTP here; set MCP_HTTP=true.",
                "에이전트용 도구를 HTTP로 열어 두지 않았어요. MCP_HTTP=true로 설정해 주세요.",
            )
        if scope["method"] != "POST":
            raise ApiError(
                405,
                "wrong_method",
                "Messages are posted; there are no sessions and no stream beside the answers.",
                "메시지는 POST로 보내 주세요.",
                headers={"Allow": "POST"},
            )
        if self._rules.stopping.begun:
            raise stopping_error()

    async def _manager_now(self) -> StreamableHTTPSessionManager:
        """Return the manager of messages, which runs until the server stops."""
        if self._manager is None or self._running is None or self._running.done():
            server = create_server(self._core, _caller_of, stopped=self._rules.stopping.wait)
            manager = StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=MAX_MESSAGE_BYTES)
            started = asyncio.Event()
            self._manager, self._running = manager, asyncio.create_task(self._run(manager, started), name="agents")
            await started.wait()
        return self._manager

    async def _run(self, manager: StreamableHTTPSessionManager, started: asyncio.Event) -> None:
        async with manager.run():
            started.set()
            await self._rules.stopping.wait()
            await anyio.sleep(self._rules.farewell_s)


def _caller_of(context: Context) -> Caller:
    """Return who makes a request, as the guard found out; over HTTP no caller may name files of this machine."""
    request: Any = context.request
    return Caller(owner=caller_of(request.scope).owner)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a *receive* that gives the body that was read, and then what *receive* gives."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again
