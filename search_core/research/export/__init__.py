"""A run as a file to take away: Markdown, HTML, PDF or DOCX, citations intact; nothing in it runs, loads or escapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from search_core.domain import ResearchRun
from search_core.presenting import ExportFile
from search_core.presenting.export import file_name
from search_core.research.export.contents import build_document
from search_core.research.export.document import Document

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
    return ExportFile(name=name, mime=mime, data=_writer(format_name, run)(build_document(run)))


def _writer(format_name: ResearchFormat, run: ResearchRun) -> Callable[[Document], bytes]:
    """Return what writes files of one kind; the libraries are loaded when they are first asked for."""
    match format_name:
        case "markdown":
            from search_core.research.export.markdown import markdown_file

            return markdown_file
        case "html":
            from search_core.research.export.html import html_file

            return html_file
        case "pdf":
            from search_core.research.export.pdf import pdf_file

            return lambda content: pdf_file(content, run.created_at)
        case "docx":
            from search_core.research.export.docx import docx_file

            return lambda content: docx_file(content, run.created_at)
