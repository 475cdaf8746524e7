"""The tools for agents over HTTP: the official client against a real server, behind the guard of the API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from search_core.core import SearchCore
from tests.loopback.world import World
from tests.search_core.agents.agent import over_http
from tests.search_core.api.served import ME, OTHER, TOKENS, Served, served
from tests.search_core.whole_core import build_core

HBM = "sample-hbm"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@pytest.fixture(scope="module")
def core(world: World, folder: Any) -> Iterator[SearchCore]:
    """Return a core with two callers and no limit that a test could reach."""
    settings = {"search_providers": "wikipedia,searxng", "web_search_cache_ttl": 0}
    limits = {"api_tokens": TOKENS}
    with closing(build_core(world, folder, **settings, **limits)) as core:
        yield core


@pytest.fixture(scope="module")
def server(core: SearchCore, folder: Any) -> Iterator[Served]:
    """Serve the API and the tools over that core."""
    with served(folder / "scripted", core=core) as server:
        yield server


@pytest.fixture(autouse=True)
def _healthy(world: World) -> None:
    world.reset()


@asynccontextmanager
async def connected(server: Served) -> AsyncIterator[Client]:
    """Connect an agent on the running loop."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {ME}"}, timeout=110, trust_env=False) as client,
        Client(streamable_http_client(f"{server.address}/mcp", http_client=client)) as agent,
    ):
        yield agent


def test_an_agent_works_over_http_and_others_see_nothing_of_it(server: Served):
    """Videos, answers, conversations and runs come back to the token that made them, and to no other of either protocol."""
    text = "1\n00:00:01,000 --> 00:00:04,000\n비밀 회의록입니다.\n"
    with over_http(server.address, ME) as mine:
        video = mine.call("read_transcript", video=text).told["video"]
        asked = mine.call("ask_video", question="메모리 장벽이 뭐야?", video=HBM)
        assert "메모리 월이라고 부릅니다" in asked.data["answer"]
        assert mine.call("search_in_context", question="메모리 대역폭은 왜 중요한가?", video=HBM).data["results"]
        run_id = mine.call("start_research", question="HBM4는 무엇이 달라졌나?").told["run_id"]
        with over_http(server.address, OTHER) as others:
            assert others.call("stop_run", run_id=run_id).status == "bad_input"
        finished = mine.finished(run_id)
        assert finished.told["state"] == "complete"
        assert "HBM4" in finished.data["report"]
    with over_http(server.address, OTHER, mode="legacy") as others:
        assert others.call("get_run", run_id=run_id).status == "bad_input"
        assert others.call("read_transcript", video=video).status == "bad_input"
        assert others.call("ask_video", question="무슨 회의야?", conversation=asked.told["conversation"]).status == "bad_input"


REFUSED: tuple[tuple[dict[str, Any], int, str], ...] = (
    ({"headers": {"Authorization": "Bearer wrong"}}, 401, "API_TOKENS"),
    ({"headers": {"Authorization": ""}}, 401, "API_TOKENS"),
    ({"headers": {"Origin": "https://evil.example"}}, 403, "other sites"),
    ({"json": None, "method": "GET"}, 405, "posted"),
    ({"json": None, "method": "DELETE"}, 405, "posted"),
)


def test_a_refused_call_says_why(server: Served):
    """Refusals are errors of the protocol, so that a client shows their sentence."""
    with server.client() as client:
        for changes, status, said in REFUSED:
            headers = {**HEADERS, "Authorization": f"Bearer {ME}", **changes.get("headers", {})}
            answer = client.request(**{"method": "POST", "url": "/mcp", "json": PING, **changes, "headers": headers})
            error = answer.json()["error"]
            assert (answer.status_code, said in error["message"]) == (status, True), changes
            assert error["data"]["korean"]


@pytest.mark.parametrize("tool", ["search_in_context", "check_online"])
def test_the_work_for_an_agent_that_leaves_is_stopped(tool: str, server: Served, world: World):
    """Closing the stream closes the connections to the services that were asked, by a search and by an answer."""
    world.play_all(failure="drip")
    world.arrived.clear()
    world.left.clear()

    async def leave() -> None:
        async with connected(server) as agent:
            asked = {"question": "HBM 한 묶음의 입출력 폭은 몇 비트인가?", "video": HBM}
            call = asyncio.create_task(agent.call_tool(tool, asked))
            assert await asyncio.to_thread(world.arrived.wait, 60)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            assert await asyncio.to_thread(world.left.wait, 60)

    asyncio.run(leave())
    server.wait_idle()
