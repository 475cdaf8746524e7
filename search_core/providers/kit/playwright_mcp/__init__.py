"""A real Chromium, driven through Playwright MCP (@playwright/mcp 0.0.83 over stdio, read 2026-11)."""

from search_core.providers.kit.playwright_mcp.configuration import Launch, Part, find_parts
from search_core.providers.kit.playwright_mcp.tab import PageMovedOn, Tab
from search_core.providers.kit.playwright_mcp.worker import PlaywrightBrowser

__all__ = ["Launch", "PageMovedOn", "Part", "PlaywrightBrowser", "Tab", "find_parts"]
