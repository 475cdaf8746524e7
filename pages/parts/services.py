"""The one place where pages get the search core, and learn whether it can recognise speech."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.deletions import deletions

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.domain.transcription import Recogniser

HOW_TO_SET = "관리자가 음성 인식을 켜면 쓸 수 있어요. 그때까지는 자막 파일을 올려 주세요."


def secrets() -> Mapping[str, object]:
    """Return the contents of ``secrets.toml``, or nothing."""
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
    """Let *make* build the core from now on; for tests and other front ends."""
    global _make
    _make = make
    core.clear()


def close() -> None:
    """Close the core when the server ends, after work that waits for the end."""
    deletions().finish()
    core().close()
    core.clear()


def restart() -> None:
    """Rebuild the core after a changed choice; running work ends, and runs are resumed."""
    close()
    made = core()
    made.warm_up()
    made.research.open()


def find_recogniser() -> Recogniser | None:
    """Return the recogniser that would transcribe a recording, or None; loads nothing if the settings name none."""
    return core().transcription.recogniser if _wants_recogniser() else None


def explain_absence() -> str:
    """Return a Korean sentence about what is missing for speech recognition."""
    missing = core().transcription.missing if _wants_recogniser() else ""
    return f"자막이 없는 영상과 소리 파일은 지금 받아 적을 수 없어요. {missing or HOW_TO_SET}"


def _wants_recogniser() -> bool:
    return bool(core().settings.openai_transcription_model or core().settings.whisper_model)
