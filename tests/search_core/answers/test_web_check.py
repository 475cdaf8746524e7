"""Several pages read at the same time."""

from __future__ import annotations

import asyncio

from search_core.answers.web_check import read_pages
from search_core.errors import PageFailure
from search_core.reading.page_reader import ReadPage
from tests.search_core.answers.checked import Pages

URL = "https://a.example"


def test_no_page_is_lost_to_the_start_of_what_reads_it():
    """The time for pages begins when their reader is there; without pages nobody waits for it."""
    order: list[str] = []

    class Waiting(Pages):
        async def read(self, url: str) -> ReadPage:
            order.append("page")
            return await super().read(url)

    pages = Waiting({URL: "글"})
    found = asyncio.run(read_pages({1: URL}, pages.read, 0.5, lambda: order.append("reader")))
    assert (order, type(found[1])) == (["reader", "page"], ReadPage)
    assert asyncio.run(read_pages({}, pages.read, 0.5, lambda: order.append("reader"))) == {}
    assert len(order) == 2


def test_a_page_that_breaks_is_unreadable():
    """An error that was not foreseen costs its page alone."""
    pages = Pages({URL: RuntimeError("odd"), f"{URL}/2": "글"})
    found = asyncio.run(read_pages({1: URL, 2: f"{URL}/2"}, pages.read, 30))
    assert (found[1], type(found[2])) == (PageFailure.UNREADABLE, ReadPage)
