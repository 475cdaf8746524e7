"""A process that is killed in the middle of research, and one that is told to end."""

from __future__ import annotations

import json
import signal
import threading
from pathlib import Path
from typing import Any

from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole, honest
from tests.loopback.world import World
from tests.search_core.agents.agent import Process

QUESTION = "김치찌개에 무엇을 넣나요?"


def test_a_killed_process_costs_no_research(world: World, model: LanguageModelServer, tmp_path: Path):
    """After kill -9 another process finishes the run under the same id; at SIGTERM it ends, having written messages only."""
    writing, killed = threading.Event(), threading.Event()

    def answer(asked: Asked) -> Whole | Stream:
        if len(model.asked) > 1:  # after the plan comes the report
            writing.set()
            killed.wait(90)
        return honest(asked)

    model.answer = answer
    settings: dict[str, Any] = world.settings(
        maekrak_data_dir=tmp_path / "data",
        embedding_model="kiwi",
        library_samples=False,
        maekrak_log_level="DEBUG",
        search_providers="wikipedia,searxng",
        openai_base_url=model.url,
        openai_model="m",
        openai_api_key="any",
    )
    with Process(settings) as first:
        run_id = first.call("start_research", question=QUESTION)["run_id"]
        assert writing.wait(90)
        going = first.call("get_run", run_id=run_id, wait_s=0)
        assert (going["status"], going["state"]) == ("running", "writing")
        first.process.kill()
    killed.set()
    with Process(settings) as second:
        while (run := second.call("get_run", run_id=run_id, wait_s=25))["status"] == "running":
            pass
        second.process.send_signal(signal.SIGTERM)
        second.assert_clean_end()
    assert run["state"] == "complete"
    assert run["run_id"] == run_id
    assert run["data"]["report"]
    assert run["data"]["sources"]
    assert "김치찌개" in json.dumps(run["data"], ensure_ascii=False)
