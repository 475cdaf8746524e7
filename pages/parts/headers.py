"""Security headers on every answer of the server."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

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
