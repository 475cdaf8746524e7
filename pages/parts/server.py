"""The server around the pages: security headers, the page that is served for every address, and routes for machines."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route
from starlette.websockets import WebSocketDisconnected
from streamlit import file_util

from pages.parts import labels, services
from pages.parts.static_files import address_of
from search_core import api
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",  # no pictures from elsewhere: they would show other servers who reads what
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
PAGES = ("", "search", "chat", "research", "claims", "health")
"""Addresses of the pages."""
_OURS = ("/static/", "/app/static/", "/healthz", "/metrics", api.ROOT, api.AGENTS)
"""What other addresses of ours begin with."""


def _icons() -> list[str]:
    """Return the address of Streamlit's font of icons, whose names are wide words until it is there."""
    folder = Path(file_util.get_static_dir())
    return [path.relative_to(folder).as_posix() for path in folder.glob("static/media/MaterialSymbols-Rounded*.woff2")]


_IN_INDEX = {
    r"<title>.*?</title>": f"<title>{labels.TITLE}</title>",
    r'<link\s+rel="preload"\s+href="[^"]*SourceSans[^>]*>': "".join(
        f'<link rel="preload" href="./{address}" as="font" type="font/woff2" crossorigin>'
        for address in (address_of("Pretendard-common.woff2"), *_icons())
    ),
    r"<script>\s*window\.prerenderReady = false\s*</script>": f'<script src="./{address_of("start.js")}"></script>',
    # In the body: the rules that Streamlit adds to the head while it runs come before ours.
    r'<div id="root">': f'<link rel="stylesheet" href="./{address_of("styles.css")}"><div id="root">',
}
"""What stands in Streamlit's index page, as expressions, and what stands in its place."""


class SecurityHeaders:
    """Adds ``HEADERS`` to every HTTP answer; pure ASGI, so that streams stay streams."""

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
            if not started:  # the server's own answer to what broke is sent from outside of here, without the headers
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
            raise


class QuietLeaving:
    """Lets visitors leave between two messages; pure ASGI.

    Streamlit 1.67 closes once more what they have closed, which would stand in the log as an error of the server.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        try:
            await self._app(scope, receive, send)
        except WebSocketDisconnected:
            logger.debug("A visitor has left between two messages")


class NumbersAtHome:
    """Serves the figures that Streamlit keeps of itself on this machine alone; pure ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; one for those figures from elsewhere finds nothing."""
        if scope["type"] == "http" and scope["path"].endswith("/_stcore/metrics") and not api.is_on_this_machine(scope):
            await PlainTextResponse("Not Found", 404)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


class BasePath:
    """Hands on what lies below Streamlit's ``server.baseUrlPath`` and is ours as if it lay at the root; pure ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._base = f"/{str(st.get_option('server.baseUrlPath')).strip('/')}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; the base itself, below which no address of a page leads anywhere, leads to the first page."""
        path = scope.get("path", "")
        if scope["type"] == "http" and self._base != "/":
            below = path.removeprefix(self._base) if f"{path}/".startswith(f"{self._base}/") else None
            if below == "":
                await RedirectResponse(f"{self._base}/")(scope, receive, send)
                return
            if below is not None and (below[1:] in PAGES or below.startswith(_OURS)):
                scope = {**scope, "path": below, "raw_path": below.encode()}
        await self._app(scope, receive, send)


def routes() -> list[BaseRoute]:
    """Return the routes of the pages and those for machines; what is unknown under /api is a 404, no page of Streamlit's."""
    return [*_pages(), *api.routes(services.core)]


def _pages() -> list[BaseRoute]:
    """Return the routes of Streamlit's index page with our title, font, styles and ``static/start.js`` in it.

    The content policy refuses a script inside the page, and without ours the page looks for its server below its own address
    first: a line of complaint in the console for each, on every load.
    """
    page = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    for theirs, ours in _IN_INDEX.items():
        page = re.sub(theirs, ours, page, flags=re.DOTALL)

    async def serve(_: Request) -> HTMLResponse:
        return HTMLResponse(page, headers={"cache-control": "no-cache"})

    return [Route(f"/{name}", serve) for name in PAGES]


def listed_hosts() -> tuple[str, ...]:
    """Return the names of ALLOWED_HOSTS; none where the settings cannot be used, and the log says so."""
    from search_core.settings import Settings, host_names  # not before the first paint, on this machine not at all

    try:
        return host_names(Settings.from_env(services.secrets()).allowed_hosts)
    except SettingsError as error:
        logger.error("%s", error)
        return ()
