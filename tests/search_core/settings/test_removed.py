"""Settings that are gone and still set."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.settings import Settings
from search_core.settings.settings import REMOVED


def test_each_is_named_once_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    """One line names those of the environment, of ``.env`` as Windows saves it and of secrets; empty ones say nothing."""
    file = tmp_path / ".env"
    file.write_text("NAVER_PLATFORM=developers\n", encoding="utf-8-sig")
    monkeypatch.setitem(Settings.model_config, "env_file", str(file))
    monkeypatch.setenv("RANKING_PROFILE", "mine.json")
    monkeypatch.setenv("OPENAI_SPEECH_MODEL", "")
    for _ in range(2):
        Settings.from_env({"whisper_device": "cuda"})
    (said,) = caplog.messages
    assert said.endswith(
        "remove them: NAVER_PLATFORM (use a key of NAVER API HUB); RANKING_PROFILE (set RELEVANCE_THRESHOLD);"
        " WHISPER_DEVICE (the value is fixed at auto)."
    )


def test_none_of_them_is_a_setting():
    """What is said to be gone is gone."""
    assert not {name.lower() for name in REMOVED} & Settings.model_fields.keys()
