"""The server around the pages: security headers, the page that is served for every address, and routes for machines."""

from __future__ import annotations

import logging
import re
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

from pages.parts import services
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
        "img-src 'self' data: blob:",  # no pictures from elsewhere: they would show other servers who reads what
        "font-src 'self' data:",
        "connect-src 'self' ws: wss: data: blob:",
        "media-src 'self' blob: data:",
        "worker-src 'self' blob:",
        "frame-src 'self' blob: https://www.youtube-nocookie.com",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)

HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode("ascii")),
    (b"x-content-type-options", b"nosniff"),
    # The origin alone: the address of this page holds the question, and YouTube's player refuses to play without a referrer.
    (b"referrer-policy", b"strict-origin-when-cross-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(self)"),
)
_INLINE = re.compile(rb"<script>\s*window\.prerenderReady = false\s*</script>")
_OURS = b'<script src="./app/static/start.js"></script>'
_HTML = b"text/html"
_OF_THE_FILE = (b"content-length", b"etag", b"last-modified")
"""Headers of the answer that describe the page as it is on disk."""
_FOR_THE_FILE = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Headers of the request to which the answer would be no page to read."""

STOPPING = api.Stopping()
"""Tells open streams that the server ends."""


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

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                ours = {name for name, _ in HEADERS}
                others = [(name, value) for name, value in message.get("headers", []) if name.lower() not in ours]
                message = {**message, "headers": [*others, *HEADERS]}
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception:
            if not started:  # the server's own answer to what broke is sent from outside of here, without the headers
                await send_with_headers(
                    {"type": "http.response.start", "status": 500, "headers": [(b"content-type", b"text/plain")]}
                )
                await send_with_headers({"type": "http.response.body", "body": b"Internal Server Error"})
            raise


class IndexPage:
    """Puts ``static/start.js`` into Streamlit's index page; pure ASGI.

    The content policy refuses a script inside the page, and without ours the page looks for its server below its own address
    first: a line of complaint in the console for each, on every load.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a page is held back until it is whole."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _wants_page(scope):
            await self._app(scope, receive, send)
            return
        start: MutableMapping[str, Any] | None = None
        body = bytearray()

        async def send_rewritten(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_page(message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body", False):
                    page = _INLINE.sub(_OURS, bytes(body))
                    others = [(name, value) for name, value in start["headers"] if name.lower() not in _OF_THE_FILE]
                    await send({**start, "headers": [*others, (b"content-length", str(len(page)).encode())]})
                    await send({"type": "http.response.body", "body": page})

        plain = [(name, value) for name, value in scope["headers"] if name.lower() not in _FOR_THE_FILE]
        await self._app({**scope, "headers": plain}, receive, send_rewritten)


def _wants_page(scope: Scope) -> bool:
    """Return whether a browser navigates there; it then asks for HTML before anything else."""
    return any(name.lower() == b"accept" and value.startswith(_HTML) for name, value in scope["headers"])


def _is_page(message: Message) -> bool:
    headers: dict[bytes, bytes] = {name.lower(): value for name, value in message.get("headers", [])}
    return bool(message["status"] == 200 and headers.get(b"content-type", b"").startswith(_HTML))


def routes() -> list[BaseRoute]:
    """Return the routes for machines; what is unknown under /api is a 404, where Streamlit would answer with its page."""
    return api.routes(services.core, api.StreamRules(stopping=STOPPING))


def listed_hosts() -> tuple[str, ...]:
    """Return the names of ALLOWED_HOSTS; none where the settings cannot be used, and the log says so."""
    from search_core.settings import Settings, host_names  # not before the first paint, on this machine not at all

    try:
        return host_names(Settings.from_env(services.secrets()).allowed_hosts)
    except SettingsError as error:
        logger.error("%s", error)
        return ()
