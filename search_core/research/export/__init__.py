"""A run as a file to take away: Markdown, HTML, PDF or DOCX, citations intact; nothing in it runs, loads or escapes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

from search_core.domain import ResearchRun
from search_core.presenting import ExportFile
from search_core.presenting.export import file_name
from search_core.research.export.contents import build_document
from search_core.research.export.document import Document, Heading
from search_core.research.export.html import html_file
from search_core.research.export.markdown import markdown_file

DEEPEST = 6
"""Of the levels of headings that Markdown has."""
ResearchFormat = Literal["markdown", "html", "pdf", "docx"]

_KINDS = {
    "markdown": ("md", "text/markdown"),
    "html": ("html", "text/html"),
    "pdf": ("pdf", "application/pdf"),
    "docx": ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
}


def export_run(run: ResearchRun, format_name: ResearchFormat) -> ExportFile:
    """Return *run* as a file, whole or as far as it has come; a PDF takes some seconds the first time."""
    ending, mime = _KINDS[format_name]
    name = file_name(run.request.question, run.created_at, ending)
    return ExportFile(name=name, mime=mime, data=_write(build_document(run), format_name, run.created_at))


def markdown_section(run: ResearchRun, level: int) -> str:
    """Return *run* as a part of a larger Markdown file: without its title, its headings from *level* on."""
    title, *blocks = build_document(run).blocks
    assert isinstance(title, Heading)
    deeper = level - title.level - 1
    moved = tuple(replace(b, level=min(DEEPEST, b.level + deeper)) if isinstance(b, Heading) else b for b in blocks)
    return markdown_file(Document(title="", blocks=moved)).decode("utf-8").rstrip("\n")


def _write(document: Document, format_name: ResearchFormat, created: datetime) -> bytes:
    """Return *document* as a file of one kind; the large libraries are loaded when they are first asked for."""
    match format_name:
        case "markdown":
            return markdown_file(document)
        case "html":
            return html_file(document)
        case "pdf":
            from search_core.research.export.pdf import pdf_file

            return pdf_file(document, created)
        case "docx":
            from search_core.research.export.docx import docx_file

            return docx_file(document, created)
