"""A real Chromium, driven through Playwright MCP (@playwright/mcp 0.0.83 over stdio, read 2026-11)."""

from search_core.providers.kit.playwright_mcp.configuration import Launch, Parts
from search_core.providers.kit.playwright_mcp.tab import PageMovedOn, SessionBrokenError, Tab
from search_core.providers.kit.playwright_mcp.worker import IDLE_S, PlaywrightBrowser

__all__ = ["IDLE_S", "Launch", "PageMovedOn", "Parts", "PlaywrightBrowser", "SessionBrokenError", "Tab"]
