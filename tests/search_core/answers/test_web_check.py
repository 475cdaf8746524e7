"""Several pages read at the same time, with pages that fail and never come."""

from __future__ import annotations

import asyncio

from search_core.answers.web_check import read_pages
from search_core.errors import PageFailure
from search_core.reading.page_reader import ReadPage
from tests.search_core.answers.checked import Pages

URLS = {1: "https://a.example", 2: "https://b.example", 3: "https://c.example"}


def read(pages: Pages, *, deadline_s: float = 30) -> dict[int, ReadPage | PageFailure]:
    return asyncio.run(asyncio.wait_for(read_pages(URLS, pages.read, deadline_s), 50))


def test_pages_come_by_number_and_in_time():
    """What was read and why other pages were not stand under the numbers; one that never comes delays none, and is left."""
    found = read(Pages({URLS[1]: "글", URLS[2]: PageFailure.BLOCKED, URLS[3]: RuntimeError("odd")}))
    page = found[1]
    assert isinstance(page, ReadPage)
    assert page.page.text == "글"
    assert (found[2], found[3]) == (PageFailure.BLOCKED, PageFailure.UNREADABLE)
    pages = Pages({URLS[1]: None, URLS[2]: "글", URLS[3]: "글"})
    found = read(pages, deadline_s=0.3)
    assert (found[1], isinstance(found[2], ReadPage), isinstance(found[3], ReadPage)) == (PageFailure.TIMEOUT, True, True)
    assert pages.open == 0


def test_no_page_is_lost_to_the_start_of_what_reads_it():
    """The time for pages begins when their reader is there; without pages nobody waits for it."""
    order: list[str] = []

    class Waiting(Pages):
        async def read(self, url: str) -> ReadPage:
            order.append("page")
            return await super().read(url)

    pages = Waiting({URLS[1]: "글"})
    found = asyncio.run(read_pages({1: URLS[1]}, pages.read, 0.5, lambda: order.append("reader")))
    assert (order, type(found[1])) == (["reader", "page"], ReadPage)
    assert asyncio.run(read_pages({}, pages.read, 0.5, lambda: order.append("reader"))) == {}
    assert len(order) == 2
