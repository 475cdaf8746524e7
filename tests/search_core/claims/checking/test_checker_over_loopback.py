"""The checker as it is installed, over played services and a newspaper on loopback."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.claims.checking import ClaimOutcome
from search_core.domain import Claim, ClaimCheck, ClaimState, Stance
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.wiring import Components, build_components
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.answering.asking import hbm
from tests.search_core.claims.checking.claims import SAYS_MORE, SAYS_SO, claim

WIRE = (
    f"{SAYS_SO} 규격을 정한 단체는 지난 분기에 여러 회사와 함께 시험을 마쳤다고 설명했다.",
    "다음 분기에도 같은 시험이 이어지며 회원사들은 결과를 함께 살펴보기로 했다.",
)


def article(path: str, title: str, day: str, *paragraphs: str, status: int = 200) -> Article:
    return Article(path=path, title=title, paragraphs=paragraphs, published=day, status=status)


ARTICLES = (
    article(
        "/standard", "JEDEC, HBM4 표준 발표", "2025-04-17", SAYS_SO, "업계는 이 표준이 인공지능 가속기의 병목을 줄일 것으로 본다."
    ),
    article("/wire", "메모리 속도 경쟁", "2025-06-02", *WIRE),
    article("/again", "대역폭 두 배 시대 열린다", "2025-06-03", *WIRE),
    article("/revised", "HBM4 대역폭 더 늘어", "2026-06-11", SAYS_MORE, "회원사들은 하반기부터 새 규격을 쓴다."),
    article("/gone", "HBM4 표준의 대역폭 해설", "2025-05-02", SAYS_SO, status=404),
)


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    with Press(ARTICLES) as press:
        yield press


class Installed:
    """The checker of an installation, on the loop that its clients live on."""

    def __init__(self, components: Components, loop: LoopThread) -> None:
        self.checks = components.answering.claims
        self.pages = components.pages
        self.loop = loop

    def outcome(self, of: Claim | None = None, *, fresh: bool = False) -> ClaimOutcome:
        return self.loop.run(self.checks.check(of or claim(), hbm(), fresh=fresh), 60)


@pytest.fixture
def installed(world: World, press: Press, tmp_path: Path) -> Iterator[Installed]:
    """Install what may ask Wikipedia, Tavily and Brave."""
    world.reset()
    press.asked.clear()
    settings = world.settings(maekrak_data_dir=tmp_path / "data", embedding_model="kiwi")
    settings |= {"search_providers": "library,wikipedia,tavily,brave", "reading_allow_private": press.place}
    with closing(build_components(Settings(**settings))) as components, closing(LoopThread()) as loop:
        yield Installed(components, loop)
        loop.run(components.manager.aclose(), 5)


def test_a_claim_is_searched_read_and_weighed(installed: Installed, world: World, press: Press):
    """Tavily alone is asked once until a fresh answer is wanted, pages are read, copies count once, a missing page is listed."""
    world.play("tavily", pages=press.hits(("/standard", "/wire", "/again", "/gone")))
    outcome = installed.outcome()
    assert [service for service, _ in world.asked] == ["tavily"]
    check = outcome.check
    assert (check.state, check.verdict, check.independent) == (ClaimState.CHECKED, Stance.AGREE, 2)
    sources = {source.url.rpartition("/")[2]: source for source in check.sources if not source.own}
    assert {name: (source.read, source.failure) for name, source in sources.items()} == {
        "standard": (True, ""),
        "wire": (True, ""),
        "again": (True, ""),
        "gone": (False, "unreadable"),
    }
    assert sources["wire"].story == sources["again"].story != sources["standard"].story == sources["gone"].story
    assert (outcome.searches, outcome.pages) == (1, 3)
    assert installed.outcome().searches == 0
    world.play("tavily", pages=press.hits(("/standard", "/revised")))
    fresh = installed.outcome(fresh=True)
    assert (fresh.searches, fresh.check.verdict) == (1, Stance.CHANGED)


def test_what_reads_pages_is_there_before_their_time_begins(installed: Installed):
    """The check waits, before it reads, for the processes that do, none of which has run before."""
    assert installed.pages._reader.made is None
    installed.checks.wait_for_reader()
    reader = installed.pages._reader.made
    assert reader is not None
    assert None not in [child._process for child in reader._extractor._pool._children]


def test_cancelling_closes_the_sockets(installed: Installed, world: World):
    """A cancelled check leaves nothing in flight at services that hang."""
    world.play_all(failure="hang")
    asked = threading.Event()

    def note_query(check: ClaimCheck) -> None:
        if check.query:
            asked.set()

    check = installed.loop.start(installed.checks.check(claim(), hbm(), report=note_query))
    assert asked.wait(60)
    check.cancel()

    async def left() -> int:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.wait(others, timeout=5) if others else None
        return sum(not task.done() for task in others)

    assert installed.loop.run(left(), 30) == 0
