"""The one place where pages get the search core from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    from search_core.core import SearchCore


def secrets() -> Mapping[str, Any]:
    """Return what ``secrets.toml`` holds, or nothing where there is none."""
    return st.secrets.to_dict() if st.secrets.load_if_toml_exists() else {}


def from_settings() -> SearchCore:
    """Return a core set up by ``secrets.toml`` and the environment.

    Raises SettingsError for a setting that cannot be used.
    """
    from search_core.core import SearchCore  # loads the language tools: not before the first paint
    from search_core.settings import Settings

    return SearchCore.from_settings(Settings.from_env(secrets()))


_make: Callable[[], SearchCore] = from_settings


@st.cache_resource(show_spinner=False)
def core() -> SearchCore:
    """Return the one search core of this process.

    Raises SettingsError for a setting that cannot be used.
    """
    return _make()


def provide(make: Callable[[], SearchCore]) -> None:
    """Let *make* build the core from now on; the seam for tests and other shells."""
    global _make
    _make = make
    core.clear()


def close() -> None:
    """Close the core when the server ends."""
    core().close()
    core.clear()
