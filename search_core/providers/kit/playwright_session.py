"""One server with its Chromium, for one errand.

Imported on the browser's thread only: the MCP SDK takes most of a second to import, and no other thread needs it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import time
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import TextContent

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.playwright import CONFIGURATION, CallTool, Launch, Part, Tab, make_folder

logger = logging.getLogger(__name__)
logging.getLogger("mcp").setLevel(logging.WARNING)
logging.getLogger("mcp.client.stdio").setLevel(logging.CRITICAL)  # repeats lines it cannot read, with what was typed in them

_BROKEN = (ExceptionGroup, MCPError, OSError, RuntimeError, ValueError, anyio.BrokenResourceError, anyio.ClosedResourceError)
"""Errors of a server that does not start or has ended; which one comes depends on how far it had started."""
PROC = Path("/proc")
LOG = "stderr.log"
MAX_SWEEP_S = 2.0
_PAUSE_S = 0.01


class Session:
    """One server in its own task, which enters and leaves the MCP client; belongs to its loop."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._folder: Path | None = None
        self.opened: asyncio.Future[Tab] = asyncio.get_running_loop().create_future()
        """The tab, once the server has started; raises ProviderError where it does not start."""
        self._life = asyncio.create_task(self._live())

    async def end(self) -> None:
        """Kill all that belongs to the session, and return when no process and file is left."""
        if self._folder is not None:
            sweep(self._folder)  # before leaving: the SDK would wait for a server that may be frozen
        if not self._life.cancelling():
            self._life.cancel()
        await asyncio.wait([self._life])

    async def _live(self) -> None:
        try:
            made = make_folder(self._launch)
        except OSError as error:
            logger.warning("No folder can be made for a browser session: %s", error)
            self._fail(ProviderError(SearchStatus.UNKNOWN_ERROR, f"No folder can be made for the browser ({error.strerror})."))
            return
        with made as name:
            self._folder = folder = Path(name)
            try:
                await self._converse(folder)
            except _BROKEN as error:  # logged by their names alone: their texts and traces may show what was typed
                if self.opened.done():
                    logger.warning("A browser session ended oddly: %s", type(error).__name__)
                else:
                    said = (folder / LOG).read_bytes()[-4_000:].decode("utf-8", "replace")
                    reason = " ".join(said.split())[-300:]
                    logger.warning("The Playwright MCP server does not start: %s", reason)
                    self._fail(Part.START.error(reason))
            finally:
                sweep(folder)

    async def _converse(self, folder: Path) -> None:
        parts, own = self._launch.parts, str(folder)
        server = StdioServerParameters(
            command=parts.node,
            args=[parts.cli, "--config", str(folder / CONFIGURATION)],
            env={"TMPDIR": own, "XDG_CACHE_HOME": own, "XDG_CONFIG_HOME": own},  # beside PATH, HOME and the like; never our keys
            cwd=folder,
        )
        with (folder / LOG).open("w", encoding="utf-8") as log:
            async with Client(stdio_client(server, errlog=log)) as client:
                self.opened.set_result(Tab(_caller(client)))
                try:
                    await asyncio.Event().wait()  # until it is cancelled
                finally:
                    sweep(folder)

    def _fail(self, error: ProviderError) -> None:
        if not self.opened.done():
            self.opened.set_exception(error)


def _caller(client: Client) -> CallTool:
    async def call(tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
        try:
            result = await client.call_tool(tool, arguments)
        except MCPError as error:
            message = f"The Playwright MCP server ended in the middle of the search (MCP {error.code})."
            raise ProviderError(SearchStatus.UNKNOWN_ERROR, message) from None
        return bool(result.is_error), "\n".join(part.text for part in result.content if isinstance(part, TextContent))

    return call


def sweep(folder: Path) -> None:
    """Kill all processes whose TMPDIR is *folder*, and return when they have ended, after at most ``MAX_SWEEP_S`` seconds.

    Chromium runs in a process group of its own, which neither the SDK's signals nor the death of a parent reach; when it is
    frozen it outlives the server. All processes of a session carry its private TMPDIR in their environment, and no others do.
    Does nothing on systems without ``/proc``, where only the SDK ends the server.
    """
    ends_s = time.monotonic() + MAX_SWEEP_S
    while pids := find_tagged(folder):
        if time.monotonic() > ends_s:
            logger.error("Processes of a browser session cannot be killed: %s", pids)
            return
        for pid in pids:
            _kill(pid)
        time.sleep(_PAUSE_S)


def find_tagged(folder: Path) -> list[int]:
    """Return the ids of living processes whose TMPDIR is *folder*."""
    tag = f"TMPDIR={folder}".encode()
    return [int(entry.name) for entry in PROC.glob("[0-9]*") if tag in _environment(entry)]


def _environment(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:  # gone since, or of another user
        return []


def _kill(pid: int) -> None:
    try:
        if os.getpgid(pid) == pid:  # the sandboxed children of a group's leader hide their environment
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError) as error:
        logger.debug("Process %d was gone before it was killed: %s", pid, error)
