"""DuckDuckGo's result page in a real Chromium, driven through Playwright MCP.

The last resort: it opens the page, types into its search box and reads the results, as a person would, but does not pretend to
be one. Page shape: html.duckduckgo.com, read 2026-11; there is no contract for it. What the page says is data: only titles,
addresses and snippets of limited length leave it, cleaned like every other foreign answer.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import secrets
import threading
from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ValidationError

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError, SettingsError
from search_core.language.web_address import host_name
from search_core.providers.kit.contract import ConfiguredProvider, SearchRequest, unreadable
from search_core.providers.kit.http import HttpAnswer, refusal
from search_core.providers.kit.payload import date, hit, is_advertisement, keep_readable, rank_hits, unwrap_link, web_url
from search_core.providers.kit.playwright import Launch, PageMovedOn, Part, Tab, find_parts, origin
from search_core.runtime import Clock, LoopThread, utc_now
from search_core.settings import Settings

logger = logging.getLogger(__name__)

MAX_RESULTS = 3
SEARCH_BOX = "input[name=q]"
LOOK_AGAIN_S = 0.05

LOOK = """() => {
  const text = (row, css, most) => (row.querySelector(css)?.textContent ?? '').slice(0, most);
  const links = [...document.querySelectorAll('.result a.result__a')];
  const rows = links.filter(link => !link.closest('.result--ad')).slice(0, 20).map(link => {
    const row = link.closest('.result');
    return {
      title: link.textContent.slice(0, 500),
      url: String(link.href).slice(0, 4000),
      snippet: text(row, '.result__snippet', 2000),
      date: text(row, '.result__extras__url span', 60),
    };
  });
  const has = css => document.querySelector(css) !== null;
  return {
    rows,
    mark: window.__maekrak ?? '',
    origin: location.origin,
    failed: location.protocol === 'chrome-error:',
    status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
    box: has(BOX),
    none: has('.result--no-result, .no-results__message'),
    challenge: has('#challenge-form, .anomaly-modal__title, .cf-turnstile, .g-recaptcha, .h-captcha'),
    parsed: document.readyState !== 'loading',
    loaded: document.readyState === 'complete',
  };
}""".replace("BOX", json.dumps(SEARCH_BOX))
"""Returns what the page shows right now; waits for nothing."""


class ShownPage(BaseModel, frozen=True):
    """The visible state of the page, as the script ``LOOK`` returns it; untrusted."""

    rows: list[dict[str, Any]]
    mark: str
    """A mark that this search wrote into the page with the search box; once it is missing, another page has loaded."""
    origin: str
    failed: bool
    """Whether it is Chromium's own page about a failed connection."""
    status: int
    """HTTP status, 0 when unknown."""
    box: bool
    none: bool
    challenge: bool
    parsed: bool
    loaded: bool


class BrowserProvider(ConfiguredProvider):
    """Asks PLAYWRIGHT_SEARCH_URL, one search at a time, and takes the first three results."""

    name: ClassVar[str] = "browser"
    label: ClassVar[str] = "브라우저 (DuckDuckGo)"
    max_query_chars: ClassVar[int] = 499  # longer ones are cut by the service
    timeout_s: float

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        """Set up for PLAYWRIGHT_SEARCH_URL; raises SettingsError when that is no web address."""
        super().__init__(settings, now=now)
        address = web_url(settings.playwright_search_url)
        if address is None:
            raise SettingsError(
                "PLAYWRIGHT_SEARCH_URL must be an http or https address without a password.",
                korean="PLAYWRIGHT_SEARCH_URL에는 http:// 나 https:// 로 시작하는 주소를 적어 주세요.",
            )
        self._address = address
        self.timeout_s = settings.playwright_timeout / 1000
        self._lock = threading.Lock()
        self._loop: LoopThread | None = None
        self._turn = asyncio.Lock()

    def absent_because(self) -> str | None:
        """Return what is missing on this machine and how to install it; starts nothing."""
        parts = find_parts()
        return parts.advice if isinstance(parts, Part) else None

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the first results of the page, at most three."""
        rows = await self._run(request.query[: self.max_query_chars])
        results = keep_readable([self._result(row) for row in rows if not is_advertisement(str(row.get("url")))])
        return rank_hits(results, self.name, min(request.limit, MAX_RESULTS))

    def cache_key(self) -> dict[str, str]:
        """Return the address of the search page."""
        return {"address": self._address}

    async def aclose(self) -> None:
        """End the browser and everything it started; a search that is under way fails."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            atexit.unregister(self._close)
            try:
                loop.close()
            except TimeoutError:
                logger.error("The browser's loop does not end")

    async def _run(self, query: str) -> list[dict[str, Any]]:
        """Return the rows for *query* within ``timeout_s`` seconds, including the wait for earlier searches."""
        parts = find_parts()
        if isinstance(parts, Part):
            raise parts.error()
        launch = Launch(parts=parts, address=self._address, timeout_s=self.timeout_s)
        with self._lock:
            if self._loop is None:
                self._loop, self._turn = LoopThread(), asyncio.Lock()
                atexit.register(self._close)
            future = self._loop.start(self._ask_in_session(launch, query))
        done = asyncio.wrap_future(future)
        try:
            ended, _ = await asyncio.wait([done], timeout=self.timeout_s)  # nobody waits for the session to be killed
        finally:
            future.cancel()  # does nothing once it is done
        if not ended:
            raise ProviderError(SearchStatus.TIMEOUT, f"The browser did not get its answer within {self.timeout_s:g} s.")
        if done.cancelled():
            raise ProviderError(SearchStatus.UNKNOWN_ERROR, "The browser was closed.")
        return done.result()

    async def _ask_in_session(self, launch: Launch, query: str) -> list[dict[str, Any]]:
        from search_core.providers.kit.playwright_session import Session  # the MCP SDK; see there

        async with self._turn:  # two browsers would take more than a gigabyte
            session = Session(launch)
            try:
                return await self._ask(await session.opened, query)
            finally:
                await session.end()

    async def _ask(self, tab: Tab, query: str) -> list[dict[str, Any]]:
        """Return the rows of the result page, none when it says there are none."""
        opened = await tab.open(self._address)
        mark = secrets.token_hex(8)  # so that the page asked from is never read as the page of results
        page = await _look(tab, f"() => {{ window.__maekrak = {mark!r}; return ({LOOK})(); }}")
        while not opened and not page.failed:
            await asyncio.sleep(LOOK_AGAIN_S)
            page = await _look(tab, LOOK)
        self._refuse(page, challenged=page.challenge and not page.box)
        if not page.box:
            raise unreadable("The search page has no search box; its layout may have changed.")
        await tab.submit(SEARCH_BOX, query)
        while True:
            page = await _look(tab, LOOK)
            if page.mark != mark:
                if page.rows and (page.parsed or len(page.rows) >= MAX_RESULTS):
                    return page.rows
                self._refuse(page, challenged=page.challenge)
                if page.none:
                    return []
                if page.loaded:
                    raise unreadable("The page holds neither results nor a word that there are none; its layout may be new.")
            await asyncio.sleep(LOOK_AGAIN_S)

    def _refuse(self, page: ShownPage, *, challenged: bool) -> None:
        """Raise the error that the page shows, such as a CAPTCHA or an HTTP error, if any."""
        host = host_name(self._address)
        if page.origin == "null" and not page.failed:  # the empty page after a crash
            raise ProviderError(SearchStatus.UNKNOWN_ERROR, "The browser lost the page in the middle of the search.")
        if page.failed and page.status in (0, 200):
            raise ProviderError(SearchStatus.NETWORK_ERROR, f"{host} could not be reached.")
        if page.status in (202, 400, 418) or (challenged and page.status != 429):
            message = f"{host} wants proof that a human is asking (HTTP {page.status}); it blocks by address."
            raise ProviderError(SearchStatus.BLOCKED, message)
        if not page.failed and page.origin != origin(self._address):
            raise unreadable("The search page leads to another site.")
        error = refusal(HttpAnswer(host=host, status=page.status or 200, headers={}, body=b""), self._now())
        if error is not None:
            raise error

    def _result(self, row: Mapping[str, Any]) -> SearchResult | None:
        url = row.get("url")
        day = row.get("date")
        return hit(
            title=row.get("title"),
            url=unwrap_link(url) if isinstance(url, str) else None,
            snippet=row.get("snippet"),
            published=date(day.replace("\xa0", " "), self._now()) if isinstance(day, str) else None,
        )


async def _look(tab: Tab, script: str) -> ShownPage:
    while True:
        try:
            return ShownPage.model_validate(await tab.read(script))
        except PageMovedOn:
            await asyncio.sleep(LOOK_AGAIN_S)
        except ValidationError:
            raise unreadable("The page does not let itself be read.") from None
