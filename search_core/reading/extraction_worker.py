"""The process that reads web pages: ``python -m search_core.reading.extraction_worker``.

Some markup keeps a parser busy for minutes, and importing the readers takes a while; both happen in a process of its own.
A request names ``url`` and ``type``.
"""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from search_core.child_process.serving import serve
from search_core.errors import PageFailure, PageReadError
from search_core.reading.webpage import read_webpage

_MEMORY_BYTES = 2 << 30
"""Address space; libraries and a large page take a fifth."""

logger = logging.getLogger(__name__)


def main() -> None:
    """Answer requests until the input ends."""
    for name in ("trafilatura", "htmldate", "readability"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # they write down pieces of pages
    serve(_answer, memory_bytes=_MEMORY_BYTES, tell=_tell)


def _answer(request: dict[str, Any], data: bytes) -> dict[str, Any]:
    page = read_webpage(data, request["url"], request["type"])
    return {**asdict(page), "published": page.published.isoformat() if page.published else ""}


def _tell(error: Exception) -> dict[str, Any]:
    """Return what is said of a page that could not be read; one odd page does not cost the process."""
    if isinstance(error, PageReadError):
        return {"failed": error.kind.value, "message": str(error)}
    logger.warning("A page could not be read: %s", type(error).__name__)
    return {"failed": PageFailure.UNREADABLE.value, "message": f"The page could not be read ({type(error).__name__})."}


if __name__ == "__main__":
    main()
