"""What visitors upload to the real server, past the boxes of its pages, and what of it is held."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.app.test_ending import STREAMLIT, app, free_port
from tests.loopback.page_visitor import PageVisitor
from tests.search_core.research.workers import wait_until

FILE = b"a" * (24 << 20)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    with app(STREAMLIT, tmp_path_factory.mktemp("uploads"), port, "http://127.0.0.1:9/v1"):
        yield f"http://127.0.0.1:{port}"


def held_bytes(url: str) -> int:
    """Return how much of uploads Streamlit says that it holds; it says so again for a moment before it counts anew."""
    lines = httpx.get(f"{url}/_stcore/metrics", trust_env=False).text.splitlines()
    mine = [line for line in lines if 'cache_type="UploadedFileManager"' in line]
    return sum(int(float(line.rpartition(" ")[2])) for line in mine)


def test_a_visitor_has_so_many_files_held_and_none_when_he_has_left(url: str):
    """Of sixteen files two are taken, another visitor's are taken beside them, and with the visitor his are gone."""
    with PageVisitor(url) as other:
        other.run()
        with PageVisitor(url) as visitor:
            visitor.run()
            assert [visitor.upload(f"f{number}", FILE) for number in range(16)] == [204] * 2 + [413] * 14
            wait_until(lambda: held_bytes(url) == 2 * len(FILE))
            assert other.upload("mine", FILE) == 204
        wait_until(lambda: held_bytes(url) == len(FILE))
    wait_until(lambda: held_bytes(url) == 0)


def test_a_file_that_was_dropped_makes_room(url: str):
    """What counts is what is held: with one file less there is room for the next."""
    with PageVisitor(url) as visitor:
        visitor.run()
        assert [visitor.upload("a", FILE), visitor.upload("b", FILE), visitor.upload("c", FILE)] == [204, 204, 413]
        visitor.drop("a")
        assert visitor.upload("c", FILE) == 204


def test_what_a_page_has_taken_is_not_held(url: str):
    """A file in the box of a page is taken to be read, and its bytes are not kept."""
    data = b"1\n00:00:01,000 --> 00:00:02,000\nHBM\n"
    with PageVisitor(url) as visitor:
        visitor.run()
        assert visitor.upload("a", data) == 204
        wait_until(lambda: held_bytes(url) == len(data))
        visitor.run("", ("a", "talk.srt", len(data)))
        wait_until(lambda: held_bytes(url) == 0)
