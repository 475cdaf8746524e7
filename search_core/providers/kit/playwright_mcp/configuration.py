"""The setup of the server and its Chromium: one folder for each session, only the search page's host reachable.

Configuration keys: ``config.d.ts`` of @playwright/mcp 0.0.83, read 2026-11. Its own ``allowedOrigins`` stops neither redirects
nor WebSockets; Chromium's host resolver rules do, and with the port in them they stop other services on the same host as well.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError

logger = logging.getLogger(__name__)

INSTALLED_CLI = Path(__file__).parents[4] / "browser" / "node_modules" / "@playwright" / "mcp" / "cli.js"
"""Where ``make browser`` puts the server."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOLDER_PREFIX = "maekrak-browser-"
MAX_TEMP_CHARS = 40
"""Chromium and the server open sockets below TMPDIR, and the path of a socket holds 107 bytes."""
MAX_OUTPUT_BYTES = 1_000_000
"""What a page writes to its console ends in files of the session."""
LOCALE = "ko-KR"
_PORTS = {"http": 80, "https": 443}

QUIET_SCRIPT = """
for (const name of ['alert', 'print', 'open', 'focus']) window[name] = () => null;
window.confirm = () => false;
window.prompt = () => null;
window.addEventListener('beforeunload', event => event.stopImmediatePropagation(), true);
"""
"""Runs before the scripts of each page: an open dialog would hold up every later step."""


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

    @property
    def sandbox(self) -> bool:
        """Return whether Chromium's sandbox is on; Chromium refuses it to root."""
        return not hasattr(os, "geteuid") or os.geteuid() != 0


class RunFolder:
    """The private folder of one session: configuration, log, and temporary files; deleted with it."""

    def __init__(self, launch: Launch) -> None:
        system = tempfile.gettempdir()
        roomy = len(system) <= MAX_TEMP_CHARS or not Path("/tmp").is_dir()  # noqa: S108 - mkdtemp makes a folder of our own in it
        self.path = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=system if roomy else "/tmp"))  # noqa: S108 - as above
        self.log = self.path / "stderr.log"
        self._config = self.path / "mcp.json"
        quiet = self.path / "quiet.js"
        quiet.write_text(QUIET_SCRIPT, encoding="utf-8")
        self._config.write_text(json.dumps(configuration(launch, self.path, quiet)), encoding="utf-8")
        self._launch = launch

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        if self.path.exists():
            logger.warning("%s could not be removed", self.path)

    @property
    def arguments(self) -> list[str]:
        """Return the arguments for node."""
        return [self._launch.parts.cli, "--config", str(self._config)]

    @property
    def environment(self) -> dict[str, str]:
        """Return the server's environment variables besides PATH, HOME and the like; our keys are never among them."""
        own = str(self.path)
        return {"TMPDIR": own, "XDG_CACHE_HOME": own, "XDG_CONFIG_HOME": own}

    def last_words(self, max_chars: int = 300) -> str:
        """Return the end of the server's error output in one line."""
        with self.log.open("rb") as log:
            log.seek(max(self.log.stat().st_size - 4_000, 0))
            return " ".join(log.read().decode("utf-8", "replace").split())[-max_chars:]


def configuration(launch: Launch, folder: Path, quiet: Path) -> dict[str, object]:
    """Return the server's configuration file for *launch*."""
    timeout_ms = round(launch.timeout_s * 1000)
    return {
        "browser": {
            "browserName": "chromium",
            "isolated": True,
            "initScript": [str(quiet)],
            "launchOptions": {
                "executablePath": launch.parts.chromium,
                "headless": True,
                "chromiumSandbox": launch.sandbox,
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
