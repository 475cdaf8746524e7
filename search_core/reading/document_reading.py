"""Documents that users put into the library, parsed in a process that is ended when a file keeps it busy."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from search_core.child_process.pool import ChildError, ChildFailure, ChildPool, python_module
from search_core.errors import DocumentReadError
from search_core.reading.document import Document
from search_core.reading.documents import FoundFile

LIMIT_S = 10.0
"""Of a processor, so that a busy machine refuses no file that a quiet one reads."""
PDF_LIMIT_S = 60.0
"""pypdf reads some fifty pages a second, and books are documents; before it is over, ``pdf`` ends with the pages it has."""
CLOCK_LIMIT_S = 300.0
"""By the clock, whatever else the machine does."""


def read_documents(file: FoundFile, *, limit_s: float | None = None) -> tuple[Document, ...]:
    """Return the documents in *file*, which may take *limit_s* seconds of a processor; None takes the limit of its kind.

    Raises DocumentReadError when the file is missing, empty, too large, locked, not what its name says, or takes too long.
    """
    limit_s = limit_s or (PDF_LIMIT_S if file.path.suffix.lower() == ".pdf" else LIMIT_S)
    try:
        answer = _children().ask({"path": str(file.path), "address": file.address}, b"", limit_s=CLOCK_LIMIT_S, cpu_s=limit_s)
    except ChildError as error:
        raise _failure(file.path, error.kind, limit_s) from error
    if "failed" in answer:
        raise DocumentReadError(answer["failed"], korean=answer["korean"])
    return tuple(_document(fields, file.path) for fields in answer["documents"])


def _document(fields: dict[str, Any], path: Path) -> Document:
    moment = fields["published"]
    return Document(**{**fields, "published": datetime.fromisoformat(moment) if moment else None, "path": path})


@lru_cache(maxsize=1)
def _children() -> ChildPool:
    return ChildPool(python_module("search_core.reading.document_worker"), size=1)


def _failure(path: Path, kind: ChildFailure, limit_s: float) -> DocumentReadError:
    if kind in (ChildFailure.SPENT, ChildFailure.LATE):
        seconds = limit_s if kind is ChildFailure.SPENT else CLOCK_LIMIT_S
        return DocumentReadError(
            f"{path.name} took more than {seconds:g} s to read.",
            korean=f"파일을 읽는 데 {seconds:g}초가 넘게 걸려서 그만뒀어요. 작은 파일로 나눠 주세요.",
        )
    if kind is ChildFailure.NOT_STARTED:
        return DocumentReadError(
            "The program that reads documents did not start.",
            korean="파일을 읽는 프로그램이 시작되지 않았어요. 잠시 뒤에 다시 해 주세요.",
        )
    return DocumentReadError(
        f"{path.name} broke the program that reads documents.",
        korean="파일 내용을 읽다가 멈췄어요. 파일이 손상되지 않았는지 확인해 주세요.",
    )
