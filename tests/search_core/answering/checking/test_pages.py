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


def test_nothing_to_read_is_nothing():
    """Without addresses nobody is asked."""
    assert read(Pages(), urls={}) == {}
