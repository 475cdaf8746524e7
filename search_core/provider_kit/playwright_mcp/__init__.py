"""A real Chromium, driven through Playwright MCP (@playwright/mcp 0.0.83 over stdio, read 2026-11)."""

from search_core.provider_kit.playwright_mcp.configuration import Launch
from search_core.provider_kit.playwright_mcp.parts import Parts
from search_core.provider_kit.playwright_mcp.tab import Tab
from search_core.provider_kit.playwright_mcp.tool_result import PageMovedOn, SessionBrokenError
from search_core.provider_kit.playwright_mcp.worker import IDLE_S, PlaywrightBrowser

__all__ = ["IDLE_S", "Launch", "PageMovedOn", "Parts", "PlaywrightBrowser", "SessionBrokenError", "Tab"]
