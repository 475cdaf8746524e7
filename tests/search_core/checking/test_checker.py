"""The check of one claim, with searches and pages that play along, fail and hang."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.checking.checker import LibraryChecker
from search_core.domain.claim import ClaimCheck, ClaimState
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.stance import Judge, JudgingCost, Stance
from search_core.errors import PageFailure
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.runtime import LoopThread
from search_core.settings import Settings
from search_core.wiring.answers import build_answering
from search_core.wiring.components import Components, build_components
from tests.loopback.language_model import REFUSALS, AskedRow, LanguageModelServer, judging
from tests.loopback.press import Article, Press
from tests.loopback.world import World
from tests.search_core.answers.asking import cancel_when, hbm, pipeline_of
from tests.search_core.checking.checked import Pages, web_check
from tests.search_core.checking.claim_checkers import (
    AFTER,
    BEFORE,
    SAID_AT,
    SAYS_LESS,
    SAYS_MORE,
    SAYS_SO,
    SAYS_SO_TOO,
    check_of,
    checker,
    claim,
    claim_search,
    outcome_of,
    page,
)
from tests.search_core.scripted import HangingProvider, ScriptedProvider, fails, finds

ROOM_S = 30.0
NOT_ASKED = "웹 검색을 사용할 수 없어 확인하지 못했어요 ("
STORY = f"{SAYS_SO} 규격을 정한 단체는 지난 분기에 여러 회사와 함께 시험을 마쳤다고 설명했다. 다음 분기에도 시험이 이어진다."


def test_sources_that_agree_bear_a_claim():
    """Two independent sites that say the same agree with the claim, both sides quoted at its moment."""
    check = check_of(page("a.example"), page("b.example", SAYS_SO_TOO))
    assert (check.state, check.verdict, check.independent) == (ClaimState.CHECKED, Stance.AGREE, 2)
    said = [(check.claim.text, quote, SAID_AT) for quote in (SAYS_SO, SAYS_SO_TOO)]
    assert [(row.statement, row.quote, row.moment_s) for row in check.rows] == said
    assert check.why == "독립된 출처 2곳이 같은 내용을 말해요."
    assert check.services[0].startswith("웹 검색: 2건")


NEAREST_OF_FIVE = {
    "a.example": "HBM4 표준의 한 묶음에서 대역폭을 재는 법은 따로 있다.",
    "copy.example": "HBM4 표준의 한 묶음에서 대역폭을 재는 법은 따로 있다.",
    "b.example": "한 묶음의 최대 전력은 HBM4 표준에 없다.",
    "c.example": "HBM4 표준의 전력을 다룬 글이다.",
    "far.example": "메모리 공장이 문을 열었다.",
}


def test_an_undecided_claim_keeps_the_nearest_passages():
    """At most two, of two stories, with source and day; they decide nothing, and what speaks of something else is left out."""
    check = check_of(*(page(host, text) for host, text in NEAREST_OF_FIVE.items()))
    assert (check.verdict, check.independent) == (Stance.CANNOT_TELL, 0)
    shown = [(check.sources[row.source].domain, row.label, row.quote, row.date) for row in check.rows]
    hosts = ("b.example", "a.example")  # the nearest first
    assert shown == [(host, "가장 가까운 출처", NEAREST_OF_FIVE[host], BEFORE) for host in hosts]
    decided = check_of(page("b.example", NEAREST_OF_FIVE["b.example"]), page("d.example"))
    assert (decided.verdict, [row.label for row in decided.rows]) == (Stance.AGREE, ["일치"])


def test_the_speakers_own_pages_and_their_copies_are_no_witnesses():
    """The channel's site is listed as its own and not read, and a paper that copies its release counts as little."""
    pages = Pages({"https://hanbit.com/1": SAYS_SO})
    check = check_of(page("hanbit.com"), video=replace(hbm(), channel="Hanbit"), pages=pages)
    assert (check.verdict, check.independent) == (Stance.CANNOT_TELL, 0)
    assert [(source.domain, source.speakers_own, source.read) for source in check.sources] == [("hanbit.com", True, None)]
    assert pages.asked == []
    assert "말한 쪽의 자료라 따로 세지 않아요." in check.rows[0].why
    found = (page("hanbit.com", STORY), page("a.example", STORY, title="다른 신문의 메모리 소식"), page("b.example", SAYS_SO_TOO))
    check = check_of(*found, video=replace(hbm(), channel="Hanbit"))
    assert (check.verdict, check.independent) == (Stance.AGREE, 1)
    rows = {check.sources[row.source].domain: row for row in check.rows}
    assert rows["a.example"].why.endswith("말한 쪽이 낸 글을 옮긴 것이라 따로 세지 않아요.")
    assert (rows["a.example"].restates_video, rows["b.example"].restates_video) == (True, False)


def test_a_report_of_the_speakers_words_does_not_count():
    """An article that quotes the speaker with the claim is listed and is no independent source."""
    quoted = "서도윤은 HBM4 표준의 대역폭은 한 묶음에 초당 최대 2테라바이트라고 말했다."
    check = check_of(page("a.example", quoted, AFTER), video=replace(hbm(), speakers=("서도윤",)))
    assert (check.verdict, check.independent) == (Stance.CANNOT_TELL, 0)
    assert [(row.stance, row.restates_video) for row in check.rows] == [(Stance.AGREE, True)]
    assert check.rows[0].why.endswith("말한 쪽의 말을 전할 뿐이라 따로 세지 않아요.")


def test_pages_are_read_and_what_failed_stays_with_its_source():
    """Read pages are compared and date their source; one that hangs, fails or is left unread says so, and its snippet counts."""
    undated = page("a.example", "HBM4 표준의 대역폭은 한 묶음에 얼마인지 다룬 글입니다.", None)
    texts = {undated.url: SAYS_SO, "https://b.example/1": PageFailure.BLOCKED, "https://c.example/1": None}
    pages = Pages(texts, published=datetime(2026, 1, 5, tzinfo=UTC))
    last = page("d.example", "HBM4 표준의 대역폭을 다룬 글입니다.")
    found = (undated, page("b.example"), page("c.example", SAYS_SO_TOO), last)
    outcome = outcome_of(checker(*found, pages=pages, reading_timeout_s=0.3, at_most=3))
    sources = {source.domain: source for source in outcome.check.sources}
    assert {name: (source.read, source.failure) for name, source in sources.items()} == {
        "a.example": (True, ""),
        "b.example": (False, "blocked"),
        "c.example": (False, "timeout"),
        "d.example": (None, ""),
    }
    assert sources["a.example"].publish_date == datetime(2026, 1, 5, tzinfo=UTC)
    assert (outcome.check.verdict, outcome.check.independent, outcome.pages) == (Stance.AGREE, 3, 1)
    assert pages.open == 0


def test_every_step_is_reported_before_the_end():
    """The search, its query and then that pages are read are reported; the end is only returned."""
    told: list[ClaimCheck] = []
    outcome = outcome_of(checker(page("a.example")), report=told.append)
    assert list(dict.fromkeys(each.state for each in told)) == [ClaimState.SEARCHING, ClaimState.READING]
    assert any(each.query and each.state is ClaimState.SEARCHING for each in told)
    assert (outcome.searches, outcome.check.state) == (1, ClaimState.CHECKED)


def test_nothing_found_is_no_failure():
    """The claim is checked without a verdict, and its queries are named; that all pages are about something else, too."""
    provider = ScriptedProvider("web", finds())
    outcome = outcome_of(checker(search=claim_search(provider)))
    check = outcome.check
    assert (check.state, check.verdict, check.independent) == (ClaimState.CHECKED, Stance.CANNOT_TELL, 0)
    queries = ["HBM4 표준 대역폭 한 묶음 초당 최대 2테라바이트", "HBM4 표준 대역폭 최대 2테라바이트"]
    assert [asked.query for asked in provider.asked] == queries
    assert outcome.searches == 2
    assert all(f"‘{query}’" in check.failure for query in queries)
    assert check.failure.endswith("관련 자료를 찾지 못했어요.")
    off = check_of(page("a.example", "오늘의 김치찌개 레시피", title="김치찌개"))
    assert (off.state, off.verdict) == (ClaimState.CHECKED, Stance.CANNOT_TELL)
    assert off.failure.endswith("찾은 자료가 모두 이 말과 관련이 적었어요.")


@pytest.mark.parametrize(
    ("status", "sent"),
    [(SearchStatus.NETWORK_ERROR, 1), (SearchStatus.API_KEY_MISSING, 0), (SearchStatus.TIMEOUT, 1)],
)
def test_a_claim_that_no_service_answers_has_failed(status: SearchStatus, sent: int):
    """Where no service of the web answered the claim is not checked, and its failure says why; requests sent are counted."""
    outcome = outcome_of(checker(search=claim_search(ScriptedProvider("web", fails(status)))))
    check = outcome.check
    assert outcome.searches == sent
    assert (check.state, check.verdict, check.sources) == (ClaimState.FAILED, None, ())
    assert check.failure.startswith(NOT_ASKED)
    assert "웹 검색" in check.services[0]


def test_a_search_that_breaks_or_takes_too_long_fails_its_claim_alone():
    """Whatever a search raises ends this claim, in words; one whose time is over is cancelled, and its query stays known."""
    left: list[str] = []

    async def breaks(*_: object, **__: object) -> SearchReport:
        raise RuntimeError("broken")

    async def hangs(question: Question, _subject: str, tell: Callable[[str], None], **_: bool) -> SearchReport:
        tell("HBM4 표준")
        try:
            await asyncio.Event().wait()
        finally:
            left.append(question.text)
        raise AssertionError("nothing sets the event")

    check = check_of(search=breaks)
    assert (check.state, check.failure.startswith(NOT_ASKED)) == (ClaimState.FAILED, True)
    check = check_of(search=hangs, search_timeout_s=0.2)
    assert (check.state, check.query, left) == (ClaimState.FAILED, "HBM4 표준", [check.claim.text])


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("HBM4 표준의 대역폭은 2테라바이트입니다.", ""),
        ("2023년 CATL은 세계 배터리의 36.8%를 공급했다.", ""),
        ("지리산의 높이는 1,915미터입니다.", ""),
        ("점유율은 60퍼센트입니다.", "HBM"),
    ],
)
def test_the_subject_is_for_claims_that_name_nothing(text: str, subject: str):
    """A claim that names a person, a place or a product is searched for alone; another with the subject of the video."""
    seen: list[tuple[str, bool]] = []
    search = claim_search(ScriptedProvider("web", finds()))

    async def listening(question: Question, about: str, tell: Callable[[str], None], *, fresh: bool) -> SearchReport:
        seen.append((about, fresh))
        return await search(question, about, tell, fresh=fresh)

    outcome_of(checker(search=listening), claim(text), fresh=True)
    assert set(seen) == {(subject, True)}


def test_cancelling_reaches_services_and_pages():
    """A cancelled check leaves no request to a service, no page and no task under way."""

    async def cancel_both() -> None:
        provider = HangingProvider("web")
        await cancel_when(lambda: provider.asked, checker(search=claim_search(provider)).check(claim(), hbm()))
        assert provider.cancelled == 1
        pages = Pages(dict.fromkeys(("https://a.example/1", "https://b.example/1")))
        found = (page("a.example"), page("b.example"))
        checks = checker(*found, pages=pages, reading_timeout_s=ROOM_S)
        await cancel_when(pages.hanging.is_set, checks.check(claim(), hbm()))
        assert (len(pages.asked), pages.open) == (2, 0)

    asyncio.run(cancel_both())


IN_OTHER_WORDS = "HBM4 표준을 보면 묶음 하나의 대역폭이 최대 2TB, 곧 1초에 영화 400편이다."
BESIDE = "HBM4 규격을 정한 곳은 JEDEC이고 회원사는 300곳이 넘는다."


def right(row: AskedRow) -> list[dict[str, str]]:
    """Judge as a reader would."""
    text = row.texts[0]
    return [{"stance": "bears_out" if "2TB" in text else "silent", "source_quote": text[:20], "video_quote": row.statement[:12]}]


def test_a_model_decides_what_rules_leave_open(model: LanguageModelServer):
    """One request for each open source; rows name their judge, the verdict counts them; what rules decide is not asked.

    Where the model fails the claim is checked as it is without one, and a sentence beside the services says why.
    """
    model.asked.clear()
    client = OpenAICompatible(Settings(openai_base_url=model.url, openai_model="m"))
    model.answer = judging(right)
    outcome = outcome_of(checker(page("a.example", IN_OTHER_WORDS), page("b.example", BESIDE), judge=client))
    check = outcome.check
    assert (check.verdict, check.independent) == (Stance.AGREE, 1)
    decided = [(check.sources[row.source].domain, row.quote) for row in check.rows if row.judge is Judge.LANGUAGE_MODEL]
    assert decided == [("a.example", IN_OTHER_WORDS)]
    assert (outcome.judging.requests, outcome.judging.dropped, len(model.asked)) == (1, 0, 1)
    assert outcome.judging.tokens > 500
    outcome = outcome_of(checker(page("a.example"), judge=client))
    assert (outcome.check.verdict, outcome.judging, len(model.asked)) == (Stance.AGREE, JudgingCost(), 1)
    model.answer = REFUSALS["quota"]
    outcome = outcome_of(checker(page("a.example", IN_OTHER_WORDS), judge=client))
    assert (outcome.check.verdict, outcome.judging.requests) == (Stance.CANNOT_TELL, 1)
    assert outcome.check.services[1].endswith("규칙과 의미 모델의 판단대로 두었어요.")


class LibraryDouble(ScriptedProvider):
    """A library that answers by a script."""

    web = False


def document(name: str, text: str, **changes: object) -> SearchResult:
    return replace(page(name, text, **changes), url=f"library:{name}", collection="sample", providers=("library",))


def own(*found: SearchResult, provider: ScriptedProvider | None = None) -> LibraryChecker:
    """Return a comparison with the documents *found*, or with those of *provider*."""
    library = provider or LibraryDouble("library", finds(*found))
    pipeline = pipeline_of(library)

    async def search(question: Question) -> SearchReport | None:
        options = SearchOptions()
        options = replace(options, ranking=replace(options.ranking, threshold=0.0))
        return await pipeline.run(question, options, lambda _: None)

    return LibraryChecker.of(web_check(None, None, 0, labels={"library": "내 자료"}), Pages().read, search)


def check_beside(documents: Sequence[SearchResult], *web: SearchResult, **changes: object) -> ClaimCheck:
    return check_of(*web, own=own(*documents), **changes)


def test_documents_stand_beside_the_web():
    """The web's verdict and count stay; the document's row and source follow, marked as the library's."""
    checked = check_beside([document("memo", SAYS_LESS)], page("a.example"), page("b.example", SAYS_SO_TOO))
    assert (checked.verdict, checked.independent, checked.own_verdict) == (Stance.AGREE, 2, Stance.CONTRADICTS)
    assert [source.collection for source in checked.sources] == ["", "", "sample"]
    assert [row.source for row in checked.rows if row.stance is Stance.CONTRADICTS] == [2]


def test_documents_never_replace_the_web():
    """Where no service answers the claim is not checked, and a document's verdict is its own."""
    away = claim_search(ScriptedProvider("web", fails(SearchStatus.NETWORK_ERROR)))
    checked = check_beside([document("memo", SAYS_SO)], search=away)
    assert (checked.state, checked.verdict, checked.independent) == (ClaimState.FAILED, None, 0)
    assert checked.own_verdict is Stance.AGREE


@pytest.mark.parametrize(
    ("text", "more", "verdict"),
    [
        (SAYS_SO, {}, Stance.AGREE),
        (SAYS_MORE, {"published": AFTER}, Stance.CHANGED),
        ("제주도의 흑돼지는 맛이 좋다.", {}, None),
    ],
    ids=["agrees", "later", "of something else"],
)
def test_only_what_decides_is_shown(text, more, verdict):
    """A document that adds something, or speaks of something else, is left out whole."""
    checked = check_beside([document("memo", text, **more)])
    assert checked.own_verdict is verdict
    assert len(checked.sources) == (verdict is not None)


@pytest.mark.parametrize(("status", "told"), [(SearchStatus.UNKNOWN_ERROR, True), (SearchStatus.API_KEY_MISSING, False)])
def test_a_library_that_cannot_be_searched_is_reported(status: SearchStatus, told: bool):
    """The check of the web stays as it is, with a sentence about the library; without documents or a library there is none."""
    checked = check_of(page("a.example"), own=own(provider=LibraryDouble("library", fails(status))))
    assert (checked.verdict, checked.own_verdict) == (Stance.AGREE, None)
    assert any(service.startswith("내 자료") for service in checked.services) is told

    async def nowhere(_: Question) -> None:
        return None

    assert check_of(page("a.example"), own=replace(own(), search=nowhere)) == check_of(page("a.example"))


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
