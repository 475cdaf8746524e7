"""A real Chromium, driven through Playwright MCP (@playwright/mcp 0.0.83 over stdio, read and run 2026-11).

Each session has a folder of its own, and only the search page's host can be reached from it. The server's own ``allowedOrigins``
(``config.d.ts``) stops neither redirects nor WebSockets; Chromium's host resolver rules do, and with the port in them they stop
other services on the same host as well.

The tools answer in sections, in which page text is JSON and cannot pose as a section. Error texts may repeat what was typed, so
none of ours is made from them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.contract import unreadable

INSTALLED_CLI = Path(__file__).parents[3] / "browser" / "node_modules" / "@playwright" / "mcp" / "cli.js"
"""Where ``make browser`` puts the server."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOLDER_PREFIX = "maekrak-browser-"
CONFIGURATION = "mcp.json"
MAX_TEMP_CHARS = 40
"""Longest TMPDIR: Chromium and the server open sockets below it, and a socket's path has at most 107 bytes."""
MAX_OUTPUT_BYTES = 1_000_000
"""Limit of the session's output files, as a page can write to them through its console."""
LOCALE = "ko-KR"
_PORTS = {"http": 80, "https": 443}

QUIET_SCRIPT = """
for (const name of ['alert', 'print', 'open', 'focus']) window[name] = () => null;
window.confirm = () => false;
window.prompt = () => null;
window.addEventListener('beforeunload', event => event.stopImmediatePropagation(), true);
"""
"""Runs before the scripts of each page and disables dialogs, as an open dialog would block every later step."""


class Part(Enum):
    """A required program that may be missing: its English name, and in Korean how to install it."""

    NODE = ("node is not on the PATH", "Node.js 20 이상을 설치하면 쓸 수 있어요.")
    SERVER = ("@playwright/mcp is not installed", "Playwright MCP가 없어요. make browser를 실행하면 설치돼요.")
    CHROMIUM = ("no Chromium is on the PATH", "Chromium을 설치하면 쓸 수 있어요.")
    SANDBOX = (
        "Chromium's sandbox does not work for this user",
        "이 환경에서는 Chromium의 보호 기능(sandbox)이 켜지지 않아요. 사용자 네임스페이스를 허용해 주세요.",
    )
    START = (
        "the Playwright MCP server does not start",
        "브라우저 검색을 시작하지 못했어요. Node.js가 20 이상인지 확인하고 make browser를 다시 실행해 주세요.",
    )

    def __init__(self, english: str, advice: str) -> None:
        self.english = english
        self.advice = advice

    def error(self, detail: str = "") -> ProviderError:
        """Return the error of a search without this part; *detail* contains no query."""
        message = f"The browser cannot be used: {self.english}{f' ({detail})' if detail else ''}."
        status = SearchStatus.API_KEY_MISSING  # "not set up yet", which a pause does not help against
        return ProviderError(status, message, advice=self.advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundParts:
    """Holds the paths of the required programs."""

    node: str
    cli: str
    chromium: str


def find_parts() -> FoundParts | Part:
    """Return the paths of the programs, or the first missing one; starts nothing."""
    node = shutil.which("node")
    if node is None:
        return Part.NODE
    if not INSTALLED_CLI.is_file():
        return Part.SERVER
    chromium = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if chromium is None:
        return Part.CHROMIUM
    return FoundParts(node=node, cli=str(INSTALLED_CLI.resolve()), chromium=str(Path(chromium).absolute()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """The parameters for starting a session."""

    parts: FoundParts
    address: str
    """The page to open; no other host and port is reachable."""
    timeout_s: float


def make_folder(launch: Launch) -> tempfile.TemporaryDirectory[str]:
    """Return a private folder for a session, with the server's configuration; its temporary files belong there, too."""
    system = tempfile.gettempdir()
    roomy = len(system) <= MAX_TEMP_CHARS or not Path("/tmp").is_dir()  # noqa: S108 - a folder of our own is made in it
    folder = tempfile.TemporaryDirectory(prefix=FOLDER_PREFIX, dir=system if roomy else "/tmp", ignore_cleanup_errors=True)  # noqa: S108 - as above
    quiet = Path(folder.name, "quiet.js")
    quiet.write_text(QUIET_SCRIPT, encoding="utf-8")
    Path(folder.name, CONFIGURATION).write_text(json.dumps(configuration(launch, Path(folder.name), quiet)), encoding="utf-8")
    return folder


def configuration(launch: Launch, folder: Path, quiet: Path) -> dict[str, object]:
    """Return what the configuration file of the Playwright MCP server holds for *launch*."""
    timeout_ms = round(launch.timeout_s * 1000)
    return {
        "browser": {
            "browserName": "chromium",
            "isolated": True,
            "initScript": [str(quiet)],
            "launchOptions": {
                "executablePath": launch.parts.chromium,
                "headless": True,
                "chromiumSandbox": not hasattr(os, "geteuid") or os.geteuid() != 0,  # Chromium refuses it to root
                "timeout": timeout_ms,
                "args": [f"--host-resolver-rules={host_rules(launch.address)}", "--blink-settings=imagesEnabled=false"],
            },
            "contextOptions": {"serviceWorkers": "block", "acceptDownloads": False, "permissions": [], "locale": LOCALE},
        },
        # The second layer, which also stops addresses without a host.
        "network": {"allowedOrigins": [origin(launch.address)]},
        # Ours is the deadline; the server's own must not end before it and leave a wedged tab.
        "timeouts": {"action": timeout_ms, "navigation": timeout_ms, "settle": 0, "idle": 0},
        "snapshot": {"mode": "none"},
        "console": {"level": "error"},
        "codegen": "none",
        "imageResponses": "omit",
        "webmcp": False,
        "outputDir": str(folder / "out"),
        "outputMaxSize": MAX_OUTPUT_BYTES,
    }


def host_rules(address: str) -> str:
    """Return Chromium's host resolver rules under which only *address*'s host and port can be reached."""
    host, port = _host_and_port(address)
    return f"MAP {host}:{port} {host}:{port} , MAP * ~NOTFOUND"


def origin(address: str) -> str:
    """Return the origin of *address* as its pages see it."""
    scheme = urlsplit(address).scheme
    host, port = _host_and_port(address)
    return f"{scheme}://{host}" if port == _PORTS[scheme] else f"{scheme}://{host}:{port}"


def _host_and_port(address: str) -> tuple[str, int]:
    parts = urlsplit(address)
    host = parts.hostname or ""
    return f"[{host}]" if ":" in host else host, parts.port or _PORTS[parts.scheme]


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


def check_result(tool: str, text: str, *, is_error: bool) -> str:
    """Return the text of *tool*'s success; raises PageMovedOn, and ProviderError for every failure."""
    if is_error:
        raise PageMovedOn if _MOVED_ON.search(text) else _failure(tool, text)
    return text


def result_value(text: str) -> object:
    """Return a script's result; raises ProviderError(INVALID_RESPONSE) if there is none."""
    if not text.startswith(RESULT):
        raise unreadable("The browser's answer has no result.")
    try:
        return json.JSONDecoder().raw_decode(text, len(RESULT))[0]
    except (ValueError, RecursionError):
        raise unreadable("The browser's answer is no JSON.") from None


def _failure(tool: str, text: str) -> ProviderError:
    if match := _NET_ERROR.search(text):
        status = SearchStatus.TIMEOUT if match[1] in _LATE_NET_ERRORS else SearchStatus.NETWORK_ERROR
        return ProviderError(status, f"The search page could not be reached ({match[1]}).")
    for mark, part in _LAUNCH_FAULTS:
        if mark.search(text):
            return part.error()
    if "Failed to launch" in text or "browserType.launch" in text:
        return ProviderError(SearchStatus.UNKNOWN_ERROR, "Chromium does not start.")
    if "does not match any elements" in text:
        return unreadable("The page has no search box; its layout may have changed.")
    if re.search(r"Timeout \d+ms exceeded", text):
        return ProviderError(SearchStatus.TIMEOUT, f"The browser did not get through {tool} in time.")
    if re.search(r"has been closed|crashed|Target closed", text):
        return ProviderError(SearchStatus.UNKNOWN_ERROR, "Chromium ended in the middle of the search.")
    if tool == "browser_evaluate":
        return unreadable("The page does not let itself be read.")
    return ProviderError(SearchStatus.UNKNOWN_ERROR, f"The browser could not do {tool}.")


class Tab:
    """Opens pages, types and reads; every method raises ProviderError when it fails.

    The methods have no time limits, because the server cannot be stopped in the middle; the caller kills the session instead.
    """

    def __init__(self, call_tool: CallTool) -> None:
        self._call_tool = call_tool

    async def open(self, address: str) -> bool:
        """Go to *address* and return whether the site sent a page, even an error page.

        False means an HTTP error without a page, for which Chromium is about to show its own error page.
        """
        is_error, text = await self._call_tool("browser_navigate", {"url": address})
        if is_error and "net::ERR_HTTP_RESPONSE_CODE_FAILURE" in text:  # an HTTP error without a body
            return False
        check_result("browser_navigate", text, is_error=is_error)
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
        is_error, text = await self._call_tool(tool, arguments)
        return check_result(tool, text, is_error=is_error)
