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
"""Reserved for requests, searches, databases and processes."""
APART_S = 0.02
"""Between two messages of a visitor: a flood of them, handled at once, would keep the event loop for seconds."""
_TELL_EVERY_S = 60.0
_FULL = (
    f'<!doctype html><html lang="ko"><meta charset="utf-8"><meta http-equiv="refresh" content="10"><title>{TITLE}</title>'
    "<p>지금은 접속한 사람이 많아서 더 열 수 없어요. 자리가 나면 저절로 열려요.</p></html>"
)


def _icons() -> list[str]:
    """Return the address of Streamlit's icon font; until it has loaded, icons appear as wide words."""
    folder = Path(file_util.get_static_dir())
    return [path.relative_to(folder).as_posix() for path in folder.glob("static/media/MaterialSymbols-Rounded*.woff2")]


_IN_INDEX = {
    r"<title>.*?</title>": f"<title>{TITLE}</title>",
    r'<link\s+rel="preload"\s+href="[^"]*SourceSans[^>]*>': "".join(
        f'<link rel="preload" href="./{address}" as="font" type="font/woff2" crossorigin>'
        for address in (address_of("Pretendard-common.woff2"), *_icons())
    ),
    r"<script>\s*window\.prerenderReady = false\s*</script>": f'<script src="./{address_of("start.js")}"></script>',
    # In the body: the rules that Streamlit adds to the head while it runs come before ours.
    r'<div id="root">': f'<link rel="stylesheet" href="./{address_of("styles.css")}"><div id="root">',
}
"""Expressions for parts of Streamlit's index page, with their replacements."""


class SecurityHeaders:
    """Adds ``HEADERS`` to every HTTP response; pure ASGI, so that streams are not buffered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, adding the headers when the answer starts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
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
            await self._app(scope, receive, send_with_headers)
        except Exception:
            if not started:  # the server sends its own error page outside of this class, without the headers
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
            raise


class Visitors:
    """Admits as many visitors as there is room for and refuses the others; pure ASGI.

    Each takes four descriptors: a connection, and three of the loop in which Streamlit 1.67 draws pages. A visitor who leaves
    between two messages is no error, and a text message, which no page sends, ends the visit.
    """

    def __init__(self, app: ASGIApp, most: int | None = None) -> None:
        self._app = app
        self._most = room_for_visitors() if most is None else most
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
    """Shorten the log to one line for an unreadable frame, and one a minute for missing descriptors."""
    told_s = -_TELL_EVERY_S

    def without_traceback(record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_info if record.levelno > logging.WARNING else None
        return True

    def seldom(record: logging.LogRecord) -> bool:
        nonlocal told_s
        if "out of system resource" not in record.getMessage():
            return True
        due = time.monotonic() >= told_s + _TELL_EVERY_S
        told_s = time.monotonic() if due else told_s
        return due

    logging.getLogger("streamlit.web.server.starlette.starlette_websocket").addFilter(without_traceback)
    logging.getLogger("asyncio").addFilter(seldom)


class RestrictedRoutes:
    """Serves Streamlit's own metrics to this machine only, and takes files from nobody without a required login; pure ASGI.

    Streamlit keeps in memory whatever is sent to it, for those who only see the login, too.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; requests for those metrics from elsewhere get a 404, such files a 401."""
        path = scope["path"] if scope["type"] == "http" else ""
        if path.endswith("/_stcore/metrics") and not api.is_on_this_machine(scope):
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        elif "/_stcore/upload_file/" in path and scope["method"] == "PUT" and not visitor.may_upload(Request(scope)):
            await PlainTextResponse("Log in first", 401)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def routes() -> list[BaseRoute]:
    """Return the routes of the pages and those for machines; unknown paths under /api are a 404."""
    return [*_pages(), *api.routes(services.core)]


def _pages() -> list[BaseRoute]:
    """Return the routes of Streamlit's index page with our title, font, styles and ``static/start.js`` in it.

    Streamlit's inline script would be refused by the content policy, and the page would first look for its server below its own
    address; each would log an error in the console on every load.
    """
    page = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    for theirs, ours in _IN_INDEX.items():
        page = re.sub(theirs, ours, page, flags=re.DOTALL)

    async def serve(_: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    return [Route(f"/{name}", serve) for name in PAGES]


def listed_hosts() -> tuple[str, ...]:
    """Return the names in ALLOWED_HOSTS; none, with a line in the log, if the settings are invalid."""
    from search_core.settings import Settings, host_names  # not before the first paint, on this machine not at all

    try:
        return host_names(Settings.from_env(services.secrets()).allowed_hosts)
    except SettingsError as error:
        logger.error("%s", error)
        return ()
