"""A language model on this machine: offered by its name, taken and left by a click, and nothing where that is not wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.parts.shared import local_model
from search_core.core import SearchCore
from search_core.models.llm.local_models import LocalModel, choose_model, chosen_model, may_offer
from search_core.settings import Settings
from tests.app.conftest import Visit

QWEN = LocalModel("Ollama", "http://127.0.0.1:11434/v1", "qwen3:4b")
OWN_FILE = LocalModel("llama.cpp", "http://127.0.0.1:8080/v1", "/home/me/models/small.gguf")


def test_a_model_is_offered_by_name(visit, monkeypatch: pytest.MonkeyPatch):
    """One that is named by the path of its file is offered by the file's name, and none to visitors of a served page."""
    monkeypatch.setattr(local_model, "_found", (QWEN, OWN_FILE))
    monkeypatch.setattr(local_model, "_taken", None)
    here: Visit = visit()
    assert "qwen3:4b" in here.texts()
    assert "small.gguf" in here.texts()
    assert "/home/me" not in here.texts()
    assert here.has_button("local-model-Ollama")
    here.core.settings.allowed_hosts = "maekrak.example.com"
    here.look()
    assert not here.has_button("local-model-Ollama")


def test_a_choice_is_kept_and_left(tmp_path: Path):
    """The core that is built after it has the model; one with an endpoint of its own, or that never wants one, has not."""
    settings = Settings(maekrak_data_dir=tmp_path, embedding_model="kiwi", library_samples=False)
    assert (may_offer(settings), chosen_model(settings)) == (True, None)
    choose_model(settings, QWEN)
    assert chosen_model(settings) == QWEN
    core = SearchCore.from_settings(settings, once=True)
    assert (core.settings.openai_base_url, core.settings.openai_model) == (QWEN.base_url, QWEN.name)
    core.close()
    for own in ({"local_models": "never"}, {"openai_base_url": "http://model.example/v1"}, {"openai_api_key": "k"}):
        assert chosen_model(settings.model_copy(update=Settings(**own).model_dump(include=set(own)))) is None
    settings.local_model_file.write_text('{"server": "x", "base_url": "https://evil.example/v1", "name": "m"}', encoding="utf-8")
    assert chosen_model(settings) is None
    settings.local_model_file.write_text("[1", encoding="utf-8")
    assert chosen_model(settings) is None
    choose_model(settings, None)
    assert not settings.local_model_file.exists()
