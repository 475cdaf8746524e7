"""The tool that reads one page of the web, or one document of the user, as strangers' words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line, text_items
from search_core.agents.replies import Reply, Status
from search_core.domain.text_limits import RESULT_URL
from search_core.errors import InputError
from search_core.recent import Recent
from search_core.text.web_address import web_address

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.reading.page_reader import ReadPage

MAX_URL_CHARS = RESULT_URL.most
_LIBRARY = "library:"
_KEPT = 16
_MARGIN_S = 2.0


class KeptPages:
    """Keeps the pages that callers read last, so that what follows the first part of one is of the same page."""

    def __init__(self) -> None:
        self._pages: Recent[tuple[str, str], ReadPage] = Recent(_KEPT)

    def get(self, url: str, part: int, core: SearchCore, call: Call) -> ReadPage:
        """Return the page at *url*, read now where its first part is asked for; raises PageReadError."""
        key = (call.caller.owner, url)
        kept = self._pages.get(key) if part > 1 else None
        if kept is None:
            kept = core.read_page(url, timeout_s=max(0.1, call.left_s - _MARGIN_S))
            self._pages.put(key, kept)
        return kept


def read(core: SearchCore, url: str, part: int, pages: KeptPages, call: Call) -> Reply:
    """Return a part of what the page at *url* says; raises InputError for no address of one, and PageReadError."""
    given = url.strip()
    known = given if given.startswith(_LIBRARY) else web_address(given)
    if not known:
        raise InputError("This is no address of a web page.", korean="웹 페이지의 주소가 아니에요. 주소를 다시 확인해 주세요.")
    call.report("Reading the page.")
    found = pages.get(known, part, core, call)
    page = found.page
    if not page.text.strip():
        return Reply(
            status=Status.FOUND_NONE, note="The page was read and says nothing in words.", facts=_facts(found.url, page.published)
        )
    title = one_line(page.title, 200)
    return Reply(
        status=Status.DONE,
        note=f"The page has {len(page.text)} characters.",
        coverage=("read 1 page",),
        facts=_facts(found.url, page.published),
        items=(*((Item("title", title, f"title: {title}"),) if title else ()), *text_items("text", page.text)),
        page=part,
        how_to_page="read_page with the same url and ",
    )


def _facts(url: str, published: datetime | None) -> dict[str, str]:
    return {"url": address(url), "date": published.date().isoformat() if published else ""}
