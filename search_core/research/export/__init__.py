"""A run as a file to take away: Markdown, HTML, PDF or DOCX, citations intact; nothing in it runs, loads or escapes."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain import ResearchRun
from search_core.presenting import ExportFile
from search_core.presenting.document import DocumentFormat, document_file
from search_core.presenting.document.blocks import Document, Heading
from search_core.presenting.document.markdown import markdown_file
from search_core.research.export.contents import build_document

DEEPEST = 6
"""Of the levels of headings that Markdown has."""
ResearchFormat = DocumentFormat


def export_run(run: ResearchRun, format_name: ResearchFormat) -> ExportFile:
    """Return *run* as a file, whole or as far as it has come; a PDF takes some seconds the first time."""
    return document_file(build_document(run), format_name, run.request.question, run.created_at)


def markdown_section(run: ResearchRun, level: int) -> str:
    """Return *run* as a part of a larger Markdown file: without its title, its headings from *level* on."""
    title, *blocks = build_document(run).blocks
    assert isinstance(title, Heading)
    deeper = level - title.level - 1
    moved = tuple(replace(b, level=min(DEEPEST, b.level + deeper)) if isinstance(b, Heading) else b for b in blocks)
    return markdown_file(Document(title="", blocks=moved)).decode("utf-8").rstrip("\n")
