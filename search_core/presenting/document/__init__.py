"""Documents as files to take away, citations intact; nothing in them runs, loads or escapes, whatever strangers wrote."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from search_core.presenting.document.blocks import Document
from search_core.presenting.document.html import html_file
from search_core.presenting.document.markdown import markdown_file

DocumentFormat = Literal["markdown", "html", "pdf", "docx"]


def document_file(document: Document, format_name: DocumentFormat, created: datetime) -> bytes:
    """Return *document* as a file; a PDF takes some seconds the first time, when the large libraries are loaded."""
    match format_name:
        case "markdown":
            return markdown_file(document)
        case "html":
            return html_file(document)
        case "pdf":
            from search_core.presenting.document.pdf import pdf_file

            return pdf_file(document, created)
        case "docx":
            from search_core.presenting.document.docx import docx_file

            return docx_file(document, created)
