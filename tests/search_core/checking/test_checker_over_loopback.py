"""The checker as it is installed, over played services and a newspaper on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from search_core.domain.stance import Stance
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.wiring.answers import build_answering
from search_core.wiring.components import Components, build_components
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.answers.asking import hbm
from tests.search_core.checking.claim_checkers import SAYS_MORE, SAYS_SO, claim

WIRE = (
    f"{SAYS_SO} 규격을 정한 단체는 지난 분기에 여러 회사와 함께 시험을 마쳤다고 설명했다.",
    "다음 분기에도 같은 시험이 이어지며 회원사들은 결과를 함께 살펴보기로 했다.",
)
ARTICLES = (
    Article(path="/standard", title="JEDEC, HBM4 표준 발표", published="2025-04-17", paragraphs=(SAYS_SO, "업계가 반긴다.")),
    Article(path="/wire", title="메모리 속도 경쟁", published="2025-06-02", paragraphs=WIRE),
    Article(path="/again", title="대역폭 두 배 시대 열린다", published="2025-06-03", paragraphs=WIRE),
    Article(path="/revised", title="HBM4 대역폭 더 늘어", published="2026-06-11", paragraphs=(SAYS_MORE, "회원사들이 쓴다.")),
)


@pytest.fixture(scope="module")
def press() -> Iterator[Press]:
    with Press(ARTICLES) as press:
        yield press


@pytest.fixture
def components(world: World, press: Press, tmp_path: Path) -> Iterator[Components]:
    """Install what may ask Wikipedia, Tavily and Brave."""
    world.reset()
    settings = world.settings(maekrak_data_dir=tmp_path / "data", embedding_model="kiwi")
    settings |= {"search_providers": "library,wikipedia,tavily,brave", "reading_allow_private": press.place}
    with closing(build_components(Settings(**settings))) as components:
        yield components


def test_a_claim_is_searched_read_and_weighed(components: Components, world: World, press: Press):
    """Pages are read by what stands ready before, copies count once; Tavily alone is asked, again only for a fresh answer."""
    checks = build_answering(components).claims
    assert components.pages._reader.made is None
    checks.web.wait_for_reader()
    assert components.pages._reader.made is not None
    with closing(LoopThread()) as loop:
        world.play("tavily", pages=press.hits(("/standard", "/wire", "/again")))
        first, cached = (loop.run(checks.check(claim(), hbm()), 60) for _ in range(2))
        asked = [service for service, _ in world.asked]
        world.play("tavily", pages=press.hits(("/standard", "/revised")))
        fresh = loop.run(checks.check(claim(), hbm(), fresh=True), 60)
        loop.run(components.stages.manager.aclose(), 5)
    assert (first.check.verdict, first.check.independent, asked) == (Stance.AGREE, 2, ["tavily"])
    sources = {source.url.rpartition("/")[2]: source for source in first.check.sources if not source.own}
    assert {name for name, source in sources.items() if source.read} == {"standard", "wire", "again"}
    assert sources["wire"].story == sources["again"].story != sources["standard"].story
    assert (first.searches, first.pages, cached.searches) == (1, 3, 0)
    assert (fresh.searches, fresh.check.verdict) == (1, Stance.CHANGED)
