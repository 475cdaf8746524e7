"""The page that Streamlit serves for every address, with a script of our own in place of the one inside it."""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INLINE = re.compile(rb"<script>\s*window\.prerenderReady = false\s*</script>")
_OURS = b'<script src="./app/static/start.js"></script>'
_HTML = b"text/html"
_OF_THE_FILE = (b"content-length", b"etag", b"last-modified")
"""Headers of the answer that describe the page as it is on disk."""
_FOR_THE_FILE = (b"accept-encoding", b"if-none-match", b"if-modified-since")
"""Headers of the request to which the answer would be no page to read."""


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
