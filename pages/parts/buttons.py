"""The buttons of the pages: what a click does, and how prominent they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

Act = Callable[..., Any]


def button(label: str, act: Act, *given: object, key: str, icon: str = "", tip: str = "", **options: Any) -> None:
    """Draw a button that calls *act* with the arguments *given*, with an optional *icon* and *tip*."""
    look = f":material/{icon}:" if icon else None
    st.button(label, key=key, icon=look, help=tip or None, on_click=act, args=given, **options)


def quiet(label: str, act: Act, *given: object, key: str, **options: Any) -> None:
    """Draw a button that looks like text."""
    button(label, act, *given, key=key, type="tertiary", **options)


def line(label: str, act: Act, *given: object, key: str) -> None:
    """Draw a quiet button as wide as its container, with as many lines as its label needs."""
    quiet(label, act, *given, key=key, width="stretch", wrap=True)
