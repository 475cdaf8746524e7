"""Taking the results away as a file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts import labels, services
from search_core.domain import SearchReport

if TYPE_CHECKING:
    from search_core.presenting import ExportFormat

FORMATS: tuple[tuple[ExportFormat, str, str], ...] = (
    ("markdown", "text/markdown", "md"),
    ("csv", "text/csv", "csv"),
    ("json", "application/json", "json"),
)


def menu(report: SearchReport | None) -> None:
    """Draw the menu; a file is made only when it is asked for."""
    with st.popover(labels.EXPORT, icon=":material/download:", disabled=report is None, width="stretch", key="export"):
        if report is None:
            return
        stamp = report.created_at.strftime("%Y%m%d-%H%M") if report.created_at else "search"
        for name, mime, ending in FORMATS:
            st.download_button(
                labels.EXPORTS[name],
                data=partial(_data, report, name),
                file_name=f"maekrak-{stamp}.{ending}",
                mime=mime,
                key=f"export-{name}",
                on_click="ignore",
                width="stretch",
            )


def _data(report: SearchReport, name: ExportFormat) -> bytes:
    data = services.core().export(report, name).data
    return data.encode() if isinstance(data, str) else data
