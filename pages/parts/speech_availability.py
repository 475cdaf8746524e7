"""Whether speech recognition is set up; known to the server before the pages are, and loads nothing slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts import services, sound_labels

if TYPE_CHECKING:
    from search_core.domain import Recogniser


def find_recogniser() -> Recogniser | None:
    """Return what would transcribe a recording, or None; loads nothing where the settings name none."""
    core = services.core()
    wanted = core.settings.openai_transcription_model or core.settings.whisper_model
    return core.transcription.recogniser if wanted else None


def explain_absence() -> str:
    """Return a Korean sentence about what is missing where there is no recogniser."""
    core = services.core()
    wanted = core.settings.openai_transcription_model or core.settings.whisper_model
    return sound_labels.NOT_SET.format(why=(core.transcription.missing if wanted else "") or sound_labels.HOW_TO_SET)
