"""Child processes that parse strangers' bytes or hold something heavy, and are killed when they take too long.

Neither a thread nor a timeout of the loop can stop a parser, but a process can be killed. ``ChildPool`` sends requests; ``serve``
answers them in the child until its input ends, as it does if the parent dies. A request is a line of JSON, followed by as many
bytes as its ``bytes`` says; its ``cpu_s`` limits the processor time. The answer is a line of JSON, never pickle.
"""

from __future__ import annotations

import json
import logging
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from search_core.errors import MaekrakError

START_S = 60.0
"""Time limit for the start of a process, on a busy machine."""
_ROOT = Path(__file__).resolve().parents[1]
_GOODBYE_S = 2.0
"""Time limit for a killed process to end; one that takes longer is abandoned."""
_CPU_SIGNAL = getattr(signal, "SIGXCPU", 0)
"""Ends a process past its processor time; Windows has none."""

logger = logging.getLogger(__name__)

Answer = Callable[[dict[str, Any], bytes], dict[str, Any]]


class ChildFailure(StrEnum):
    """Names why a process gave no answer."""

    LATE = "late"
    SPENT = "spent"
    """The process used up the processor time of the request."""
    DIED = "died"
    NOT_STARTED = "not_started"
    BUSY = "busy"
    """All processes were busy with other requests for as long as the caller would wait."""
    CANCELLED = "cancelled"
    """The pool was closed."""


class ChildError(Exception):
    """Says by its ``kind`` why a process gave no answer."""

    def __init__(self, kind: ChildFailure) -> None:
        super().__init__(f"The child process gave no answer: {kind.value}.")
        self.kind = kind


class ChildPool:
    """Asks at most *size* processes of one kind; thread-safe.

    A process is started when the first request needs it, and again after one that was killed or has ended without requests.
    """

    def __init__(self, command: Sequence[str], *, size: int) -> None:
        self._children = [_Child(command) for _ in range(size)]
        self._idle: queue.LifoQueue[_Child] = queue.LifoQueue()  # the one that is warm goes first
        for child in self._children:
            self._idle.put(child)
        weakref.finalize(self, _close, self._children)  # at the latest when the pool is no longer referenced

    def ask(
        self,
        head: Mapping[str, Any],
        data: bytes,
        *,
        limit_s: float,
        cpu_s: float | None = None,
        wait_s: float | None = None,
    ) -> dict[str, Any]:
        """Return the answer to *head* and *data*; blocks, so call it from a thread.

        The process may take *limit_s* seconds and, where the system counts those, *cpu_s* processor seconds. *wait_s* limits the
        wait for a free process. Raises ChildError.
        """
        with self._borrow(wait_s) as child:
            return child.ask({**head, "cpu_s": cpu_s}, data, limit_s)

    def get_ready(self) -> None:
        """Start the processes that are not running, in parallel; blocks. Raises ChildError."""
        with ThreadPoolExecutor(len(self._children)) as threads:
            list(threads.map(lambda _: self._start_one(), self._children))

    def _start_one(self) -> None:
        with self._borrow(None) as child:
            child.start()

    def close(self) -> None:
        """End the processes, even during a request; later requests are cancelled."""
        _close(self._children)

    def wait_for_end(self) -> None:
        """Wait until the current processes have ended."""
        for process in [child.process for child in self._children]:
            if process is not None:
                process.wait()

    @contextmanager
    def _borrow(self, wait_s: float | None) -> Iterator[_Child]:
        try:
            child = self._idle.get(timeout=wait_s)
        except queue.Empty:
            raise ChildError(ChildFailure.BUSY) from None
        try:
            yield child
        finally:
            self._idle.put(child)


def python_call(place: str, *arguments: str) -> list[str]:
    """Return the command that calls the function *place* (``module:name``) in another interpreter like this one."""
    module, _, name = place.partition(":")
    return [sys.executable, "-c", f"import sys; from {module} import {name}; {name}(*sys.argv[1:])", *arguments]


class _Child:
    """Owns one process; used by one thread at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._lock = threading.Lock()
        self._closed = False
        self.process: subprocess.Popen[bytes] | None = None
        """The process, dead or alive; None before the first and after the last."""

    def ask(self, head: Mapping[str, Any], data: bytes, limit_s: float) -> dict[str, Any]:
        """Return the process's answer; raises ChildError if it dies, is late or is closed."""
        request = json.dumps({**head, "bytes": len(data)}).encode() + b"\n" + data
        for _ in range(2):  # the process may have ended by itself just before the request
            with suppress(_RetiredError):
                return self._exchange(request, limit_s)
        raise ChildError(ChildFailure.DIED)

    def _exchange(self, request: bytes, limit_s: float) -> dict[str, object]:
        process = self.start()
        with _kill_after(process, limit_s) as late:
            line = _send(process, request)
        if not line:
            self.end()
            if late.is_set():
                raise ChildError(ChildFailure.LATE)
            if self._closed:
                raise ChildError(ChildFailure.CANCELLED)
            if process.returncode == -_CPU_SIGNAL:
                raise ChildError(ChildFailure.SPENT)
            if process.returncode == 0:
                raise _RetiredError
            logger.warning("A process died on a request with code %s: %s", process.returncode, self._command[2:])
            raise ChildError(ChildFailure.DIED)
        try:
            answer: dict[str, object] = orjson.loads(line)
        except ValueError:
            self.end()
            raise ChildError(ChildFailure.DIED) from None
        return answer

    def start(self) -> subprocess.Popen[bytes]:
        """Return the process, starting it if necessary; raises ChildError if that fails."""
        if self.process is not None and self.process.poll() is None:
            return self.process
        self.end()
        process = self._launch()
        with _kill_after(process, START_S):
            line = _send(process, b"")
        if not line:
            self.end()
            if self._closed:
                raise ChildError(ChildFailure.CANCELLED)
            logger.error("A process did not start, code %s: %s", process.returncode, self._command[2:])
            raise ChildError(ChildFailure.NOT_STARTED)
        return process

    def _launch(self) -> subprocess.Popen[bytes]:
        from search_core.settings import Settings  # the other side of this module needs none, and is up a third sooner

        with self._lock:
            if self._closed:
                raise ChildError(ChildFailure.CANCELLED)
            self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
                # The process that reads strangers' bytes gets none of our keys.
                env={name: value for name, value in os.environ.items() if name.lower() not in Settings.model_fields},
            )
            return self.process

    def close(self) -> None:
        """End the process, and start no other."""
        self._closed = True
        self.end()

    def end(self) -> None:
        """End the process."""
        with self._lock:  # whoever comes second waits until it is gone
            process, self.process = self.process, None
            if process is None:
                return
            process.kill()
            try:
                process.wait(_GOODBYE_S)
            except subprocess.TimeoutExpired:
                logger.warning("A process is not gone %g s after it was killed: %s", _GOODBYE_S, self._command[2:])
                return
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):  # the process is dead and its pipe already closed
                    pipe.close()


class _RetiredError(Exception):
    """Says that a process ended by itself after a long idle time."""


def _close(children: Sequence[_Child]) -> None:
    for child in children:
        child.close()


@contextmanager
def _kill_after(process: subprocess.Popen[bytes], limit_s: float) -> Iterator[threading.Event]:
    """Kill *process* if the block takes longer than *limit_s*; yield an event that is set then."""
    late = threading.Event()

    def kill() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(limit_s, kill)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _send(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """Send *request* and return the answer line; empty if the process is gone."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(request)
        process.stdin.flush()
        line = process.stdout.readline()
    except (OSError, ValueError):  # ValueError: closed while we waited
        return b""
    return line if line.endswith(b"\n") else b""


def serve(
    answer: Answer,
    *,
    memory_bytes: int | None,
    idle_s: float | None = None,
    tell: Callable[[Exception], dict[str, Any]] | None = None,
) -> None:
    """Answer requests with *answer* until the input ends or *idle_s* seconds pass without one.

    *memory_bytes* limits the address space where the system can; None sets no limit, for models of the operator's choice. An
    exception of *answer* ends the process, unless *tell* turns it into an answer.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among the answers
    _bound(memory_bytes)
    requests: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests,), daemon=True).start()
    _answer_line(answers, {"ready": True})
    while True:
        try:
            head, data = requests.get(timeout=idle_s)
        except queue.Empty:
            os._exit(0)  # the other thread waits for input, and would be in the way of an orderly end
        _bound_time(head.pop("cpu_s", None))
        try:
            reply = answer(head, data)
        except Exception as error:
            if tell is None:
                raise
            reply = tell(error)
        _answer_line(answers, reply)


def answer_in_steps(begin: Callable[[dict[str, Any]], Iterator[dict[str, Any]]]) -> Answer:
    """Return a function that answers a request by the first step of *begin*, and each empty request after it by the next step."""
    steps: Iterator[dict[str, Any]] = iter(())

    def answer(request: dict[str, Any], _: bytes) -> dict[str, Any]:
        nonlocal steps
        if request:
            steps = begin(request)
        return next(steps)

    return answer


def _receive(requests: queue.SimpleQueue[tuple[dict[str, object], bytes]]) -> None:
    """Forward requests; end the process as soon as the parent is gone, even during an answer."""
    source = os.fdopen(os.dup(sys.stdin.fileno()), "rb")  # not the one that the end of an interpreter would wait for
    while line := source.readline():
        head = json.loads(line)
        size = head.pop("bytes")
        data = source.read(size)
        if len(data) < size:
            break
        requests.put((head, data))
    os._exit(0)


class FileReaders:
    """Processes that read untrusted files by the function *place*; failures are raised as *kind* with Korean advice.

    *smaller* is the advice for a file that takes too long or too much memory, *unreadable* for a file that crashes its reader.
    """

    def __init__(
        self, place: str, kind: Callable[..., MaekrakError], *, size: int, clock_s: float, smaller: str, unreadable: str
    ) -> None:
        self._pool, self._kind = ChildPool(python_call(place), size=size), kind
        self._clock_s, self._smaller, self._unreadable = clock_s, smaller, unreadable

    def ask(
        self, name: str, head: Mapping[str, Any], data: bytes = b"", *, cpu_s: float, wait_s: float | None = None
    ) -> dict[str, Any]:
        """Return the answer about the file called *name*, as ``ChildPool.ask`` does; raises an error of the kind."""
        try:
            answer = self._pool.ask(head, data, limit_s=self._clock_s, cpu_s=cpu_s, wait_s=wait_s)
        except ChildError as error:
            seconds = {ChildFailure.SPENT: cpu_s, ChildFailure.LATE: self._clock_s}.get(error.kind)
            raise self._failure(name, error.kind, seconds) from error
        if "failed" in answer:
            raise self._kind(answer["failed"], korean=answer["korean"])
        return answer

    def _failure(self, name: str, kind: ChildFailure, seconds: float | None) -> MaekrakError:
        if seconds is not None:
            korean = f"파일을 읽는 데 {seconds:g}초가 넘게 걸려서 그만뒀어요. {self._smaller}"
            return self._kind(f"{name} took more than {seconds:g} s to read.", korean=korean)
        if kind is ChildFailure.DIED:
            return self._kind(f"{name} broke the program that reads files.", korean=self._unreadable)
        return self._kind(f"{name} was not read ({kind.value}).", korean="지금은 파일을 읽지 못해요. 잠시 뒤에 다시 해 주세요.")

    def serve(self, answer: Answer, *, memory_bytes: int, idle_s: float) -> None:
        """Serve like ``serve``, with errors of *answer* sent as ``failed`` and ``korean``."""

        def tell(error: Exception) -> dict[str, object]:
            if isinstance(error, MaekrakError):
                return {"failed": str(error), "korean": error.korean}
            if isinstance(error, MemoryError):
                gib = memory_bytes >> 30
                korean = f"파일을 읽으려면 메모리가 {gib}GB 넘게 필요해요. {self._smaller}"
                return {"failed": f"The file needs more than {gib} GiB of memory.", "korean": korean}
            logger.error("A file could not be read", exc_info=error)
            return {"failed": f"The file could not be read ({type(error).__name__}).", "korean": self._unreadable}

        serve(answer, memory_bytes=memory_bytes, idle_s=idle_s, tell=tell)


def _answer_line(answers: BinaryIO, answer: dict[str, object]) -> None:
    try:
        answers.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        answers.flush()
    except BrokenPipeError:  # whoever asked is gone, and so are those who would ask again
        os._exit(0)


def _bound_time(cpu_s: float | None) -> None:
    """Let the system end this process after *cpu_s* more seconds of processor time; None sets no limit."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = resource.RLIM_INFINITY if cpu_s is None else math.ceil(used.ru_utime + used.ru_stime + cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _bound(memory_bytes: int | None) -> None:
    with suppress(OSError):  # Linux alone has it: where memory runs out this process goes, and not the one with the pages
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    if sys.platform != "win32":
        import resource

        if memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
