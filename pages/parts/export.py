"""Downloads of results, conversations and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from search_core.presenting.dates import KOREA

FILES = {
    "markdown": ("문서 (Markdown)", "text/markdown", "md"),
    "csv": ("표 (CSV)", "text/csv", "csv"),
    "json": ("데이터 (JSON)", "application/json", "json"),
    "html": ("웹 문서 (HTML)", "text/html", "html"),
}
"""Name, MIME type and ending of each format."""
EXPORT = "내보내기"


def buttons(formats: Iterable[str], make: Callable[..., bytes], stem: str, made: datetime | None, *, key: str) -> None:
    """Draw a download button for each of *formats*; *make* makes the file when it is clicked."""
    for name in formats:
        button(FILES[name][0], partial(make, name), name, stem, made, key=f"{key}-{name}", width="stretch")


def button(label: str, make: Callable[[], bytes], kind: str, stem: str, made: datetime | None, **options: Any) -> None:
    """Draw a button that downloads what *make* returns, with *stem* and the time *made* in its name."""
    _, mime, ending = FILES[kind]
    name = f"{stem}-{made.astimezone(KOREA):%Y%m%d-%H%M}.{ending}" if made is not None else f"{stem}.{ending}"
    st.download_button(label, make, name, mime, on_click="ignore", **options)
