"""Deep research and GPT Researcher in one played world, in turn: ``python -m benchmarks --beside PYTHON research-beside``."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.research_runs import QUESTION, core_in, followed, walked_s, whole
from benchmarks.research_world import PlayedWorld, critical_path_s, played_world

ROUNDS = 7
RAN = "RAN "


class GptResearcher:
    """A process of another environment that researches when it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, question: str) -> dict[str, Any]:
        """Return what one run took and made; raises RuntimeError when the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(question, file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            if line.startswith(RAN):
                ran: dict[str, Any] = json.loads(line.removeprefix(RAN))
                return ran
        raise RuntimeError("GPT Researcher ended.")


@contextlib.contextmanager
def gpt_researcher(python: Path, world: PlayedWorld) -> Iterator[GptResearcher]:
    """Start GPT Researcher by the interpreter *python*, which has it installed, with *world* for its web and model."""
    model = "openai:m"
    env = {
        **os.environ,
        "OPENAI_API_KEY": "k",
        "OPENAI_BASE_URL": world.settings["openai_base_url"],
        "RETRIEVER": "searx",
        "SEARX_URL": world.settings["searxng_url"],
        "FAST_LLM": model,
        "SMART_LLM": model,
        "STRATEGIC_LLM": model,
        "EMBEDDING": "custom:m",
        "SCRAPER": "bs",
        "LANGUAGE": "korean",
    }
    script = Path(__file__).with_name("gpt_researcher_once.py")
    with subprocess.Popen(
        [str(python), str(script)], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield GptResearcher(process)
        finally:
            process.kill()


def research_beside(python: Path) -> None:
    """Print the wall times of both, warm, in turn."""
    path_s = critical_path_s(QUESTION)
    with played_world() as world, core_in(world) as core, gpt_researcher(python, world) as peer:
        desk = core.research
        followed(desk)
        peer.run(QUESTION)
        ours, theirs, bare = [], [], []
        for _ in range(ROUNDS):
            wall_s, run, _, _ = followed(desk)
            assert whole(run), run
            ours.append(wall_s)
            theirs.append(peer.run(QUESTION))
            bare.append(walked_s(world))
    seconds = [one["seconds"] for one in theirs]
    own_s, their_s = statistics.median(ours), statistics.median(seconds)
    print(f"critical path: {path_s:.2f} s; a bare client on it: {statistics.median(bare):.2f} s")
    print(
        f"Maekrak: p50 {own_s:.2f} s, max {max(ours):.2f} s; {sum(source.read for source in run.sources)} pages read, {len(run.report)} letters"
    )
    print(
        f"GPT Researcher: p50 {their_s:.2f} s, max {max(seconds):.2f} s; {theirs[-1]['pages']} pages, {theirs[-1]['letters']} letters"
    )
    print(f"Maekrak takes {own_s / their_s:.2f} of the time of GPT Researcher")
