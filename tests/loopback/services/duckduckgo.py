"""DuckDuckGo: the page of html.duckduckgo.com behind a TLS proxy, advertisement included, and its challenge page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from urllib.parse import quote

from tests.loopback.played import HTML_TYPE, Answer, Asked, Page, PlayedService

CHALLENGE = (
    '<!doctype html><form id="challenge-form">'
    '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form>'
)


def results(pages: Sequence[Page]) -> str:
    """Return the part of a result page that lists *pages* behind an advertisement, or says that there is nothing."""
    blocks = [_block(page) for page in pages] or ['<div class="result result--no-result">No results.</div>']
    advertisement = (
        '<div class="result results_links result--ad"><div class="links_main links_deep result__body"><h2 class="result__title">'
        '<a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">광고</a></h2>'
        '<a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">지금 사세요</a></div></div>'
    )
    return f'<div id="links" class="results">{"".join([advertisement, *blocks] if pages else blocks)}</div>'


def _render(pages: tuple[Page, ...], _: Asked) -> Answer:
    page = f'<!doctype html><html><head><meta charset="utf-8"></head><body>{results(pages)}</body></html>'
    return 200, {"content-type": HTML_TYPE}, page.encode()


def _block(page: Page) -> str:
    link = html.escape(f"//duckduckgo.com/l/?uddg={quote(page.url, safe='')}&rut=0a1b2c")
    stamp = f"<span>&nbsp; &nbsp; {page.published}.0000000</span>" if page.published else ""
    return (
        '<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">'
        f'<h2 class="result__title"><a rel="nofollow" class="result__a" href="{link}">{html.escape(page.title)}</a></h2>'
        f'<div class="result__extras"><div class="result__extras__url"><a class="result__url" href="{link}">'
        f"{html.escape(page.url.partition('://')[2])}</a>{stamp}</div></div>"
        f'<a class="result__snippet" href="{link}">{html.escape(page.snippet)}</a><div class="clear"></div></div></div>'
    )


SERVICE = PlayedService(
    name="duckduckgo",
    settings=lambda base_url: {"ddgs_proxy": base_url},
    query=lambda asked: asked.form.get("q", ""),
    render=_render,
    answers={"blocked": (202, {"content-type": HTML_TYPE}, CHALLENGE.encode())},
    dated=True,
    tls_host="html.duckduckgo.com",
)
