"""How well a claim is judged in thirty small worlds: a claim of a video and three pages, as newspapers and blogs write them.

``worlds.jsonl`` was written by somebody who had not read the judge. ``says`` is what a careful reader takes from a page, with
``none`` for one beside the point, ``quote`` the words it rests on, ``verdict`` what all pages come to. Pages agree in other
words, contradict by a value, an opposite, a denial or another person, are newer, only add, or look alike: another year, region
or product, or a plan. Eighteen worlds are Korean, eight have English pages, four an English video. Half of them may be looked at
while the judge is made (``side`` tuned); the other half (held) is only measured.

Rules judge alone, or with the models that ship; either way without and with a language model on loopback. That one answers what
the world says; or it lies, and calls the nearest sentence of every page an agreement: of what it says then nothing may stand that
the page does not bear out.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self
from urllib.parse import urlsplit

from search_core.checking.verdicts.compare import judge_sources
from search_core.checking.verdicts.judge import Judgement
from search_core.checking.verdicts.language_model import judge_open_rows
from search_core.checking.verdicts.weighing import weigh_rows
from search_core.domain.result import SearchResult
from search_core.domain.stance import Judge as JudgedBy
from search_core.domain.stance import Stance, StanceRow, Statement
from search_core.domain.video import VideoContext
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.settings import Settings
from tests.loopback.language_model import AskedRow, LanguageModelServer, Personality, judging
from tests.quality.scope import Scope
from tests.quality.scorers import Judge, judges
from tests.quality.sets import read_day, read_rows, share, under

NOW = datetime(2027, 1, 10, tzinfo=UTC)
NONE = "none"
_SILENT = (NONE, Stance.CANNOT_TELL)
_OPPOSITE = {Stance.AGREE: Stance.CONTRADICTS, Stance.CONTRADICTS: Stance.AGREE}

World = Mapping[str, Any]
Saying = Callable[[World, AskedRow], dict[str, str]]
"""What a language model says of one row of a world."""


def is_same(stance: str, other: str) -> bool:
    """Return whether two stances mean the same; no row means the same as an open one."""
    return stance == other or (stance in _SILENT and other in _SILENT)


@dataclass(frozen=True, slots=True)
class JudgedWorld:
    """What a judge made of a world."""

    world: World
    verdict: Stance
    rows: tuple[StanceRow, ...]

    @classmethod
    def of(cls, world: World, judged: Judgement) -> Self:
        """Return what *judged* comes to."""
        rows = judged.evidence
        return cls(world, weigh_rows(rows, judged.sentences).stance, rows)

    @property
    def right(self) -> bool:
        """Return whether the verdict is that of a careful reader."""
        return self.verdict == self.world["verdict"]

    @property
    def swapped(self) -> bool:
        """Return whether 일치 was said for 상충, or the reverse."""
        return _OPPOSITE.get(self.verdict) == self.world["verdict"]

    @property
    def right_pages(self) -> int:
        """Return how many pages are judged as a careful reader would; no row means beside the point."""
        stances: dict[int, str] = {}
        for row in self.rows:
            stances.setdefault(row.source, row.stance)
        return sum(is_same(page["says"], stances.get(number, NONE)) for number, page in enumerate(self.world["pages"]))

    @property
    def wrong_rows(self) -> int:
        """Return how many rows of a language model, and agreements of any judge, their page does not bear out."""
        rows = [row for row in self.rows if row.judge is JudgedBy.LANGUAGE_MODEL or row.stance is Stance.AGREE]
        return sum(row.stance not in (self.world["pages"][row.source]["says"], Stance.CANNOT_TELL) for row in rows)


def measure(_: Scope) -> dict[str, float]:
    """Return the figures of rules alone and with the models that ship, each without and with a language model."""
    worlds = read_rows("worlds")
    figures: dict[str, float] = {}
    for judge in judges():
        judged = [judge_world(world, judge) for world in worlds]
        alone = [JudgedWorld.of(world, each) for world, each in zip(worlds, judged, strict=True)]
        honest, lying = (_decide(worlds, judged, saying) for saying in (answer_honestly, lie))
        shares = _shares(alone) | under("honest", _shares(honest) | _borne_out(honest)) | under("lying", _borne_out(lying))
        figures |= under(f"worlds/{'models' if judge.name else 'rules'}", shares)
    return figures


def _shares(judged: Sequence[JudgedWorld]) -> dict[str, float]:
    """Return the shares of right verdicts (all, and each side), of verdicts not swapped, and of pages judged right."""
    halves = {f"{side}_right": [each for each in judged if each.world["side"] == side] for side in ("tuned", "held")}
    return {
        **{name: share(each.right for each in some) for name, some in {"right": judged, **halves}.items()},
        "not_swapped": share(not each.swapped for each in judged),
        "pages_right": sum(each.right_pages for each in judged) / _count_pages(judged),
    }


def _borne_out(judged: Sequence[JudgedWorld]) -> dict[str, float]:
    """Return 1 less the number of rows, for each page, that it does not bear out."""
    return {"borne_out": 1 - sum(each.wrong_rows for each in judged) / _count_pages(judged)}


def _count_pages(judged: Sequence[JudgedWorld]) -> int:
    return sum(len(each.world["pages"]) for each in judged)


def judge_world(world: World, judge: Judge) -> Judgement:
    """Return how the pages of *world* stand to its claim, and what is left open."""
    results = pages_found(world["pages"])
    texts = {result.url: result.snippet for result in results}
    video = VideoContext(title=world["title"], published_at=read_day(world["date"]))
    said = Statement(0.0, world["claim"])
    return judge_sources([said], results, video, NOW, texts, judge.entails, open_windows=True)


def pages_found(pages: Sequence[World]) -> list[SearchResult]:
    """Return *pages* as a search finds them."""
    return [
        SearchResult(
            title=page.get("title", ""),
            url=f"https://{host}/{number}",
            snippet=page["text"],
            source=host,
            publish_date=read_day(page["date"]),
        )
        for number, page in enumerate(pages)
        for host in [page.get("host") or urlsplit(page["url"]).netloc]
    ]


def _decide(worlds: Sequence[World], judged: Sequence[Judgement], saying: Saying) -> list[JudgedWorld]:
    """Return the judged *worlds* after a language model has answered *saying* for what was open."""
    with LanguageModelServer() as server:
        model = OpenAICompatible(Settings(openai_base_url=server.url, openai_model="m"))
        outcomes = []
        for world, each in zip(worlds, judged, strict=True):
            server.answer = _play(saying, world)
            decided = asyncio.run(judge_open_rows(model, each.open))
            outcomes.append(JudgedWorld.of(world, each.with_decided(decided.rows, decided.silent)))
        return outcomes


def _play(saying: Saying, world: World) -> Personality:
    return judging(lambda row: [{"video_quote": row.statement, **saying(world, row)}], of_controls=True)


def answer_honestly(world: World, row: AskedRow) -> dict[str, str]:
    """Answer as the world says of the page whose quote is among the texts; else that they are silent."""
    stances = {"agree": "bears_out", "contradicts": "denies", "changed": "denies", "adds": "adds"}
    for page in world["pages"]:
        if page["says"] != NONE and any(page["quote"] in text for text in row.texts):
            return {"stance": stances[page["says"]], "source_quote": page["quote"]}
    return {"stance": "silent", "source_quote": ""}


def lie(_: World, row: AskedRow) -> dict[str, str]:
    """Call the sentence nearest in its words an agreement."""
    words = set(re.findall(r"\w\w", row.statement))
    sentences = [sentence for text in row.texts for sentence in re.split(r"(?<=[.!?]) +", text)]
    nearest = max(sentences, key=lambda sentence: len(words & set(re.findall(r"\w\w", sentence))))
    return {"stance": "bears_out", "source_quote": nearest}
