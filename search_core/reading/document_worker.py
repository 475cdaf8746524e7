"""The process that parses documents for the library: ``python -m search_core.reading.document_worker``.

A request names the ``path`` of the file and its ``address`` in the library.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from search_core.child_process import serve_files
from search_core.reading.documents import Document, FoundFile, parse_documents


def main() -> None:
    """Answer requests until the input ends."""
    serve_files(
        _answer,
        memory_bytes=2 << 30,
        idle_s=60.0,
        too_large="작은 파일로 나눠 주세요.",
        unreadable="파일 내용을 읽지 못했어요. 파일이 손상되지 않았는지 확인해 주세요.",
    )


def _answer(request: dict[str, Any], _: bytes) -> dict[str, Any]:
    file = FoundFile(Path(request["path"]), request["address"])
    return {"documents": [_fields(document) for document in parse_documents(file)]}


def _fields(document: Document) -> dict[str, Any]:
    return asdict(document) | {"published": document.published.isoformat() if document.published else "", "path": ""}


if __name__ == "__main__":
    main()
