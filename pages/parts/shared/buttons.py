"""The buttons of the pages: what a click does, what it downloads, and how prominent they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial
from typing import Any

import streamlit as st

from search_core.language.dates import KOREA

Act = Callable[..., Any]


def button(label: str, act: Act, *arguments: object, key: str, icon: str = "", tip: str = "", **options: Any) -> None:
    """Draw a button that calls *act* with *arguments*, with an optional *icon* and *tip*."""
    look = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=look, help=tip or None, on_click=act, args=arguments, **options)


def quiet(label: str, act: Act, *arguments: object, key: str, **options: Any) -> None:
    """Draw a button that looks like text."""
    button(label, act, *arguments, key=key, type="tertiary", **options)


def line(label: str, act: Act, *arguments: object, key: str) -> None:
    """Draw a quiet button as wide as its container, with as many lines as its label needs."""
    quiet(label, act, *arguments, key=key, width="stretch", wrap=True)


FILES = {
    "markdown": ("문서 (Markdown)", "text/markdown", "md"),
    "csv": ("표 (CSV)", "text/csv", "csv"),
    "json": ("데이터 (JSON)", "application/json", "json"),
    "html": ("웹 문서 (HTML)", "text/html", "html"),
}
"""Name, MIME type and ending of each format."""
EXPORT = "내보내기"


def download_buttons(formats: Iterable[str], make: Callable[..., bytes], stem: str, made: datetime | None, *, key: str) -> None:
    """Draw a download button for each of *formats*; *make* makes the file when it is clicked."""
    for name in formats:
        download_button(FILES[name][0], partial(make, name), name, stem, made, key=f"{key}-{name}", width="stretch")


def download_button(label: str, make: Callable[[], bytes], kind: str, stem: str, made: datetime | None, **options: Any) -> None:
    """Draw a button that downloads what *make* returns, with *stem* and the time *made* in its name."""
    _, mime, ending = FILES[kind]
    name = f"{stem}-{made.astimezone(KOREA):%Y%m%d-%H%M}.{ending}" if made is not None else f"{stem}.{ending}"
    st.download_button(label, make, name, mime, on_click="ignore", **options)
