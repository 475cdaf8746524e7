"""Several pages read at the same time, with pages that fail and never come."""

from __future__ import annotations

import asyncio

from search_core.answering.checking.pages import read_pages
from search_core.errors import PageFailure
from search_core.reading.page_reader import ReadPage
from tests.search_core.answering.checking.checked import Pages

URLS = {1: "https://a.example", 2: "https://b.example", 3: "https://c.example"}


def read(pages: Pages, *, urls: dict[int, str] = URLS, deadline_s: float = 30) -> dict[int, ReadPage | PageFailure]:
    async def within_a_minute() -> dict[int, ReadPage | PageFailure]:
        async with asyncio.timeout(50):
            return await read_pages(urls, pages.read, deadline_s)

    return asyncio.run(within_a_minute())


def test_pages_come_by_number():
    """What was read and why other pages were not stand under the numbers asked for."""
    found = read(Pages({URLS[1]: "글", URLS[2]: PageFailure.BLOCKED, URLS[3]: RuntimeError("odd")}))
    page = found[1]
    assert isinstance(page, ReadPage)
    assert page.page.text == "글"
    assert (found[2], found[3]) == (PageFailure.BLOCKED, PageFailure.UNREADABLE)
    assert read(Pages(), urls={}) == {}


def test_all_are_asked_at_the_same_time():
    """A page that waits for another one to be asked does not wait in vain."""

    class Meeting(Pages):
        def __init__(self) -> None:
            super().__init__()
            self.all_here = asyncio.Event()

        async def read(self, url: str) -> ReadPage:
            self.asked.append(url)
            if len(self.asked) == len(URLS):
                self.all_here.set()
            await self.all_here.wait()
            return await Pages({url: "글"}).read(url)

    assert all(isinstance(page, ReadPage) for page in read(Meeting()).values())


def test_a_page_that_never_comes_ends_with_the_deadline():
    """The others are there, it counts as timed out, and nothing of it goes on."""
    pages = Pages({URLS[1]: "글", URLS[2]: None, URLS[3]: "글"})
    found = read(pages, deadline_s=0.3)
    assert (isinstance(found[1], ReadPage), found[2], isinstance(found[3], ReadPage)) == (True, PageFailure.TIMEOUT, True)
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
