"""A check of a video's claims as a file to take away; nothing in it runs, loads or escapes, whatever strangers wrote."""

from __future__ import annotations

from typing import Literal

from search_core.claims.export.contents import build_document, title_of
from search_core.claims.export.table import csv_file
from search_core.claims.export.values import json_file
from search_core.domain import ClaimsRun
from search_core.presenting import ExportFile
from search_core.presenting.document import DocumentFormat, document_file
from search_core.presenting.export import file_name

ClaimsFormat = DocumentFormat | Literal["csv", "json"]


def export_claims(run: ClaimsRun, format_name: ClaimsFormat) -> ExportFile:
    """Return *run* as a file, whole or as far as it has come; a PDF takes some seconds the first time."""
    title = title_of(run)
    match format_name:
        case "csv":
            return ExportFile(name=file_name(title, run.created_at, "csv"), mime="text/csv", data=csv_file(run))
        case "json":
            return ExportFile(name=file_name(title, run.created_at, "json"), mime="application/json", data=json_file(run))
        case _:
            return document_file(build_document(run), format_name, title, run.created_at)
