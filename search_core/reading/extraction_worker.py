"""The process that reads web pages: ``python -m search_core.reading.extraction_worker``.

Some markup keeps a parser busy for minutes, and neither a thread nor a timeout of the loop can stop it; a process can be killed.
Importing the readers takes a while, too, and happens here alone. A request is a line of JSON, ``{"url", "type", "bytes"}``, and
so many bytes; the answer is a line of JSON. The process ends when its input ends, which is what happens when its parent dies.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any, BinaryIO

from search_core.errors import PageFailure, PageReadError
from search_core.reading.webpage import read_webpage

_MEMORY_BYTES = 2 << 30
"""Address space; libraries and a large page take a fifth."""

logger = logging.getLogger(__name__)


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever a library prints must not land among the answers
    for name in ("trafilatura", "htmldate", "readability"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they write down pieces of pages
    _bound()
    _tell(answers, {"ready": True})
    requests = sys.stdin.buffer
    while line := requests.readline():
        request = json.loads(line)
        data = requests.read(request["bytes"])
        if len(data) < request["bytes"]:
            return
        _tell(answers, _answer(data, request))


def _answer(data: bytes, request: dict[str, Any]) -> dict[str, Any]:
    try:
        page = read_webpage(data, request["url"], request["type"])
    except PageReadError as error:
        return {"failed": error.kind.value, "message": str(error)}
    except Exception as error:  # noqa: BLE001 - one odd page must not cost the process; the parent raises what is told here
        logger.warning("A page could not be read: %s", type(error).__name__)
        return {"failed": PageFailure.UNREADABLE.value, "message": f"The page could not be read ({type(error).__name__})."}
    return {**page._asdict(), "published": page.published.isoformat() if page.published else ""}


def _tell(answers: BinaryIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer).encode() + b"\n")
    answers.flush()


def _bound() -> None:
    """Bound what one page can take of the machine, where the system knows how."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
