"""The one tab of a session: its actions, and the parsing of the tools' answers.

The tools answer in sections, in which page text is JSON and cannot pose as a section. Formats and error texts: @playwright/mcp
0.0.83, read and run 2026-11. Error texts may repeat what was typed, so none of ours is made from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.contract import unreadable
from search_core.providers.kit.playwright_mcp.configuration import Part

RESULT = "### Result\n"
_NET_ERROR = re.compile(r"net::(ERR_[A-Z0-9_]{1,60})")
_MOVED_ON = re.compile(r"Execution context was destroyed|because of a navigation")
_LATE_NET_ERRORS = frozenset({"ERR_TIMED_OUT", "ERR_CONNECTION_TIMED_OUT"})
_LAUNCH_FAULTS = (
    (re.compile(r"executable doesn't exist|is not found at|ENOENT", re.IGNORECASE), Part.CHROMIUM),
    (re.compile(r"sandboxing failed|No usable sandbox", re.IGNORECASE), Part.SANDBOX),
)
CallTool = Callable[[str, dict[str, Any]], Awaitable[tuple[bool, str]]]
"""Calls a tool by name and returns whether it failed, and its text."""


class PageMovedOn(Exception):  # noqa: N818 - not a failure: the page changed while it was looked at
    """Says that the page was replaced while a script ran in it."""


def check_result(tool: str, said: str, *, is_error: bool) -> str:
    """Return the text of *tool*'s success; raises PageMovedOn, and ProviderError for every failure."""
    if not is_error:
        return said
    if _MOVED_ON.search(said):
        raise PageMovedOn
    raise _failure(tool, said)


def result_value(said: str) -> object:
    """Return a script's result; raises ProviderError(INVALID_RESPONSE) if there is none."""
    if not said.startswith(RESULT):
        raise unreadable("The browser's answer has no result.")
    try:
        return json.JSONDecoder().raw_decode(said, len(RESULT))[0]
    except (ValueError, RecursionError):
        raise unreadable("The browser's answer is no JSON.") from None


def _failure(tool: str, said: str) -> ProviderError:
    if match := _NET_ERROR.search(said):
        return _net_failure(match[1])
    for mark, part in _LAUNCH_FAULTS:
        if mark.search(said):
            return part.error()
    if "Failed to launch" in said or "browserType.launch" in said:
        return ProviderError(SearchStatus.UNKNOWN_ERROR, "Chromium does not start.")
    if "does not match any elements" in said:
        return unreadable("The page has no search box; its layout may have changed.")
    if re.search(r"Timeout \d+ms exceeded", said):
        return ProviderError(SearchStatus.TIMEOUT, f"The browser did not get through {tool} in time.")
    if re.search(r"has been closed|crashed|Target closed", said):
        return ProviderError(SearchStatus.UNKNOWN_ERROR, "Chromium ended in the middle of the search.")
    if tool == "browser_evaluate":
        return unreadable("The page does not let itself be read.")
    return ProviderError(SearchStatus.UNKNOWN_ERROR, f"The browser could not do {tool}.")


def _net_failure(code: str) -> ProviderError:
    if code in _LATE_NET_ERRORS:
        return ProviderError(SearchStatus.TIMEOUT, f"The search page did not answer in time ({code}).")
    return ProviderError(SearchStatus.NETWORK_ERROR, f"The search page could not be reached ({code}).")


class Tab:
    """Opens pages, types and reads; every method raises ProviderError when it fails.

    None has a time limit of its own: the server does not stop when it is asked to, so the caller kills the session.
    """

    def __init__(self, call_tool: CallTool) -> None:
        self._call_tool = call_tool

    async def open(self, address: str) -> bool:
        """Go to *address* and return whether one of its pages loaded, even an error page.

        Otherwise it was an HTTP error without a page, and Chromium is about to show one of its own.
        """
        is_error, said = await self._call_tool("browser_navigate", {"url": address})
        if is_error and "net::ERR_HTTP_RESPONSE_CODE_FAILURE" in said:  # an HTTP error without a body
            return False
        check_result("browser_navigate", said, is_error=is_error)
        return True

    async def submit(self, selector: str, text: str) -> None:
        """Write *text* into the first element *selector* finds, and press Enter."""
        await self._call("browser_type", target=f"{selector} >> nth=0", element="search box", text=text, submit=True)

    async def read(self, script: str) -> Any:
        """Return the result of the function *script*, run in the page.

        Raises PageMovedOn if the page was replaced meanwhile, and ProviderError(INVALID_RESPONSE) for an unreadable result.
        """
        return result_value(await self._call("browser_evaluate", function=script))

    async def _call(self, tool: str, **arguments: object) -> str:
        is_error, said = await self._call_tool(tool, arguments)
        return check_result(tool, said, is_error=is_error)
