"""A process that is killed loses at most the piece it was at; the next one goes on and cleans up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil

from tests.loopback.tone_speech import sentences, speak

from .media import write

ROOT = Path(__file__).parents[3]
SECONDS = 38.0
SAID = sentences(SECONDS)


def run(sound: Path, folder: Path, point: str) -> dict[str, Any]:
    """Run a process until it stands at *point*, kill it there, and return what it told last; without *point*, until its end."""
    command = [sys.executable, "-m", "tests.search_core.speech.breaking_process", str(sound), str(folder), point]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        children = psutil.Process(process.pid).children(recursive=True) if point else []
        if point:
            process.kill()
        process.wait(60)
    assert psutil.wait_procs(children, timeout=60)[1] == [], "what decodes ends with the process it works for"
    return told


def test_a_killed_transcription_goes_on_where_it_was(tmp_path: Path):
    """Of five pieces two are kept when the first process is killed, and the third is heard again when the second was."""
    sound, folder = write(tmp_path / "talk.flac", speak(SECONDS, SAID)), tmp_path / "data"
    for point in ("asked 3", "heard 1"):
        assert run(sound, folder, point) == {"stands": point}
        assert len([each for each in (folder / "work").iterdir() if each.is_dir()]) == 1, "what the process before left is gone"
    told = run(sound, folder, "")
    assert told["asked"] == 3
    assert [text for _, text in told["said"]] == [sentence.text for sentence in SAID]
    assert max(abs(start_s - sentence.start_s) for (start_s, _), sentence in zip(told["said"], SAID, strict=True)) < 0.1
    assert list((folder / "work").iterdir()) == []
