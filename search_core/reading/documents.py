"""Files and folders as documents, parsed in a process that is killed if a file keeps it busy."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from search_core.child_process import FileReaders
from search_core.errors import DocumentReadError
from search_core.language.dates import in_korea, read_date
from search_core.language.korean import detect_language, normalize
from search_core.language.korean.decoding import decode_text
from search_core.language.web_address import host_name, web_address
from search_core.reading.document_formats import read_markdown, read_office
from search_core.reading.html import UNWRITABLE, ParsedText, ReadPage, page_metadata, parse_html
from search_core.reading.pdf import SMALLER, read_pdf

MAX_BYTES = 100 << 20
"""Largest file; no document worth finding a passage in is larger, and a corpus belongs in several files."""
MAX_DOCUMENT_CHARS = 5_000_000
"""Longest text of a document; the rest is cut, and the user is told."""
MAX_TITLE_CHARS = 300
"""A longer title or name of a publisher is cut."""
MAX_ADDRESS_CHARS = 2_000
"""A longer address is dropped; the document is then identified by the path of its file."""
_KNOWN_UNREAD = {
    ".hwp": "한글에서 HWPX나 PDF로 저장해서 넣어 주세요.",
    ".doc": "DOCX나 PDF로 저장해서 넣어 주세요.",
    **dict.fromkeys((".ppt", ".pptx", ".xls", ".xlsx", ".odt", ".rtf", ".epub"), "PDF로 저장해서 넣어 주세요."),
    **dict.fromkeys((".srt", ".vtt", ".smi", ".ass", ".ttml"), "자막은 영상으로 열거나 텍스트(.txt)로 저장해 주세요."),
    **dict.fromkeys((".csv", ".xml", ".json", ".jsonl", ".ndjson"), "텍스트(.txt)로 저장해서 넣어 주세요."),
}
"""Advice for documents of unsupported types, by file ending; other files (pictures, programs) are skipped silently."""
_SUPPORTED = "txt, md, html, pdf, hwpx, docx"
LIMIT_S = 10.0
"""Most seconds of processor time for a file; not by the clock, so that a busy machine can read the same files."""
PDF_LIMIT_S = 60.0
"""Most seconds of processor time for a PDF file, of which pypdf reads some fifty pages a second; ``read_pdf`` stops earlier."""
CLOCK_LIMIT_S = 300.0
"""Seconds by the clock for a file, whatever else the machine does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(ReadPage):
    """The title, text and metadata read from a file; blank lines separate the paragraphs.

    Its ``url`` is the address it states, or ``library:`` with its path below the given folder, which stays the same.
    """

    source: str = ""
    """The publisher; empty if unknown."""
    cut: str = ""
    """A Korean sentence that says what was left out; empty if the whole file was read."""
    path: Path | None = None
    """The file it was read from."""


class FoundFile(NamedTuple):
    """A file found below a given path."""

    path: Path
    address: str
    """``library:`` and its path below the given folder, with ``/`` between the names."""


def find_files(path: Path) -> Iterator[FoundFile]:
    """Yield the files at or below *path* that may be documents, sorted, without hidden ones.

    In folders, files of types that are no documents (pictures, programs) and links that lead out are passed over too. Raises
    DocumentReadError when there is nothing at *path*.
    """
    place = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() would follow links and so change the address
    if place.is_dir():
        yield from _walk(place)
    elif place.is_file():
        yield FoundFile(place, f"library:{normalize(place.name)}")
    else:
        raise DocumentReadError(
            f"There is no file or folder {path}.", korean="파일이나 폴더를 찾지 못했어요. 경로를 확인해 주세요."
        )


def _walk(folder: Path) -> Iterator[FoundFile]:
    within = folder.resolve()
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            leads_out = path.is_symlink() and not path.resolve().is_relative_to(within)
            if not name.startswith(".") and path.suffix.lower() in _WALKED and path.is_file() and not leads_out:
                yield FoundFile(path, f"library:{normalize(folder.name)}/{normalize(path.relative_to(folder).as_posix())}")


def parse_document(file: FoundFile) -> Document:
    """Return the document in *file*, read in this process.

    Raises DocumentReadError when the file is missing, empty, too large, locked, or not what its name says.
    """
    path = file.path
    data, suffix = _bytes(path), path.suffix.lower()
    if suffix not in _READERS:
        raise DocumentReadError(
            f"Files of type {path.suffix or 'without suffix'} are not read.",
            korean=f"이 형식은 아직 읽지 못해요. {_KNOWN_UNREAD.get(suffix, f'{_SUPPORTED} 파일을 넣어 주세요.')}",
        )
    try:
        return _document(file, _READERS[suffix](data))
    except ValueError as error:
        raise DocumentReadError(
            f"{path.name} could not be read: {error}",
            korean="파일 내용을 읽지 못했어요. 파일이 손상되지 않았는지, 확장자가 내용과 맞는지 확인해 주세요.",
        ) from error


def _bytes(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise DocumentReadError(
                f"{path.name} is larger than {MAX_BYTES >> 20} MB.", korean="파일이 너무 커요. 100MB보다 작게 나눠 주세요."
            )
        data = path.read_bytes()
    except OSError as error:
        raise DocumentReadError(
            f"{path.name} could not be opened: {error}", korean="파일을 열지 못했어요. 읽기 권한을 확인해 주세요."
        ) from error
    if not data.strip():
        raise DocumentReadError(f"{path.name} is empty.", korean="빈 파일이에요.")
    return data


def _document(file: FoundFile, parsed: ParsedText) -> Document:
    """Return a document; if *parsed* lacks them, its title comes from the file name and its language from the text."""
    whole = normalize(parsed.text).strip()
    text = whole[:MAX_DOCUMENT_CHARS]
    if not text:
        raise ValueError("no text")
    title = normalize(" ".join(parsed.title.split())) or normalize(file.path.stem)
    language = parsed.language or detect_language(f"{title} {text[:2000]}")
    omission = parsed.cut
    if len(whole) > MAX_DOCUMENT_CHARS:
        omission = f"{omission} {len(whole):,}자 가운데 앞의 {MAX_DOCUMENT_CHARS:,}자만 읽었어요.".strip()
    return Document(
        title=title[:MAX_TITLE_CHARS],
        text=text,
        url=parsed.url if len(parsed.url) <= MAX_ADDRESS_CHARS and web_address(parsed.url) else file.address,
        source=normalize(parsed.source)[:MAX_TITLE_CHARS],
        published=in_korea(read_date(parsed.published), language, host_name(parsed.url)),
        language=language,
        cut=omission,
        path=file.path,
    )


def _decode(data: bytes) -> str:
    if data.startswith(b"%PDF-"):
        raise ValueError("a PDF file under another name")
    return decode_text(data)[0]


def _read_html(data: bytes) -> ParsedText:
    from search_core.reading.webpage import find_text  # its libraries take a second to import

    root = parse_html(UNWRITABLE.sub("", _decode(data)))
    facts = page_metadata(root)
    _, text = find_text(root, "", set())
    paragraphs = "\n\n".join(filter(None, text.split("\n")))
    if not paragraphs:
        raise DocumentReadError(
            "The page holds no text.",
            korean="웹페이지 파일에 본문이 없어요. 스크립트가 본문을 그리는 페이지라면 브라우저에서 복사해 .txt로 저장해 주세요.",
        )
    return facts._replace(text=paragraphs, language=facts.language if len(facts.language) == 2 else "")


_READERS: dict[str, Callable[[bytes], ParsedText]] = {
    ".pdf": read_pdf,
    ".hwpx": lambda data: read_office(data, "Contents/section", "Contents/content.hpf", "HWPX"),
    ".docx": lambda data: read_office(data, "word/document", "docProps/core.xml", "DOCX"),
    **dict.fromkeys((".txt", ".text"), lambda data: ParsedText(_decode(data))),
    **dict.fromkeys((".md", ".markdown"), lambda data: read_markdown(_decode(data))),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _read_html),
}
"""Readers by file ending; they raise ValueError if a file's content does not fit its ending."""
_WALKED = _READERS.keys() | _KNOWN_UNREAD.keys()


def read_document(file: FoundFile, *, limit_s: float | None = None) -> Document:
    """Return the document in *file*, within *limit_s* processor seconds; None for the default of its kind.

    Raises DocumentReadError when the file is missing, empty, too large, locked, not what its name says, or takes too long.
    """
    limit_s = limit_s or (PDF_LIMIT_S if file.path.suffix.lower() == ".pdf" else LIMIT_S)
    answer = _FILES.ask(file.path.name, {"path": str(file.path), "address": file.address}, cpu_s=limit_s)
    published = datetime.fromisoformat(answer["published"]) if answer["published"] else None
    return Document(**answer | {"published": published, "path": file.path})


_FILES = FileReaders(
    "search_core.reading.documents:serve_documents",
    DocumentReadError,
    size=1,
    clock_s=CLOCK_LIMIT_S,
    smaller=SMALLER,
    unreadable="파일 내용을 읽지 못했어요. 파일이 손상되지 않았는지 확인해 주세요.",
)


def serve_documents() -> None:
    """Parse documents, given by ``path`` and library ``address``, in this process until the input ends."""
    _FILES.serve(_answer, memory_bytes=2 << 30, idle_s=60.0)


def _answer(request: dict[str, Any], _: bytes) -> dict[str, Any]:
    document = parse_document(FoundFile(Path(request["path"]), request["address"]))
    return asdict(document) | {"published": document.published.isoformat() if document.published else "", "path": ""}
