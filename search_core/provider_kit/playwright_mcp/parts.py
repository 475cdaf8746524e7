"""What a browser search needs on this machine: node, the MCP package, a Chromium, and a screen when it is to be seen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.provider_kit.failures import KOREAN

INSTALLED_CLI = Path(__file__).parents[3] / "browser" / "node_modules" / "@playwright" / "mcp" / "cli.js"
"""Where ``make browser`` puts the server."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SCREEN = ("DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR")


class Part(Enum):
    """One thing that may be missing: what it is in English, and in Korean how to get it."""

    NODE = ("node is not on the PATH", "Node.js 20 이상을 설치하면 쓸 수 있어요.")
    SERVER = ("@playwright/mcp is not installed", "Playwright MCP가 없어요. make browser를 실행하면 설치돼요.")
    CHOSEN_SERVER = (
        "PLAYWRIGHT_MCP_CLI names no file",
        "PLAYWRIGHT_MCP_CLI에 적힌 파일이 없어요. 경로를 고치거나, 비워 두고 make browser를 실행해 주세요.",
    )
    CHROMIUM = ("no Chromium is on the PATH", "Chromium을 설치하거나 PLAYWRIGHT_BROWSER에 그 경로를 적으면 쓸 수 있어요.")
    CHOSEN_CHROMIUM = (
        "PLAYWRIGHT_BROWSER names no program",
        "PLAYWRIGHT_BROWSER에 적힌 브라우저를 실행할 수 없어요. 경로를 고치거나 비워 주세요.",
    )
    SCREEN = (
        "there is no display for a browser with a window",
        "창을 띄울 화면(DISPLAY)이 없어요. PLAYWRIGHT_HEADLESS를 true로 두면 창 없이 검색해요.",
    )
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
        """Return the error of a search that found this part missing; *detail* holds no query."""
        message = f"The browser cannot be used: {self.english}{f' ({detail})' if detail else ''}."
        status = SearchStatus.API_KEY_MISSING  # "not set up yet", which a pause does not help against
        return ProviderError(status, message, korean=KOREAN[status], advice=self.advice)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundParts:
    """Holds the paths of what was found."""

    node: str
    cli: str
    chromium: str
    screen: Mapping[str, str]
    """The environment variables of the desktop that a browser with a window needs; empty for one without."""


class Parts:
    """Looks for the parts without starting anything; what was found is not looked for again."""

    def __init__(self, *, cli: str = "", chromium: str = "", headless: bool = True) -> None:
        """Take paths, or empty ones for the usual locations."""
        self._cli = cli.strip()
        self._chromium = chromium.strip()
        self._headless = headless
        self._found: FoundParts | None = None

    def missing(self) -> Part | None:
        """Return the first part that is missing, or None."""
        found = self._found or self._look()
        return found if isinstance(found, Part) else None

    def found(self) -> FoundParts:
        """Return where the parts are; raises ProviderError(API_KEY_MISSING) with advice when one is missing."""
        found = self._found or self._look()
        if isinstance(found, Part):
            raise found.error()
        return found

    def _look(self) -> FoundParts | Part:
        node = shutil.which("node")
        if node is None:
            return Part.NODE
        cli = Path(self._cli) if self._cli else INSTALLED_CLI
        if not cli.is_file():
            return Part.CHOSEN_SERVER if self._cli else Part.SERVER
        chromium = next(
            (path for name in ([self._chromium] if self._chromium else BROWSERS) if (path := shutil.which(name))), None
        )
        if chromium is None:
            return Part.CHOSEN_CHROMIUM if self._chromium else Part.CHROMIUM
        # The MCP package passes none of these on by itself, and would then run without a window.
        screen = {} if self._headless else {name: value for name, value in os.environ.items() if name in _SCREEN and value}
        if not self._headless and not screen.keys() & {"DISPLAY", "WAYLAND_DISPLAY"}:
            return Part.SCREEN
        self._found = FoundParts(node=node, cli=str(cli.resolve()), chromium=str(Path(chromium).absolute()), screen=screen)
        return self._found
