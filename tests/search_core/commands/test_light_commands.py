"""What a command imports: what its work needs, and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.loopback.world import World

RUN = """
import json, os, sys
from search_core.commands import main
for services, arguments in json.loads(sys.argv[1]):
    os.environ["SEARCH_PROVIDERS"] = services
    code = main(arguments)
    print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
    print("# end")
"""
HEAVY = {"sqlalchemy", "dbos", "pandas", "streamlit", "altair", "mcp", "fastapi", "openai", "yt_dlp", "onnxruntime"}
TALK = "1\n00:00:01,000 --> 00:00:04,000\nHBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트입니다.\n"


COMMANDS = (
    ("searxng", ["batch", "intent"], set()),
    ("searxng", ["search", "메모리 대역폭"], set()),
    ("searxng", ["search", "메모리 대역폭", "--providers", "searxng", "--video", "talk.srt"], set()),
    ("searxng", ["ask", "대역폭은 얼마인가요?", "--video", "talk.srt"], set()),
    ("searxng", ["claims", "--video", "talk.srt"], set()),
    ("library,searxng", ["search", "메모리 대역폭", "--providers", "library,searxng"], {"sqlalchemy"}),
)


MOST_MODULES = 110
SEARCH = """
import sys
from search_core import Question, SearchCore, Settings
core = SearchCore.from_settings(Settings.from_env())
print(len(core.search(Question(text="메모리 대역폭")).replies))
print(sum(name.partition(".")[0] == "search_core" for name in sys.modules))
"""
READ_VIDEO = "from search_core import VideoContext; print(VideoContext.from_mapping({'title': '차세대 메모리'}).title)"


def _python(world: World, folder: Path, *arguments: str) -> str:
    """Return what Python prints that is run with *arguments* over the played services."""
    given = {**world.settings(), "embedding_model": "kiwi", "maekrak_data_dir": folder / "data", "search_providers": "searxng"}
    given["library_samples"] = True
    done = subprocess.run(
        [sys.executable, "-c", *arguments],
        cwd=folder,
        env={**os.environ, **{name.upper(): str(value) for name, value in given.items()}, "PYTHONPATH": str(Path.cwd())},
        input="",
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.stderr == ""
    return done.stdout


def test_commands_import_what_they_need(world: World, tmp_path: Path):
    """No database, server or client of what is not set up is imported; the library's database is where it is asked."""
    (tmp_path / "talk.srt").write_text(TALK, encoding="utf-8")
    printed = _python(world, tmp_path, RUN, json.dumps([(services, arguments) for services, arguments, _ in COMMANDS]))
    told = [json.loads(part.splitlines()[-1]) for part in printed.split("# end\n")[:-1]]
    loaded = [(arguments, code, HEAVY & set(names)) for (_, arguments, _), (code, names) in zip(COMMANDS, told, strict=True)]
    assert loaded == [(arguments, 0, needed) for _, arguments, needed in COMMANDS]


def test_a_question_loads_few_modules(world: World, tmp_path: Path):
    """Readers of files, the library, reports and other services stay away; a video that is asked for alone is read."""
    replies, modules = map(int, _python(world, tmp_path, SEARCH).split())
    assert replies == 1
    assert modules <= MOST_MODULES
    assert _python(world, tmp_path, READ_VIDEO).strip() == "차세대 메모리"
