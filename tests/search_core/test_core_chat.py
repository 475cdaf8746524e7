"""The whole core, talking: a question, its answer, the check of it against a played web, and the conversation it is kept in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.core import SearchCore
from search_core.domain import AnswerRecord, PagesRead, Question, Stance, StancesCompared
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.whole_core import build_core, hbm

QUESTION = "HBM4 표준의 대역폭은 얼마인가요?"
ARTICLES = (
    Article(
        path="/standard",
        title="JEDEC, HBM4 표준 발표",
        published="2025-04-17",
        paragraphs=(
            "JEDEC이 HBM4 표준을 발표했다.",
            "HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트다. 입출력 폭은 2048비트로 두 배 늘었다.",
            "업계는 이 표준이 인공지능 가속기의 병목을 줄일 것으로 본다.",
        ),
    ),
    Article(
        path="/revised",
        title="HBM4 대역폭 초당 2.8테라바이트로",
        published="2026-06-11",
        paragraphs=(
            "JEDEC이 HBM4 표준을 개정했다.",
            "개정된 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2.8테라바이트다.",
            "회원사들은 하반기부터 새 규격을 쓴다.",
        ),
    ),
    Article(path="/gone", title="HBM4 표준 대역폭 해설", published="2025-05-02", paragraphs=("HBM4 대역폭 해설.",), status=404),
)


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    with Press(ARTICLES) as press:
        yield press


def a_core(world: World, press: Press, folder: Path, **changes: object) -> SearchCore:
    settings = {"search_providers": "library,wikipedia,tavily,brave", "reading_allow_private": press.place, **changes}
    return build_core(world, folder, **settings)


@pytest.fixture
def core(world: World, press: Press, tmp_path: Path) -> Iterator[SearchCore]:
    world.reset()
    world.play("tavily", pages=press.hits())
    press.asked.clear()
    with closing(a_core(world, press, tmp_path)) as core:
        yield core


def test_a_check_reads_pages_and_says_how_they_stand_to_the_video(core: SearchCore, world: World, press: Press):
    """Tavily is asked alone and first; what agrees, what came later and what could not be read are three different things."""
    events = list(core.check_online(Question(text=QUESTION, video=hbm(core))))
    record = AnswerRecord()
    for event in events:
        record = record.after(event)
    assert world.asked == [("tavily", "HBM4 표준 대역폭 한 묶음 초당 2테라바이트")]
    assert sorted(press.asked) == ["/gone", "/revised", "/standard"]
    by_url = {source.url.rpartition("/")[2]: source.number for source in record.sources}
    assert {page.number: page.failure for page in record.pages} == {
        by_url["standard"]: "",
        by_url["revised"]: "",
        by_url["gone"]: "unreadable",
    }
    assert record.comparison is not None
    stances = {(record.sources[row.source].number, row.stance) for row in record.comparison.rows}
    assert {(by_url["standard"], Stance.AGREE), (by_url["revised"], Stance.CHANGED)} <= stances
    places = [type(event) for event in events]
    assert places.index(PagesRead) < places.index(StancesCompared)
    assert record.done is not None


def test_where_tavily_finds_nothing_brave_is_asked_and_then_the_rest(core: SearchCore, world: World, press: Press):
    """One after the other, never the user's own documents, and the web that finds something ends it."""
    world.play("tavily", failure="quota")
    world.play("brave", failure="nothing")
    world.play("wikipedia", pages=press.hits())
    list(core.check_online(Question(text=QUESTION, video=hbm(core)), subject="HBM"))
    assert [service for service, _ in world.asked][:2] == ["tavily", "brave"]
    assert {service for service, _ in world.asked[2:]} == {"wikipedia"}
