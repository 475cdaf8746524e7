"""Processor time of commands in fresh processes, children included, in a played world; one that waits costs nothing."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import psutil

from benchmarks.reference import note_time
from benchmarks.research_world import played_world
from benchmarks.texts import video
from search_core.video.subtitles import write_vtt

ROUNDS = 3
QUESTION = "메모리 반도체 가격 전망은 어떤가요?"
MINUTES = 25
BARS_S = {"search --help": 0.4, "search, kept": 3.0, "ask": 5.0, "claims": 5.0}
PLAN_WITHIN_S = 1.5


def processor_s(arguments: Iterable[str], environment: dict[str, str]) -> float:
    """Return the seconds of a processor that a command took, in user and system, with those of its children."""
    process = subprocess.Popen(
        [sys.executable, "-m", "search_core", *arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return used.ru_utime + used.ru_stime


def until_plan_s(environment: dict[str, str]) -> tuple[float, float]:
    """Return the seconds from the start of a research command until it begins to plan: of a clock, of a processor."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "search_core", "research", QUESTION, "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["data"].get("status") == "planning":
                clock_s = time.perf_counter() - began
                family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
                spent_s = sum(sum(each.cpu_times()[:2]) for each in family)
                break
        for _ in process.stdout:
            pass
    return clock_s, spent_s


def commands() -> None:
    """Print the processor time of each command, the median of rounds, beside its bar."""
    with played_world() as world, tempfile.TemporaryDirectory() as folder:
        talk = Path(folder, "talk.vtt")
        talk.write_text(write_vtt(video(MINUTES)), encoding="utf-8")
        chosen = {**world.settings, "maekrak_data_dir": Path(folder, "data"), "search_providers": "library,searxng"}
        modelled = {**os.environ, **{name.upper(): str(value) for name, value in chosen.items()}}
        environment = {**modelled, "OPENAI_MODEL": "", "OPENAI_BASE_URL": ""}
        calls = {
            "search --help": ["search", "--help"],
            "search, kept": ["search", QUESTION],
            "ask": ["ask", QUESTION, "--video", str(talk)],
            "claims": ["claims", "--video", str(talk)],
        }
        for name, arguments in calls.items():
            processor_s(arguments, environment)  # keeps the answer, and compiles what is imported
            spent = [processor_s(arguments, environment) for _ in range(ROUNDS)]
            figures = ", ".join(f"{each:.2f}" for each in spent)
            note_time(name, statistics.median(spent))
            print(f"{name}: {statistics.median(spent):.2f} s of a processor ({figures}); bar {BARS_S[name]:g}", flush=True)
        for name, given in (("without a language model", environment), ("with one", modelled)):
            begun = [until_plan_s(given) for _ in range(ROUNDS)]
            clock_s, spent_s = (statistics.median(figures) for figures in zip(*begun, strict=True))
            note_time(f"research begins to plan {name}", clock_s)
            print(f"research begins to plan {name}: after {clock_s:.2f} s, {spent_s:.2f} of a processor; bar {PLAN_WITHIN_S:g}")
