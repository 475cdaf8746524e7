"""The one tab of a session, the few things that are done in it, and an errand handed to the thread that works there."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from search_core.provider_kit.playwright_mcp import tool_result

CallTool = Callable[[str, dict[str, Any]], Awaitable[tuple[bool, str]]]
"""Calls a tool by name and returns whether it failed, and its text."""


class Tab:
    """Opens, types and reads; every method raises SessionBrokenError for what it could not do.

    None has a time limit of its own: the server does not stop when it is asked to, so the caller kills the session.
    """

    def __init__(self, call_tool: CallTool) -> None:
        self._call_tool = call_tool

    async def open(self, address: str) -> bool:
        """Go to *address* and return whether a page of it came, an error page included.

        Otherwise it was an HTTP error without a page, and Chromium is about to show one of its own.
        """
        is_error, said = await self._call_tool("browser_navigate", {"url": address})
        if is_error and tool_result.is_empty_http_error(said):
            return False
        tool_result.check_result("browser_navigate", said, is_error=is_error)
        return True

    async def submit(self, selector: str, text: str) -> None:
        """Write *text* into the first element *selector* finds, and press Enter."""
        await self._call("browser_type", target=f"{selector} >> nth=0", element="search box", text=text, submit=True)

    async def read(self, script: str) -> Any:
        """Return what the function *script*, run in the page, returns.

        Raises PageMovedOn when the page gave way to the next one meanwhile, ProviderError(INVALID_RESPONSE) when nothing readable
        came back.
        """
        return tool_result.value(await self._call("browser_evaluate", function=script))

    async def _call(self, tool: str, **arguments: Any) -> str:
        is_error, said = await self._call_tool(tool, arguments)
        return tool_result.check_result(tool, said, is_error=is_error)


Errand = Callable[[Tab], Awaitable[Any]]


class Job:
    """Holds an errand, its deadline and its answer; the first answer counts."""

    def __init__(self, errand: Errand, timeout_s: float) -> None:
        self.errand = errand
        self.deadline_s = time.monotonic() + timeout_s
        self.answer: Future[Any] = Future()

    @property
    def over(self) -> bool:
        """Return whether there is an answer, or no caller waits for one."""
        return self.answer.done()

    def succeed(self, found: Any) -> None:
        """Hand over what the errand brought; nothing happens when the job is over."""
        with suppress(InvalidStateError):
            self.answer.set_result(found)

    def fail(self, error: BaseException) -> None:
        """Hand over what went wrong; nothing happens when the job is over."""
        with suppress(InvalidStateError):
            self.answer.set_exception(error)
