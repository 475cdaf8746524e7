"""Exit codes of ``search`` and ``doctor``: services of the web decide, the library only where it is asked alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from search_core.commands import main
from search_core.core import SearchCore
from search_core.settings import Settings
from tests.loopback.world import World

Command = Callable[..., int]
QUESTION = "메모리 대역폭은 왜 중요한가?"


@pytest.fixture
def command(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a function that runs a command over SearXNG and a library of one document, and returns its exit code."""
    world.reset()
    own = {"maekrak_data_dir": tmp_path / "data", "embedding_model": "kiwi", "library_samples": False, "web_search_cache_ttl": 0}
    settings = {**world.settings(), **own, "search_providers": "library,searxng"}
    (tmp_path / "plan.md").write_text(f"# 계획\n\n{QUESTION} 대역폭이 가속기를 먹여 살린다.\n", encoding="utf-8")
    with closing(SearchCore.from_settings(Settings(**settings))) as core:
        core.index([tmp_path / "plan.md"])

    def run(*arguments: str, **changes: Any) -> int:
        for name, value in {**settings, **changes}.items():
            monkeypatch.setenv(name.upper(), str(value))
        return main(list(arguments))

    return run


def test_search_fails_when_no_web_service_answered(command: Command, world: World, tmp_path: Path):
    """With the web failing the library's results do not make a success; asked alone, the library decides."""
    assert command("search", QUESTION) == 0
    world.play("searxng", failure="500")
    assert command("search", QUESTION) == 1
    assert command("search", QUESTION, "--providers", "library") == 0
    assert command("search", QUESTION, search_providers="library") == 0
    empty = {"maekrak_data_dir": tmp_path / "empty", "search_providers": "library"}
    assert command("search", QUESTION, **empty) == 1


def test_doctor_fails_when_no_web_service_answers(
    command: Command, world: World, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    """Online a service has to answer, offline to be set up; the library counts only where it is the only service.

    Services and scorer are named; a machine without the model is the usual case, and no warning.
    """
    assert command("doctor") == 0
    printed = capsys.readouterr().out
    assert "웹 검색 서비스 1곳 중 1곳이 답했어요 (SearXNG)." in printed
    assert "- 내 자료 (library): " in printed
    assert "채점: 내장 형태소 분석" in printed
    world.play("searxng", failure="500")
    assert command("doctor") == 1
    assert "웹 검색 서비스 1곳 중 답한 곳이 없어요 (SearXNG)." in capsys.readouterr().out
    assert command("doctor", "--offline") == 0
    assert "웹 검색 서비스 1곳 중 1곳이 켜져 있어요 (SearXNG)." in capsys.readouterr().out
    assert command("doctor", "--offline", searxng_url="") == 1
    assert "켜진 웹 검색 서비스가 없어요. 내 자료는 답하더라도 웹을 대신하지 않아요." in capsys.readouterr().out
    assert command("doctor", search_providers="library", embedding_model="nobody/no-such-model") == 0
    assert not [record for record in caplog.records if "cannot be used" in record.message and record.levelname != "INFO"]


def test_no_english_warning_stands_among_what_is_said(tmp_path: Path):
    """A command says in Korean what its log would warn of."""
    asked = [sys.executable, "-m", "search_core", "search", "HBM4는?"]
    away = {"SEARCH_PROVIDERS": "wikipedia", "WIKIPEDIA_BASE_URL": "http://127.0.0.1:9"}
    env = {**os.environ, **away, "MAEKRAK_DATA_DIR": str(tmp_path), "EMBEDDING_MODEL": "kiwi"}
    run = subprocess.run(asked, env=env, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (run.returncode, "[웹 검색 사용 불가]" in run.stdout, "WARNING" in run.stderr) == (1, True, False)
