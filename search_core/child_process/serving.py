"""The other side of ``pool``: a process that answers requests until its input ends, which it does when its parent dies.

A request is a line of JSON with ``bytes``, and so many bytes, ``cpu_s`` being the processor time it may
take; the answer is a line of JSON.
"""

from __future__ import annotations

import json
import logging
import math
import os
import select
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from search_core.errors import MaekrakError

logger = logging.getLogger(__name__)

Answer = Callable[[dict[str, Any], bytes], dict[str, Any]]


def serve(
    answer: Answer,
    *,
    memory_bytes: int | None,
    idle_s: float | None = None,
    tell: Callable[[Exception], dict[str, Any]] | None = None,
) -> None:
    """Answer requests by *answer* until the input ends, or until no request has come for *idle_s* seconds.

    *memory_bytes* bounds the address space, where the system knows how; None leaves it, for models of the operator's choice. What
    *answer* raises ends the process, or is answered by what *tell* says of it.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among the answers
    _bound(memory_bytes)
    _send(answers, {"ready": True})
    requests = sys.stdin.buffer
    while _is_asked(requests, idle_s) and (line := requests.readline()):
        head = json.loads(line)
        data = requests.read(head["bytes"])
        if len(data) < head["bytes"]:
            return
        _bound_time(head.pop("cpu_s", None))
        try:
            said = answer(head, data)
        except Exception as error:
            if tell is None:
                raise
            said = tell(error)
        _send(answers, said)


def serve_files(answer: Answer, *, memory_bytes: int, idle_s: float, too_large: str, unreadable: str) -> None:
    """Serve as ``serve`` does, what *answer* raises told as ``failed`` and ``korean``.

    *too_large* is Korean advice for a file that needs more memory, *unreadable* the sentence for one that fails unexpectedly.
    """

    def tell(error: Exception) -> dict[str, Any]:
        if isinstance(error, MaekrakError):
            return {"failed": str(error), "korean": error.korean}
        if isinstance(error, MemoryError):
            gib = memory_bytes >> 30
            korean = f"파일을 읽으려면 메모리가 {gib}GB 넘게 필요해요. {too_large}"
            return {"failed": f"The file needs more than {gib} GiB of memory.", "korean": korean}
        logger.error("A file could not be read", exc_info=error)
        return {"failed": f"The file could not be read ({type(error).__name__}).", "korean": unreadable}

    serve(answer, memory_bytes=memory_bytes, idle_s=idle_s, tell=tell)


def _is_asked(requests: BinaryIO, idle_s: float | None) -> bool:
    if idle_s is None or sys.platform == "win32":  # there, pipes cannot be waited for
        return True
    return bool(select.select([requests], [], [], idle_s)[0])


def _send(answers: BinaryIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
    answers.flush()


def _bound_time(cpu_s: float | None) -> None:
    """Let the system end this process when it has used *cpu_s* seconds of a processor more; None lets it use any number."""
    if sys.platform != "win32":
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        most = resource.RLIM_INFINITY if cpu_s is None else math.ceil(used.ru_utime + used.ru_stime + cpu_s)
        resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _bound(memory_bytes: int | None) -> None:
    if sys.platform != "win32":
        import resource

        if memory_bytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
