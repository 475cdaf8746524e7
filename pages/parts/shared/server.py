"""The server around the pages: security headers, the page served for every address, and routes for machines."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnected
from streamlit import file_util

from pages.parts import TITLE
from pages.parts.shared import services, visitor
from pages.parts.shared.static_files import address_of
from search_core import api
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",  # no pictures from elsewhere: they would tell other servers what is read
        "font-src 'self' data:",
        "connect-src 'self' ws: wss: data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob: https://www.youtube-nocookie.com",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    # The origin alone: the address of this page holds the question, and YouTube's player refuses to play without a referrer.
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
PAGES = ("", "records", "health")
"""Addresses of the pages."""
MAX_VISITORS = 500
OTHER_DESCRIPTORS = 256
"""File descriptors reserved for requests, searches, databases and processes."""
APART_S = 0.02
"""Least seconds between two handled messages of a visitor, so that a flood of messages does not block the event loop."""
_FULL = (
    f'<!doctype html><html lang="ko"><meta charset="utf-8"><meta http-equiv="refresh" content="10"><title>{TITLE}</title>'
    "<p>지금은 접속한 사람이 많아서 더 열 수 없어요. 자리가 나면 저절로 열려요.</p></html>"
)


_STREAMLIT = Path(file_util.get_static_dir())
_ICONS = [path.relative_to(_STREAMLIT).as_posix() for path in _STREAMLIT.glob("static/media/MaterialSymbols-Rounded*.woff2")]
"""The address of Streamlit's icon font; until it has loaded, icons appear as wide words."""
_IN_INDEX = {
    r"<title>.*?</title>": f"<title>{TITLE}</title>",
    r'<link\s+rel="preload"\s+href="[^"]*SourceSans[^>]*>': "".join(
        f'<link rel="preload" href="./{address}" as="font" type="font/woff2" crossorigin>'
        for address in (address_of("Pretendard-common.woff2"), *_ICONS)
    ),
    r"<script>\s*window\.prerenderReady = false\s*</script>": f'<script src="./{address_of("start.js")}"></script>',
    # In the body: the rules that Streamlit adds to the head while it runs come before ours.
    r'<div id="root">': f'<link rel="stylesheet" href="./{address_of("styles.css")}"><div id="root">',
}
"""Parts of Streamlit's index page (as expressions), with their replacements."""


def add_security_headers(app: ASGIApp) -> ASGIApp:
    """Return *app* with ``HEADERS`` in every HTTP response; pure ASGI, so that streams are not buffered."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [(name.lower(), value) for name, value in message.get("headers", [])]}
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await app(scope, receive, send_with_headers)
        except Exception:
            if not started:  # the server sends its own error page outside of this function, without the headers
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
            raise

    return answer


class Visitors:
    """Admits as many visitors as there is room for and refuses the others; pure ASGI.

    Each takes four file descriptors: one for the connection, three for the loop in which Streamlit 1.67 draws pages. It is no
    error if a visitor leaves between two messages; a text message, which no page sends, ends the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._most = room_for_visitors()
        self._here = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer that the server is full."""
        if scope["type"] == "http":
            services.note_visit(scope["path"])
        full = self._here >= self._most
        if scope["type"] == "http" and full and scope["path"].removeprefix("/") in PAGES:
            await HTMLResponse(_FULL, 503, {"retry-after": "10"})(scope, receive, send)
        elif scope["type"] != "websocket":
            await self._app(scope, receive, send)
        elif full:
            await receive()
            await send({"type": "websocket.close", "code": 1013})
        else:
            await self._visit(scope, receive, send)

    async def _visit(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._here += 1
        if self._here == self._most:
            logger.warning("There is no room for more than %d visitors at a time", self._most)

        due_s = 0.0

        async def receive_bytes() -> Message:
            nonlocal due_s
            await asyncio.sleep(max(0.0, due_s - time.monotonic()))
            message = await receive()
            due_s = time.monotonic() + APART_S
            is_text = message["type"] == "websocket.receive" and message.get("bytes") is None
            return {"type": "websocket.disconnect", "code": 1003} if is_text else message

        try:
            await self._app(scope, receive_bytes, send)
        except WebSocketDisconnected:
            logger.debug("A visitor has left between two messages")
        finally:
            self._here -= 1


def room_for_visitors() -> int:
    """Return how many visitors the process has file descriptors for."""
    if sys.platform == "win32":
        return MAX_VISITORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = OTHER_DESCRIPTORS + 4 * MAX_VISITORS
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MAX_VISITORS if soft == resource.RLIM_INFINITY else min(MAX_VISITORS, max(1, (soft - OTHER_DESCRIPTORS) // 4))


def keep_log_short() -> None:
    """Shorten the log to one line for an unreadable frame."""

    def drop_traceback(record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_info if record.levelno > logging.WARNING else None
        return True

    logging.getLogger("streamlit.web.server.starlette.starlette_websocket").addFilter(drop_traceback)


def restrict_routes(app: ASGIApp) -> ASGIApp:
    """Return *app* with Streamlit's metrics for this machine only (else 404), and uploads refused without a required login (401).

    Without that, visitors who have not logged in could fill the memory, as Streamlit keeps uploaded files there.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        if path.endswith("/_stcore/metrics") and not api.is_on_this_machine(scope):
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        elif "/_stcore/upload_file/" in path and scope["method"] == "PUT" and not visitor.may_upload(Request(scope)):
            await PlainTextResponse("Log in first", 401)(scope, receive, send)
        else:
            await app(scope, receive, send)

    return answer


def routes() -> list[BaseRoute]:
    """Return the routes for machines, and those of Streamlit's index page with our title, font, styles and ``static/start.js``.

    Streamlit's inline script would be refused by the content policy, and the page would first look for its server below its own
    address; each would log an error in the console on every load.
    """
    page = (_STREAMLIT / "index.html").read_text(encoding="utf-8")
    for theirs, ours in _IN_INDEX.items():
        page = re.sub(theirs, ours, page, flags=re.DOTALL)

    async def serve(_: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    return [*(Route(f"/{name}", serve) for name in PAGES), *api.routes(services.core)]


def listed_hosts() -> tuple[str, ...]:
    """Return the names in ALLOWED_HOSTS; none, with a line in the log, if the settings are invalid."""
    from search_core.settings import Settings, host_names  # not before the first paint, on this machine not at all

    try:
        return host_names(Settings.from_env(services.secrets()).allowed_hosts)
    except SettingsError as error:
        logger.error("%s", error)
        return ()
