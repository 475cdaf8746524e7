"""The process that parses documents for the library: ``python -m search_core.reading.document_worker``.

A request names the ``path`` of the file and its ``address`` in the library.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from search_core.child_process.serving import serve
from search_core.errors import DocumentReadError
from search_core.reading.document import Document
from search_core.reading.documents import FoundFile, parse_documents

_MEMORY_BYTES = 2 << 30
_IDLE_S = 60.0

logger = logging.getLogger(__name__)


def main() -> None:
    """Answer requests until the input ends."""
    serve(_answer, memory_bytes=_MEMORY_BYTES, idle_s=_IDLE_S)


def _answer(request: dict[str, Any], _: bytes) -> dict[str, Any]:
    path = Path(request["path"])
    try:
        return {"documents": [_fields(one) for one in parse_documents(FoundFile(path, request["address"]))]}
    except DocumentReadError as error:
        return {"failed": str(error), "korean": error.korean}
    except MemoryError:
        return {
            "failed": f"{path.name} needs more than {_MEMORY_BYTES >> 30} GiB of memory.",
            "korean": f"파일을 읽으려면 메모리가 {_MEMORY_BYTES >> 30}GB 넘게 필요해요. 작은 파일로 나눠 주세요.",
        }
    except Exception as error:
        logger.exception("A document could not be read")
        return {
            "failed": f"{path.name} could not be read ({type(error).__name__}).",
            "korean": "파일 내용을 읽지 못했어요. 파일이 손상되지 않았는지 확인해 주세요.",
        }


def _fields(document: Document) -> dict[str, Any]:
    return {
        "title": document.title,
        "text": document.text,
        "url": document.url,
        "source": document.source,
        "published": document.published.isoformat() if document.published else "",
        "language": document.language,
    }


if __name__ == "__main__":
    main()
