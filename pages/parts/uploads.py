"""Uploads: limits on the bytes that are held, and videos and recordings streamed to disk, a ticket in place of their bytes.

Streamlit limits each file alone, holds every upload in memory as a whole, and what a page does not read for minutes after the
visit. A page finds a recording by its ticket. Tickets cannot be guessed, and are good for one visit once.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import anyio
import anyio.from_thread
import anyio.to_thread
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.websockets import WebSocketDisconnected
from streamlit import config, runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from pages.parts import labels, services
from pages.parts.services import find_recogniser
from search_core.errors import TranscriptionError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from search_core.speech.service import TranscriptionService
    from search_core.speech.source import SoundFile

logger = logging.getLogger(__name__)

MAX_VISITOR_BYTES = 50 << 20
"""Bytes held of one visitor: a record and its subtitles, each as large as it may be."""
MAX_BYTES = 500 << 20
"""Bytes held of all visitors together."""
UPLOAD_S = 300.0
"""Seconds within which a file has to arrive."""
UPLOADS = "/_stcore/upload_file/"
AT_ONCE = 4
"""Files that arrive at the same time."""
STALL_S = 60.0
"""Longest silence of a browser that sends one."""
_LEAST_RATE = 16 << 10
"""Bytes a second below which it is not waited for."""
_MAX_DRAINED_BYTES = 64 << 20
_MAX_HEAD_BYTES = 16 << 10
_SPOKEN = re.compile(r"audio-[\dTZ-]+\.wav|[\dT-]+_audio\.wav")
"""File name that Streamlit 1.67 gives to a question spoken into the microphone, which stays with its widget."""
_FRAME_BYTES = 1 << 20
"""Bytes that a form adds to its file at most."""
_MARK = b"maekrak-sound:"
_TICKET_CHARS = 32
TICKET_BYTES = len(_MARK) + _TICKET_CHARS
_TICKET = re.compile(re.escape(_MARK) + rb"([\w-]{%d})" % _TICKET_CHARS)


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
        stated, manager = Headers(scope=scope).get("content-length", ""), _find_manager()
        most = int(config.get_option("server.maxUploadSize")) << 20
        size = int(stated) if stated.isascii() and stated.isdigit() else most
        stored = {} if manager is None else dict(manager.file_storage)
        held = Counter({each: sum(len(file.data) for file in tuple(files.values())) for each, files in stored.items()})
        if held[visit] + self._arriving[visit] + size > self._visitor_bytes:
            await PlainTextResponse(labels.UPLOADS_FULL, 413)(scope, receive, send)
        elif held.total() + self._arriving.total() + size > self._all_bytes:
            await PlainTextResponse(labels.UPLOADS_BUSY, 503, headers={"Retry-After": "60"})(scope, receive, send)
        else:
            with self._note_arriving(visit, size):
                await self._app(scope, _limit_time(receive, UPLOAD_S), send)
            if not _is_there(visit):  # left while the file arrived
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


def _is_there(visit: str) -> bool:
    return runtime.exists() and runtime.get_instance().is_active_session(visit)


def _forget_gone() -> None:
    """Drop the files of visitors who have left; a page that connects again has none to show, for it empties its box at once."""
    manager = _find_manager()
    if manager is not None:
        for visit in tuple(manager.file_storage):
            if not _is_there(visit):
                manager.remove_session_files(visit)


class _VisitorLeftError(Exception):
    """The browser has left, is too slow, or sends what is no form."""


class AudioUploadHandler:
    """Takes uploads of videos and recordings out of the way of Streamlit; pure ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._arriving: set[str] = set()
        """The visits from which a file is under way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; of a recording only its ticket."""
        if scope["type"] == "websocket":
            try:
                await self._app(scope, receive, send)
            except WebSocketDisconnected:  # Streamlit 1.67 closes once more what a visitor has closed between two messages
                logger.debug("A visitor has left between two messages")
            finally:
                await _discard_gone()
        elif scope["type"] == "http" and scope["method"] == "PUT" and scope["path"].startswith(UPLOADS):
            try:
                await self._sort(scope, receive, send)
            except _VisitorLeftError:  # nothing was answered yet: what is behind was still waiting for the body
                await PlainTextResponse(labels.UPLOAD_BROKEN, 408)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _sort(self, scope: Scope, receive: Receive, send: Send) -> None:
        form = _Form(Headers(scope=scope).get("content-type", ""), receive)
        await form.read_head()
        recognises = bool(form.name) and await asyncio.to_thread(find_recogniser) is not None
        service = services.core().transcription if recognises else None
        if service is None or _SPOKEN.fullmatch(form.name) or not is_sound(form.name, service.suffixes):
            await self._app(scope, form.replay, send)
            return
        visit = scope["path"].removeprefix(UPLOADS).partition("/")[0]
        stated = Headers(scope=scope).get("content-length", "")
        if stated.isascii() and stated.isdigit() and int(stated) > service.max_bytes + _FRAME_BYTES:
            await PlainTextResponse(labels.SOUND_TOO_LARGE, 413)(scope, receive, send)
        elif visit in self._arriving or RECEIVED.holds(visit):
            await PlainTextResponse(labels.UPLOADS_FULL, 413)(scope, receive, send)
        elif len(self._arriving) >= AT_ONCE:
            await PlainTextResponse(labels.UPLOADS_BUSY, 503, headers={"Retry-After": "60"})(scope, receive, send)
        else:
            self._arriving.add(visit)
            changed = dict(scope, headers=list(scope["headers"]))
            MutableHeaders(scope=changed)["content-length"] = str(form.ticket_bytes)
            try:
                await self._app(changed, form.exchange_for_ticket(service, visit), send)
            finally:
                self._arriving.discard(visit)
                await _discard_gone()


class _Form:
    """Reads a form with one file as it comes."""

    def __init__(self, content_type: str, receive: Receive) -> None:
        kind, options = parse_options_header(content_type)
        self._boundary = options.get(b"boundary", b"") if kind == b"multipart/form-data" else b""
        self._receive = receive
        self._seen: list[Message] = []
        self._raw = b""
        self._header = [b"", b""]
        self._pieces: list[bytes] = []
        self._head_read = self._ended = False
        self._begun, self._bytes = time.monotonic(), 0
        self.name = ""
        """The file's name in the browser; empty for another kind of body."""
        self._parser = self._make_parser() if self._boundary else None

    def _make_parser(self) -> MultipartParser:
        return MultipartParser(
            self._boundary,
            {
                "on_header_field": lambda data, start, end: self._add_header(0, data[start:end]),
                "on_header_value": lambda data, start, end: self._add_header(1, data[start:end]),
                "on_header_end": self._end_header,
                "on_headers_finished": self._end_head,
                "on_part_data": lambda data, start, end: self._pieces.append(bytes(data[start:end])),
                "on_part_end": self._end_part,
            },
        )

    def _add_header(self, place: int, part: bytes) -> None:
        self._header[place] += part

    def _end_header(self) -> None:
        if self._header[0].lower() == b"content-disposition":
            _, options = parse_options_header(self._header[1])
            self.name = options.get(b"filename", b"").decode("utf-8", "replace")
        self._header = [b"", b""]

    def _end_head(self) -> None:
        self._head_read = True

    def _end_part(self) -> None:
        self._ended = True

    async def read_head(self) -> None:
        """Read on until the file's name is known, or it is plain that there is none."""
        while self._parser is not None and not self._head_read and len(self._raw) < _MAX_HEAD_BYTES:
            message = await self._wait()
            self._seen.append(message)
            self._raw += message.get("body", b"")
            if message["type"] != "http.request" or not self._feed(message) or not message.get("more_body"):
                return

    async def replay(self) -> Message:
        """Give what was read once more, and then what comes."""
        return self._seen.pop(0) if self._seen else await self._receive()

    def exchange_for_ticket(self, service: TranscriptionService, visit: str) -> Receive:
        """Return a *receive* that has the file written when it is asked, and gives a form with its ticket."""
        given = False

        async def receive() -> Message:
            nonlocal given
            if given:
                return await self._receive()
            given = True
            try:
                ticket = RECEIVED.add(visit, await self._write(service))
            except TranscriptionError as error:
                ticket = RECEIVED.add(visit, error)
                await self._drain()
            return {"type": "http.request", "body": self._with_file(ticket)}

        return receive

    @property
    def ticket_bytes(self) -> int:
        """Return the length of the form with a ticket in the place of its file."""
        return len(self._with_file(b"x" * TICKET_BYTES))

    def _with_file(self, data: bytes) -> bytes:
        return b"%b\r\n\r\n%b\r\n--%b--\r\n" % (self._raw.partition(b"\r\n\r\n")[0], data, self._boundary)

    async def _write(self, service: TranscriptionService) -> SoundFile:
        pieces = aiter(self._read_pieces())

        def chunks() -> Iterator[bytes]:
            while piece := anyio.from_thread.run(anext, pieces, b""):
                yield piece

        return await anyio.to_thread.run_sync(lambda: service.receive(self.name, chunks()), limiter=anyio.CapacityLimiter(1))

    async def _drain(self) -> None:
        """Let the browser send the rest of what cannot be taken, within limits, so that it gets to read the answer."""
        before = self._bytes
        async for _ in self._read_pieces():
            if self._bytes - before > _MAX_DRAINED_BYTES:
                raise _VisitorLeftError

    async def _read_pieces(self) -> AsyncIterator[bytes]:
        while True:
            if piece := b"".join(self._pieces):
                self._pieces.clear()
                yield piece
            if self._ended:
                return
            message = await self._next()
            if not self._feed(message) or (not message.get("more_body") and not self._ended):
                raise _VisitorLeftError

    async def _next(self) -> Message:
        message = await self._wait()
        if message["type"] != "http.request":
            raise _VisitorLeftError
        return message

    async def _wait(self) -> Message:
        """Return the next message, unless the browser is silent or slow for too long."""
        left = self._begun + STALL_S + self._bytes / _LEAST_RATE - time.monotonic()
        try:
            async with asyncio.timeout(min(left, STALL_S)):
                message = await self._receive()
        except TimeoutError:
            raise _VisitorLeftError from None
        self._bytes += len(message.get("body", b""))
        return message

    def _feed(self, message: Message) -> bool:
        """Parse one more part of the body; return whether that worked."""
        if self._parser is None:
            return False
        try:
            self._parser.write(message.get("body", b""))
        except FormParserError:
            return False
        return True


async def _discard_gone() -> None:
    gone = RECEIVED.take_gone()
    if gone:
        service = services.core().transcription
        for sound in gone:
            await asyncio.to_thread(service.discard, sound)


@dataclass(frozen=True, slots=True)
class _Received:
    visit: str
    outcome: SoundFile | TranscriptionError


class ReceivedSounds:
    """Keeps what has arrived until a page asks for it; safe to use from many threads."""

    def __init__(self) -> None:
        self._kept: dict[str, _Received] = {}
        self._lock = threading.Lock()

    def add(self, visit: str, outcome: SoundFile | TranscriptionError) -> bytes:
        """Keep what came of a file and return the ticket for it."""
        ticket = secrets.token_urlsafe(_TICKET_CHARS * 3 // 4)
        with self._lock:
            self._kept[ticket] = _Received(visit, outcome)
        return _MARK + ticket.encode()

    def holds(self, visit: str) -> bool:
        """Return whether a file of that visit waits to be asked for."""
        with self._lock:
            return any(each.visit == visit for each in self._kept.values())

    def claim(self, visit: str, data: bytes) -> SoundFile | None:
        """Return the file whose ticket *data* is, from now on the caller's; None when it is no ticket of that visit.

        Raises TranscriptionError when the file could not be received.
        """
        found = _TICKET.fullmatch(data)
        ticket = found[1].decode() if found else ""
        with self._lock:
            mine = ticket in self._kept and self._kept[ticket].visit == visit
            received = self._kept.pop(ticket) if mine else None
        if received is None:
            return None
        if isinstance(received.outcome, TranscriptionError):
            raise received.outcome
        return received.outcome

    def take_gone(self) -> tuple[SoundFile, ...]:
        """Return the files of visitors who have left."""
        with self._lock:
            gone = {ticket: each for ticket, each in self._kept.items() if not _is_there(each.visit)}
            for ticket in gone:
                del self._kept[ticket]
        return tuple(each.outcome for each in gone.values() if not isinstance(each.outcome, TranscriptionError))


RECEIVED = ReceivedSounds()


def is_sound(name: str, suffixes: Sequence[str]) -> bool:
    """Return whether a file of that name is one to be listened to."""
    return PurePath(name).suffix.lower() in suffixes
