"""A small web on loopback, found by words, for the questions of ``data/questions``; written for this project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from search_core.language.words import words_of
from tests.loopback.played import Answer, Asked, Page
from tests.loopback.press import Article, Press
from tests.loopback.world import PLAYED, World

from . import DATA, read_json_lines

ARTICLES = tuple(
    Article(
        path=f"/{number}", title=row["title"], paragraphs=tuple(row["paragraphs"]), published=row["published"] or "2024-01-01"
    )
    for number, row in enumerate(read_json_lines(DATA / "pages.jsonl"))
)
FOUND = 5


class _Web(World):
    """Every service finds the pages that share the most words with what it is asked."""

    pages: tuple[Page, ...] = ()

    def answer(self, name: str, asked: Asked) -> Answer | None:
        """Return what the service *name* finds."""
        query = PLAYED[name].query(asked)
        self.asked.append((name, query))
        wanted, *held = (
            {word.form for word in words} for words in words_of([query, *(f"{p.title}\n{p.snippet}" for p in self.pages)])
        )
        shared = [len(wanted & words) for words in held]
        best = sorted((place for place, count in enumerate(shared) if count), key=lambda place: -shared[place])
        return PLAYED[name].answer(None, tuple(self.pages[place] for place in best[:FOUND]), asked)


@contextmanager
def small_web() -> Iterator[dict[str, Any]]:
    """Serve the pages and the services that find them, and give the settings that reach them."""
    with ExitStack() as stack:
        press = stack.enter_context(Press(ARTICLES))
        web = stack.enter_context(_Web())
        web.pages = press.hits()
        yield {**web.settings(), "reading_allow_private": press.place}
