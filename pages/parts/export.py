"""Taking the results away as a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from pages.parts import labels, services
from search_core.domain import SearchReport
from search_core.presenting import ExportFormat
from search_core.presenting.dates import KOREA

FILES = {
    "markdown": ("text/markdown", "md"),
    "csv": ("text/csv", "csv"),
    "json": ("application/json", "json"),
    "html": ("text/html", "html"),
    "pdf": ("application/pdf", "pdf"),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
}
"""MIME type and ending of each format."""


def buttons(formats: Iterable[str], make: Callable[[str], bytes | str], *, stem: str, key: str) -> None:
    """Draw a button for each of *formats*; *make* makes a file of that format when it is asked for."""
    for name in formats:
        mime, ending = FILES[name]
        st.download_button(
            labels.FILES[name],
            data=partial(make, name),
            file_name=f"{stem}.{ending}",
            mime=mime,
            key=f"{key}-{name}",
            on_click="ignore",
            width="stretch",
        )


def menu(report: SearchReport | None) -> None:
    """Draw the menu; a file is made only when it is asked for."""
    with st.popover(labels.EXPORT, icon=":material/download:", disabled=report is None, width="stretch", key="export"):
        if report is None:
            return
        stamp = report.created_at.astimezone(KOREA).strftime("%Y%m%d-%H%M") if report.created_at else "search"
        buttons(labels.EXPORTS, partial(_data, report), stem=f"maekrak-{stamp}", key="export")


def _data(report: SearchReport, name: ExportFormat) -> bytes | str:
    return services.core().export(report, name).data
