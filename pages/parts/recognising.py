"""Whether somebody can listen here; known to the server before the pages are, and loads nothing slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts import services, sound_labels

if TYPE_CHECKING:
    from search_core.domain import Recogniser


def find_recogniser() -> Recogniser | None:
    """Return who would listen to a recording, or None; loads nothing where the settings name nobody."""
    core = services.core()
    wanted = core.settings.openai_transcription_model or core.settings.whisper_model
    return core.transcription.recogniser if wanted else None


def say_why_not() -> str:
    """Return a Korean sentence about what is missing where there is no recogniser."""
    core = services.core()
    wanted = core.settings.openai_transcription_model or core.settings.whisper_model
    return sound_labels.NOT_SET.format(why=(core.transcription.missing if wanted else "") or sound_labels.HOW_TO_SET)
