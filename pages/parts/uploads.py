"""Limits the bytes of uploads that are held: of each visitor, of all together, and none after a visitor has left.

Streamlit limits each file alone, and holds what a page does not read for minutes after the visit.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.parts import labels

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_VISITOR_BYTES = 50 << 20
"""Bytes held of one visitor: a record and its subtitles, each as large as it may be."""
MAX_BYTES = 500 << 20
"""Bytes held of all visitors together."""
UPLOAD_S = 300.0
"""Seconds within which a file has to arrive."""
UPLOADS = "/_stcore/upload_file/"


class LimitUploads:
    """Refuses uploads of more than is held, and forgets those of visitors who have left; pure ASGI."""

    def __init__(self, app: ASGIApp, *, visitor_bytes: int = MAX_VISITOR_BYTES, all_bytes: int = MAX_BYTES) -> None:
        self._app = app
        self._visitor_bytes = visitor_bytes
        self._all_bytes = all_bytes
        self._arriving: Counter[str] = Counter()
        """Bytes that are under way, by visit."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say that it is too much."""
        if scope["type"] == "websocket":
            try:
                await self._app(scope, receive, send)
            finally:
                _forget_gone()
        elif scope["type"] == "http" and scope["method"] == "PUT" and scope["path"].startswith(UPLOADS):
            await self._accept(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _accept(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = scope["path"].removeprefix(UPLOADS).partition("/")[0]
        size = _bytes_of(scope)
        held = _count_held()
        if held[visit] + self._arriving[visit] + size > self._visitor_bytes:
            await PlainTextResponse(labels.UPLOADS_FULL, 413)(scope, receive, send)
        elif held.total() + self._arriving.total() + size > self._all_bytes:
            await PlainTextResponse(labels.UPLOADS_BUSY, 503, headers={"Retry-After": "60"})(scope, receive, send)
        else:
            with self._note_arriving(visit, size):
                await self._app(scope, _limit_time(receive, UPLOAD_S), send)
            if not is_there(visit):  # left while the file arrived
                _forget_gone()

    @contextmanager
    def _note_arriving(self, visit: str, size: int) -> Iterator[None]:
        self._arriving[visit] += size
        try:
            yield
        finally:
            self._arriving[visit] -= size
            if not self._arriving[visit]:
                del self._arriving[visit]


def _bytes_of(scope: Scope) -> int:
    """Return how many bytes a request may bring."""
    stated = Headers(scope=scope).get("content-length", "")
    return int(stated) if stated.isascii() and stated.isdigit() else int(config.get_option("server.maxUploadSize")) << 20


def _limit_time(receive: Receive, seconds: float) -> Receive:
    """Return a *receive* that reports a disconnect when the request takes too long."""
    ends = asyncio.get_running_loop().time() + seconds

    async def receive_in_time() -> Message:
        try:
            async with asyncio.timeout_at(ends):
                return await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}

    return receive_in_time


def _find_manager() -> MemoryUploadedFileManager | None:
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    return manager if isinstance(manager, MemoryUploadedFileManager) else None


def _count_held() -> Counter[str]:
    """Return how many bytes of each visit are held."""
    manager = _find_manager()
    stored = {} if manager is None else dict(manager.file_storage)
    return Counter({visit: sum(len(file.data) for file in tuple(files.values())) for visit, files in stored.items()})


def is_there(visit: str) -> bool:
    """Return whether the visitor of that visit is still here."""
    return runtime.exists() and runtime.get_instance().is_active_session(visit)


def _forget_gone() -> None:
    """Drop the files of visitors who have left; a page that connects again has none to show, for it empties its box at once."""
    manager = _find_manager()
    if manager is not None:
        for visit in tuple(manager.file_storage):
            if not is_there(visit):
                manager.remove_session_files(visit)
