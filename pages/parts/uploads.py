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

from pages.parts import services
from search_core.errors import TranscriptionError

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks
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
UPLOADS_FULL = "올린 파일이 너무 많아요. 페이지를 새로 연 뒤에 다시 올려 주세요."
UPLOADS_BUSY = "지금은 여러 사람이 파일을 올리고 있어요. 잠시 뒤에 다시 올려 주세요."


class Uploads:
    """Takes files in within limits, recordings onto the disk, and forgets those of visitors who have left; pure ASGI."""

    def __init__(self, app: ASGIApp, *, visitor_bytes: int = MAX_VISITOR_BYTES, all_bytes: int = MAX_BYTES) -> None:
        self._app = app
        self._visitor_bytes = visitor_bytes
        self._all_bytes = all_bytes
        self._arriving: Counter[str] = Counter()
        """Bytes of files under way that are to be held, by visit."""
        self._recording: set[str] = set()
        """Visits from which a recording is under way."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, of a recording only its ticket, or say that it is too much."""
        if scope["type"] == "websocket":
            try:
                await self._app(scope, receive, send)
            except WebSocketDisconnected:  # Streamlit 1.67 closes once more what a visitor has closed between two messages
                logger.debug("A visitor has left between two messages")
            finally:
                await _forget_gone()
        elif scope["type"] == "http" and scope["method"] == "PUT" and scope["path"].startswith(UPLOADS):
            try:
                await self._sort(scope, receive, send)
            except _VisitorLeftError:  # nothing was answered yet: what is behind was still waiting for the body
                await PlainTextResponse("파일이 끝까지 오지 않았어요. 다시 올려 주세요.", 408)(scope, receive, send)
            finally:
                await _forget_gone()
        else:
            await self._app(scope, receive, send)

    async def _sort(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, visit = Headers(scope=scope), scope["path"].removeprefix(UPLOADS).partition("/")[0]
        stated = headers.get("content-length", "")
        size = int(stated) if stated.isascii() and stated.isdigit() else None
        form = _Form(headers.get("content-type", ""), receive)
        await form.read_head()
        service = await asyncio.to_thread(_find_service, form.name) if form.name else None
        if service is None:
            size = int(config.get_option("server.maxUploadSize")) << 20 if size is None else size
            refusal = self._refuse_file(visit, size)
        else:
            refusal = self._refuse_recording(visit, size or 0, service.max_bytes + _FRAME_BYTES)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif service is None:
            self._arriving[visit] += size or 0
            try:
                await self._app(scope, _limit_time(form.replay, UPLOAD_S), send)
            finally:
                self._arriving[visit] -= size or 0
                self._arriving += Counter()  # without those that are nothing by now
        else:
            self._recording.add(visit)
            ticket = RECEIVED.new_ticket()
            changed = dict(scope, headers=list(scope["headers"]))
            MutableHeaders(scope=changed)["content-length"] = str(len(form.with_file(ticket)))
            try:
                await self._app(changed, form.exchange_for(ticket, service, visit), send)
            finally:
                self._recording.discard(visit)

    def _refuse_file(self, visit: str, size: int) -> PlainTextResponse | None:
        manager = _find_manager()
        stored = {} if manager is None else dict(manager.file_storage)
        held = Counter({each: sum(len(file.data) for file in tuple(files.values())) for each, files in stored.items()})
        held += self._arriving
        if held[visit] + size > self._visitor_bytes:
            return PlainTextResponse(UPLOADS_FULL, 413)
        return _busy() if held.total() + size > self._all_bytes else None

    def _refuse_recording(self, visit: str, size: int, most: int) -> PlainTextResponse | None:
        if size > most:
            return PlainTextResponse("파일이 너무 커요. 소리만 뽑은 파일(m4a, mp3)을 올리면 훨씬 작아요.", 413)
        if visit in self._recording or RECEIVED.holds(visit):
            return PlainTextResponse(UPLOADS_FULL, 413)
        return _busy() if len(self._recording) >= AT_ONCE else None


def _busy() -> PlainTextResponse:
    return PlainTextResponse(UPLOADS_BUSY, 503, headers={"Retry-After": "60"})


def _find_service(name: str) -> TranscriptionService | None:
    """Return what a file of that name is handed to, or None where it is no recording to be transcribed."""
    service = services.core().transcription if services.find_recogniser() is not None else None
    return service if service is not None and not _SPOKEN.fullmatch(name) and is_sound(name, service.suffixes) else None


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


async def _forget_gone() -> None:
    """Drop the files of visitors who have left; a page that connects again has none to show, for it empties its box at once."""
    manager = _find_manager()
    for visit in tuple(manager.file_storage) if manager is not None else ():
        if manager is not None and not _is_there(visit):
            manager.remove_session_files(visit)
    for sound in RECEIVED.take_gone():
        await asyncio.to_thread(services.core().transcription.discard, sound)


class _VisitorLeftError(Exception):
    """The browser has left, is too slow, or sends what is no form."""


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
        self._parser = MultipartParser(self._boundary, self._callbacks()) if self._boundary else None

    def _callbacks(self) -> MultipartCallbacks:
        def end_part() -> None:
            self._ended = True

        return {
            "on_header_field": lambda data, start, end: self._add_header(0, data[start:end]),
            "on_header_value": lambda data, start, end: self._add_header(1, data[start:end]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_head,
            "on_part_data": lambda data, start, end: self._pieces.append(bytes(data[start:end])),
            "on_part_end": end_part,
        }

    def _add_header(self, place: int, part: bytes) -> None:
        self._header[place] += part

    def _end_header(self) -> None:
        if self._header[0].lower() == b"content-disposition":
            _, options = parse_options_header(self._header[1])
            self.name = options.get(b"filename", b"").decode("utf-8", "replace")
        self._header = [b"", b""]

    def _end_head(self) -> None:
        self._head_read = True

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

    def exchange_for(self, ticket: bytes, service: TranscriptionService, visit: str) -> Receive:
        """Return a *receive* that has the file written when it is asked, and gives a form with its *ticket*."""
        given = False

        async def receive() -> Message:
            nonlocal given
            if given:
                return await self._receive()
            given = True
            try:
                RECEIVED.add(ticket, visit, await self._write(service))
            except TranscriptionError as error:
                RECEIVED.add(ticket, visit, error)
                await self._drain()
            return {"type": "http.request", "body": self.with_file(ticket)}

        return receive

    def with_file(self, data: bytes) -> bytes:
        """Return the form with *data* in the place of its file."""
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
            message = await self._wait()
            if message["type"] != "http.request" or not self._feed(message):
                raise _VisitorLeftError
            if not message.get("more_body") and not self._ended:
                raise _VisitorLeftError

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


class ReceivedSounds:
    """Keeps what has arrived until a page asks for it; safe to use from many threads."""

    def __init__(self) -> None:
        self._kept: dict[bytes, tuple[str, SoundFile | TranscriptionError]] = {}
        """By the ticket: the visit, and what came of the file."""
        self._lock = threading.Lock()

    @staticmethod
    def new_ticket() -> bytes:
        """Return a ticket that nobody has."""
        return f"maekrak-sound:{secrets.token_urlsafe(24)}".encode()

    def add(self, ticket: bytes, visit: str, outcome: SoundFile | TranscriptionError) -> None:
        """Keep what came of a file for who comes with its *ticket*."""
        with self._lock:
            self._kept[ticket] = (visit, outcome)

    def holds(self, visit: str) -> bool:
        """Return whether a file of that visit waits to be asked for."""
        with self._lock:
            return any(each == visit for each, _ in self._kept.values())

    def claim(self, visit: str, data: bytes) -> SoundFile | None:
        """Return the file whose ticket *data* is, from now on the caller's; None when it is no ticket of that visit.

        Raises TranscriptionError when the file could not be received.
        """
        with self._lock:
            if data not in self._kept or self._kept[data][0] != visit:
                return None
            _, outcome = self._kept.pop(data)
        if isinstance(outcome, TranscriptionError):
            raise outcome
        return outcome

    def take_gone(self) -> tuple[SoundFile, ...]:
        """Return the files of visitors who have left."""
        with self._lock:
            gone = {ticket: outcome for ticket, (visit, outcome) in self._kept.items() if not _is_there(visit)}
            for ticket in gone:
                del self._kept[ticket]
        return tuple(outcome for outcome in gone.values() if not isinstance(outcome, TranscriptionError))


RECEIVED = ReceivedSounds()


def is_sound(name: str, suffixes: Sequence[str]) -> bool:
    """Return whether a file of that name is one to be listened to."""
    return PurePath(name).suffix.lower() in suffixes
