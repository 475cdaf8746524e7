"""DuckDuckGo, through the engine of the ddgs package.

The facade of ddgs asks up to seven hosts for one question and turns blocked requests into "no results". Here its engine says what
to send and where results stand on the page, while the request is our own: one host, the real HTTP status, dates, unwrapped links
and sockets that close on cancelling. Page shapes: html.duckduckgo.com, read 2026-11; there is no contract for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

import primp
from ddgs.engines import ENGINES
from lxml import etree

from search_core.domain.reply import SearchStatus
from search_core.domain.result import SearchResult
from search_core.errors import ProviderError, SettingsError, is_untrusted
from search_core.language.challenge import is_challenge
from search_core.language.redaction import quiet_libraries
from search_core.providers.kit.contract import SAFE_SEARCH, ConfiguredProvider, SearchRequest, unreachable, unreadable
from search_core.providers.kit.http import MAX_ANSWER_BYTES, HttpAnswer, refusal
from search_core.providers.kit.payload import date, hit, is_advertisement, keep_readable, rank_hits, unwrap_link
from search_core.runtime import Clock, utc_now
from search_core.settings import Settings

quiet_libraries()

MAX_PAGE_CHARS = 1_000_000
"""Longest page that is parsed, as libxml2 takes quadratic time for some pages; a normal result page has 50,000 characters."""
RESULT_MARK = "result__a"
"""Class of a result's link; a page that has one is no challenge page, even if a result mentions a CAPTCHA."""
MODERATE = "-1"
"""Value of ``kp``, which the engine of ddgs does not send (duckduckgo.com/duckduckgo-help-pages/settings/params, 2026-11)."""
_LINK = ".//h2//a[contains(@class, 'result__a')]"
MARKED = {
    "title": f"{_LINK}//text()",
    "href": f"{_LINK}/@href",
    "body": ".//*[contains(@class, 'result__snippet')]//text()",
}
"""XPaths of a result's title, address and text, for both DuckDuckGo pages (with and without scripts).

Those of ddgs fit only the page without scripts, and read the address from the snippet, which some results lack.
"""
EMPTY_MARKS = ("result--no-result", "no-results__message")
_HEADERS = {
    "Referer": "https://html.duckduckgo.com/",
    "Accept-Language": "ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7",
    "Sec-Fetch-Site": "same-origin",
}


class DuckDuckGoProvider(ConfiguredProvider):
    """Asks html.duckduckgo.com and no other host, with the TLS and header profile of a random current browser.

    The transport is primp, the one the ddgs package itself uses. It runs on threads of its own, yet cancelling the waiting task
    closes the socket (tried with primp 2.0.1, 2026-11). Its error texts hold whole addresses, so none of ours is made from them.
    """

    name: ClassVar[str] = "duckduckgo"
    label: ClassVar[str] = "DuckDuckGo"
    max_query_chars: ClassVar[int] = 499  # longer ones are cut by the service

    def __init__(self, settings: Settings, *, now: Clock = utc_now) -> None:
        """Set up by *settings*; raises SettingsError for a proxy or a file that cannot be used."""
        super().__init__(settings, now=now)
        self._engine = ENGINES["text"][self.name](timeout=int(self._timeout_s) or 1)
        try:
            self._client = primp.AsyncClient(
                proxy=settings.ddgs_proxy or None,
                ca_cert_file=settings.proxy_ca_file or None,
                timeout=self._timeout_s,
                impersonate="random",
                impersonate_os="random",
                follow_redirects=False,
                cookie_store=False,
            )
        except primp.BuilderError:
            raise SettingsError(
                "DDGS_PROXY is no proxy address, or PROXY_CA_FILE cannot be read.",
                korean="DDGS_PROXY 주소나 PROXY_CA_FILE 파일을 쓸 수 없어요. 값을 확인해 주세요.",
            ) from None

    async def search(self, request: SearchRequest) -> tuple[SearchResult, ...]:
        """Return the results of the first page, without advertisements."""
        form = self._engine.build_payload(
            query=request.query[: self.max_query_chars],
            region="kr-kr",  # the questions are Korean ones
            safesearch=SAFE_SEARCH,
            timelimit="m" if request.fresh else None,
        )
        form = {**form, "kp": MODERATE}
        answer = await self._post(self._engine.search_url, form)
        error = classify(answer, self._now())
        if error is not None:
            raise error
        results = await asyncio.to_thread(self._read, answer.text())
        return rank_hits(results, self.name, request.limit)

    async def _post(self, url: str, form: Mapping[str, str]) -> HttpAnswer:
        """Return the answer to *form*, whatever its status; raises ProviderError if it is missing or too large."""
        host = urlsplit(url).hostname or ""
        try:
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.request("POST", url, data=dict(form), headers=dict(_HEADERS), stream=True)
                body = bytearray()
                try:
                    async for chunk in response.aiter_bytes():
                        body += chunk
                        if len(body) > MAX_ANSWER_BYTES:
                            raise unreadable(f"The answer of {host} is larger than {MAX_ANSWER_BYTES} bytes.")
                finally:
                    await response.aclose()
                names = {str(name).lower(): str(value) for name, value in response.headers.items()}
                return HttpAnswer(host=host, status=response.status_code, headers=names, body=bytes(body))
        except (TimeoutError, primp.TimeoutError):
            raise ProviderError(SearchStatus.TIMEOUT, f"{host} did not answer within {self._timeout_s:g} s.") from None
        except primp.PrimpError as error:
            if isinstance(error, primp.ConnectError | primp.DNSError) or is_untrusted(error):
                raise unreachable(host, error) from None
            raise ProviderError(SearchStatus.NETWORK_ERROR, f"The connection to {host} broke ({type(error).__name__}).") from None

    def _read(self, page: str) -> tuple[SearchResult, ...]:
        if len(page) > MAX_PAGE_CHARS:
            raise unreadable("The result page is too large to be one.")
        try:
            blocks = self._engine.extract_tree(page).xpath(self._engine.items_xpath)
        except (etree.LxmlError, ValueError):
            raise unreadable("The result page is no HTML.") from None
        titled = [block for block in blocks if self._join(block, "title").strip()]
        if not titled and not any(mark in page for mark in EMPTY_MARKS):
            raise unreadable("The page holds neither results nor a word that there are none; its layout may have changed.")
        return keep_readable([self._result(block) for block in titled if not is_advertisement(self._first(block, "href"))])

    def _first(self, block: Any, part: str) -> str:
        elements = self._elements(block, part)
        return str(elements[0]) if elements else ""

    def _join(self, block: Any, part: str) -> str:
        return "".join(str(piece) for piece in self._elements(block, part))

    def _elements(self, block: Any, part: str) -> list[Any]:
        return list(block.xpath(MARKED[part]) or block.xpath(self._engine.elements_xpath[part]))

    def _result(self, block: Any) -> SearchResult | None:
        spans = block.xpath(".//*[contains(@class, 'result__extras__url')]//span//text()")
        dates = (date(str(span).replace("\xa0", " "), self._now()) for span in spans)
        return hit(
            title=self._join(block, "title"),
            url=unwrap_link(self._first(block, "href")),
            snippet=self._join(block, "body"),
            published=next((date for date in dates if date is not None), None),
        )


def classify(answer: HttpAnswer, now: datetime) -> ProviderError | None:
    """Return what is wrong with *answer*, if anything; a challenge page may come with any status."""
    if answer.status == 429:
        return refusal(answer, now)
    page = answer.text()
    challenged = RESULT_MARK not in page and is_challenge(page)
    if answer.status == 202 or challenged:
        return ProviderError(
            SearchStatus.BLOCKED,
            f"{answer.host} wants proof that a human is asking (HTTP {answer.status}); it blocks by address.",
        )
    if answer.status in (400, 418):
        return ProviderError(SearchStatus.BLOCKED, f"{answer.host} refused the request (HTTP {answer.status}).")
    return refusal(answer, now)
