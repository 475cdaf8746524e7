"""What a command imports: what its work needs, and no more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.loopback.world import World

RUN = """
import json, sys
from search_core.commands import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]))
"""
HEAVY = {
    "sqlalchemy",
    "dbos",
    "pandas",
    "streamlit",
    "altair",
    "mcp",
    "fastapi",
    "openai",
    "yt_dlp",
    "onnxruntime",
    "fpdf",
    "docx",
}
TALK = "1\n00:00:01,000 --> 00:00:04,000\nHBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트입니다.\n"


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["search", "메모리 대역폭"], set()),
        (["search", "메모리 대역폭", "--providers", "searxng", "--video", "talk.srt"], set()),
        (["search", "메모리 대역폭", "--providers", "library,searxng"], {"sqlalchemy"}),
        (["ask", "대역폭은 얼마인가요?", "--video", "talk.srt"], set()),
        (["claims", "--video", "talk.srt"], set()),
        (["batch", "intent"], set()),
    ],
)
def test_a_command_imports_what_it_needs(world: World, tmp_path: Path, arguments: list[str], needed: set[str]):
    """No database, server or client of what is not set up is imported; the library's database is where it is asked."""
    world.reset()
    (tmp_path / "talk.srt").write_text(TALK, encoding="utf-8")
    library = "library,searxng" if needed else "searxng"
    given = {**world.settings(), "search_providers": library, "embedding_model": "kiwi", "maekrak_data_dir": tmp_path / "data"}
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        cwd=tmp_path,
        env={**os.environ, **{name.upper(): str(value) for name, value in given.items()}, "PYTHONPATH": str(Path.cwd())},
        input="",
        capture_output=True,
        text=True,
        timeout=100,
    )
    code, loaded = json.loads(done.stdout.splitlines()[-1])
    assert (code, done.stderr) == (0, "")
    assert HEAVY & set(loaded) == needed
