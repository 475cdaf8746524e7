"""The command as a client starts it: one process for the module, asked by the official client."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import StdioServerParameters

from search_core.package import VERSION
from search_core.video.upload import samples
from tests.loopback.world import World
from tests.search_core.agents.agent import ROOT, SOON_S, Agent, count_tokens

MAX_SCHEMA_TOKENS = 1_500
HBM, HANGUL = "sample-hbm", "sample-hunminjeongeum"


@pytest.fixture(scope="module")
def settings(world: World, folder: Path) -> dict[str, Any]:
    """Return settings under which only played services are asked."""
    return world.settings(
        maekrak_data_dir=folder / "data",
        embedding_model="kiwi",
        search_providers="library,wikipedia,searxng",
        web_search_cache_ttl=0,
    )


@pytest.fixture(scope="module")
def agent(settings: dict[str, Any], folder: Path) -> Iterator[Agent]:
    """Start the server as docs/agents.md shows, from another folder, and connect to it."""
    page = (ROOT / "docs/agents.md").read_text(encoding="utf-8").replace("/path/to/maekrak", str(ROOT))
    [block] = re.findall(r"```json\n(\{\"mcpServers.*?)```", page, re.DOTALL)
    started = json.loads(block)["mcpServers"]["maekrak"]
    given = {**started["env"], **{name.upper(): str(value) for name, value in settings.items()}}
    with Agent(StdioServerParameters(command=started["command"], args=started["args"], env=given, cwd=folder)) as agent:
        yield agent


def test_all_tools_fit_into_fifteen_hundred_tokens(agent: Agent):
    """Names, descriptions, schemas of arguments and hints of all tools, as they are sent; the instructions name the samples."""
    assert all(video.video_id in agent.instructions for video in samples())
    sent = [tool.model_dump(by_alias=True, exclude_none=True) for tool in agent.tools.values()]
    assert count_tokens(json.dumps(sent, separators=(",", ":"), ensure_ascii=False)) <= MAX_SCHEMA_TOKENS
    assert count_tokens(agent.instructions) <= 500
    for tool in agent.tools.values():
        Draft202012Validator.check_schema(tool.input_schema)


def test_tools_say_what_they_do_to_the_world(agent: Agent):
    """Only starting something changes more than the record of a call; only what asks the web is open to it."""
    hints = {name: tool.annotations for name, tool in agent.tools.items()}
    changing = {name for name, hint in hints.items() if not hint.read_only_hint}
    asking = {name for name, hint in hints.items() if hint.open_world_hint}
    assert changing == {"start_research", "stop_run"}
    assert asking == {"search_in_context", "ask_video", "check_online", "start_research", "read_page"}
    assert all(name in agent.instructions for name in agent.tools)


REFUSED = (
    ("ask_video", {}, "", "question"),
    ("ask_video", {"question": "뭐야?", "vidio": HBM}, "", "vidio"),
    ("ask_video", {"question": "뭐야?"}, "bad_input", "Name the video"),
    ("ask_video", {"question": "뭐야?", "conversation": "none"}, "bad_input", "no such conversation"),
    ("start_research", {"video": HBM, "claims": ["13"]}, "bad_input", "the id 13;"),
    ("find_claims", {"video": "nobody"}, "bad_input", "sample-hbm"),
    ("read_page", {"url": "file:///etc/passwd"}, "bad_input", "no address of a web page"),
    ("read_page", {"url": "http://127.0.0.1:1/"}, "could_not_read", ""),
    ("read_transcript", {"video": HBM, "date": "gestern"}, "bad_input", "2026-11-24"),
    ("read_transcript", {"video": ""}, "bad_input", "No video was named"),
    ("read_transcript", {"video": "가" * 1_000_001}, "", "at most 1000000"),
    ("read_transcript", {"video": "https://example.com/watch"}, "could_not_read", "YouTube"),
    ("read_transcript", {"video": "/etc/passwd"}, "bad_input", "No video is known"),
    ("read_transcript", {"video": "{\n" * 5_000}, "could_not_read", ""),
    ("read_transcript", {"video": HBM, "from_s": 9e6}, "found_none", "It goes from 00:00"),
    ("get_run", {"run_id": "../../etc", "wait_s": 0}, "bad_input", "This is no run_id"),
    ("no_such_tool", {}, "", "no_such_tool"),
)


def test_what_cannot_be_used_says_what_to_change(agent: Agent):
    """Wrong types, huge texts, unknown ids and addresses are told as text, and nothing that was sent is repeated at length."""
    for name, arguments, status, said in REFUSED:
        answer = agent.call(name, arguments)
        assert (name, answer.status, said in answer.told["note"]) == (name, status, True)
        assert answer.error == (status != "found_none")
        assert len(answer.text) < 1_500


HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "hand", "version": "1"}}
BY_HAND = (
    json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}),
    json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    "no message",
    json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}),
)


@pytest.mark.parametrize("told", ["pipe", "signal"])
def test_the_end_of_the_pipe_and_a_signal_end_the_process(told: str, settings: dict[str, Any], tmp_path: Path):
    """Messages alone are written, what is logged goes to standard error; a closed pipe and SIGTERM end the process cleanly."""
    own = {**settings, "maekrak_data_dir": tmp_path, "library_samples": False}
    given = {**os.environ, **{name.upper(): str(value) for name, value in own.items()}}
    command = [sys.executable, "-m", "search_core", "mcp"]
    with Popen(command, env=given, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True, cwd=ROOT) as server:
        server.stdin.write("\n".join((*BY_HAND, "")))
        server.stdin.flush()
        written = [json.loads(server.stdout.readline())]
        while written[-1].get("id") != 2:
            written.append(json.loads(server.stdout.readline()))
        if told == "signal":
            server.send_signal(signal.SIGTERM)
        rest, log = server.communicate(timeout=SOON_S)
    greeting = next(each["result"] for each in written if each.get("id") == 1)
    assert (greeting["serverInfo"]["name"], greeting["serverInfo"]["version"]) == ("maekrak", VERSION)
    assert "found_none" in greeting["instructions"]
    assert (server.returncode, "Traceback" in log) == (0, False)
    assert all(each["jsonrpc"] == "2.0" for each in (*written, *map(json.loads, rest.splitlines())))
