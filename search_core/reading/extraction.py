"""Title, text and date of a web page, read in processes that are killed when a page keeps them busy."""

from __future__ import annotations

import json
import logging
import os
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from search_core.errors import PageFailure, PageReadError
from search_core.reading.page_failure import page_failure
from search_core.settings import Settings

LIMIT_S = 3.0
"""For one page; ordinary ones take a tenth of it at most."""
START_S = 60.0
"""For starting a process on a machine that is busy with other things."""
WORKERS = 2
_ROOT = Path(__file__).resolve().parents[2]
_GOODBYE_S = 2.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPage:
    """What a web page says."""

    title: str
    """Empty when it names none."""
    text: str
    """Plain text, a paragraph a line, without anything the page does not show."""
    published: datetime | None
    """With a time zone; midnight where only the day is known."""
    method: str
    """What found the text: ``trafilatura``, ``readability``, ``beautifulsoup`` or ``plain``."""
    language: str
    """ISO 639-1 code; empty when unknown."""


class PageExtractor:
    """Reads pages in at most *workers* processes; safe to use from many threads.

    A process is started when the first page needs it, and again after one that was killed.
    """

    def __init__(self, *, workers: int = WORKERS, limit_s: float = LIMIT_S, command: Sequence[str] | None = None) -> None:
        """Take the number of processes and the seconds for one page; *command* replaces the worker process."""
        worker = command or [sys.executable, "-m", "search_core.reading.extraction_worker"]
        self._workers = [_Worker(worker, limit_s) for _ in range(workers)]
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()  # the one that is warm goes first
        for one in self._workers:
            self._idle.put(one)
        weakref.finalize(self, _end, self._workers)  # at the latest when nobody has it any more

    def extract(self, data: bytes, url: str, content_type: str = "") -> ExtractedPage:
        """Return what the page in *data* says; blocks, so call it from a thread.

        *url* tells dates and links, *content_type* the character set. Raises PageReadError: BLOCKED for a page that asks for
        proof of a human, UNREADABLE for one without a text, or one that took more than the time for a page.
        """
        worker = self._idle.get()
        try:
            answer = worker.ask(data, url, content_type)
        finally:
            self._idle.put(worker)
        if "failed" in answer:
            raise page_failure(PageFailure(answer["failed"]), answer["message"])
        moment = answer.pop("published")
        return ExtractedPage(**answer, published=datetime.fromisoformat(moment) if moment else None)

    def get_ready(self) -> None:
        """Start a process for the first page, unless one runs already; blocks. What goes wrong is told by the first page."""
        worker = self._idle.get()
        try:
            worker.start()
        except PageReadError as error:
            logger.warning("Reading pages could not be got ready: %s", error)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End the processes, amid a page as well."""
        _end(self._workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Worker:
    """Owns one process; used by one thread at a time."""

    def __init__(self, command: Sequence[str], limit_s: float) -> None:
        self._command = list(command)
        self._limit_s = limit_s
        self._child: subprocess.Popen[bytes] | None = None

    def ask(self, data: bytes, url: str, content_type: str) -> dict[str, Any]:
        """Return the answer of the process; one that dies or is late counts as a page that cannot be read."""
        child = self._running()
        head = json.dumps({"url": url, "type": content_type, "bytes": len(data)}).encode() + b"\n"
        with _killing(child, self._limit_s) as late:
            line = _exchange(child, head + data)
        if not line:
            self.end()
            if late.is_set():
                raise page_failure(PageFailure.UNREADABLE, f"The page took more than {self._limit_s:g} s to read.")
            logger.warning("The process that reads pages died on a page with code %s", child.returncode)
            raise page_failure(PageFailure.UNREADABLE, "The page broke the program that reads pages.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """End the process."""
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait(_GOODBYE_S)
            for pipe in (child.stdin, child.stdout):
                _close(pipe)

    def start(self) -> None:
        """Start the process unless it runs; raises PageReadError when it does not start."""
        self._running()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self.end()
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            # What reads strangers' pages is not told our keys.
            env={name: value for name, value in os.environ.items() if name.lower() not in Settings.model_fields},
        )
        self._child = child
        with _killing(child, START_S):
            line = _exchange(child, b"")
        if not line:
            self.end()
            logger.error("The process that reads pages did not start: code %s", child.returncode)
            raise page_failure(PageFailure.UNREADABLE, "The program that reads pages did not start.")
        return child


def _end(workers: Sequence[_Worker]) -> None:
    for worker in workers:
        worker.end()


@contextmanager
def _killing(child: subprocess.Popen[bytes], limit_s: float) -> Iterator[threading.Event]:
    """Kill *child* when the block takes longer than *limit_s*; yields an event that says so."""
    late = threading.Event()

    def kill() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(limit_s, kill)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _exchange(child: subprocess.Popen[bytes], request: bytes) -> bytes:
    """Send *request* and return the line that comes back; empty when the other side is gone."""
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        child.stdin.write(request)
        child.stdin.flush()
        line = child.stdout.readline()
    except (OSError, ValueError):  # ValueError: closed while we waited
        return b""
    return line if line.endswith(b"\n") else b""


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        logger.debug("A pipe of a dead process was closed already")
