"""The tool that reads one page of the web, or one document of the user, as strangers' words."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from search_core.agents.arguments import Page, names, result_names
from search_core.agents.calls import Call
from search_core.agents.material import Item, address, one_line, text_items
from search_core.agents.replies import Reply, Status
from search_core.agents.tools import Tool, ToolParts
from search_core.domain.text_limits import RESULT_URL
from search_core.errors import InputError
from search_core.text.web_address import web_address

if TYPE_CHECKING:
    from search_core.core import SearchCore
    from search_core.reading import page_reader

_LIBRARY = "library:"
_MARGIN_S = 2.0


class ReadPage(Tool):
    """Read a web page, or a document that search found."""

    name = "read_page"
    result = result_names("url date", data=names("title text"))
    url: Annotated[str, Field(max_length=RESULT_URL.most)]
    page: Page = 1

    def run(self, core: SearchCore, parts: ToolParts, call: Call) -> Reply:
        """Return a part of what the page says; raises InputError for no address of one, and PageReadError."""
        given = self.url.strip()
        known = given if given.startswith(_LIBRARY) else web_address(given)
        if not known:
            raise InputError(
                "This is no address of a web page.", korean="웹 페이지의 주소가 아니에요. 주소를 다시 확인해 주세요."
            )
        call.report("Reading the page.")
        found = self._read(core, known, parts, call)
        page, facts = found.page, _facts(found.url, found.page.published)
        if not page.text.strip():
            return Reply(status=Status.FOUND_NONE, note="The page was read and says nothing in words.", facts=facts)
        title = one_line(page.title, 200)
        return Reply(
            status=Status.DONE,
            note=f"The page has {len(page.text)} characters.",
            coverage=("read 1 page",),
            facts=facts,
            items=(*((Item("title", title, f"title: {title}"),) if title else ()), *text_items("text", page.text)),
            page=self.page,
            how_to_page="read_page with the same url and ",
        )

    def _read(self, core: SearchCore, url: str, parts: ToolParts, call: Call) -> page_reader.ReadPage:
        """Return the page at *url*, read now where its first part is asked for."""
        key = (call.caller.owner, url)
        kept = parts.pages.get(key) if self.page > 1 else None
        if kept is None:
            kept = core.read_page(url, timeout_s=max(0.1, call.left_s - _MARGIN_S))
            parts.pages.put(key, kept)
        return kept


def _facts(url: str, published: datetime | None) -> dict[str, str]:
    return {"url": address(url), "date": published.date().isoformat() if published else ""}
