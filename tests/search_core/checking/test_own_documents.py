"""Own documents beside the web: what they say is told apart, and what they do not speak of is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from search_core.checking.checker import LibraryChecker
from search_core.domain.claim import ClaimCheck, ClaimState
from search_core.domain.reply import SearchStatus
from search_core.domain.report import Question, SearchOptions, SearchReport
from search_core.domain.result import SearchResult
from search_core.domain.stance import Stance
from tests.search_core.answers.asking import pipeline_of
from tests.search_core.checking.checked import Pages, web_check
from tests.search_core.checking.claim_checkers import (
    AFTER,
    SAYS_LESS,
    SAYS_MORE,
    SAYS_SO,
    SAYS_SO_TOO,
    check_of,
    claim_search,
    page,
)
from tests.search_core.scripted import ScriptedProvider, fails, finds


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


def check(documents: Sequence[SearchResult], *web: SearchResult, **changes: object) -> ClaimCheck:
    return check_of(*web, own=own(*documents), **changes)


def test_documents_stand_beside_the_web():
    """The web's verdict and count stay; the document's row and source follow, marked as the library's."""
    checked = check([document("memo", SAYS_LESS)], page("a.example"), page("b.example", SAYS_SO_TOO))
    assert (checked.verdict, checked.independent, checked.own_verdict) == (Stance.AGREE, 2, Stance.CONTRADICTS)
    assert [source.collection for source in checked.sources] == ["", "", "sample"]
    assert [row.source for row in checked.rows if row.stance is Stance.CONTRADICTS] == [2]


def test_documents_never_replace_the_web():
    """Where no service answers the claim is not checked, and a document's verdict is its own."""
    away = claim_search(ScriptedProvider("web", fails(SearchStatus.NETWORK_ERROR)))
    checked = check([document("memo", SAYS_SO)], search=away)
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
    checked = check([document("memo", text, **more)])
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
