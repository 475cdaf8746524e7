"""Claims worked out once, kept, and continued."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from search_core.checking.claims.finder import recall_or_find
from search_core.domain.claim import Claim, ClaimMoment, FoundClaims
from search_core.language.vectors import Embedder
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.storage.videos import FoundClaimsCache
from tests.search_core.checking.claims.test_finder import Reader, video

SHARES = {
    "국민은행은 2025년에 3조 원을 벌었습니다.": (0.8, 0.1, 0.05, 0.05),
    "하나은행은 2025년에 2조 원을 벌었습니다.": (0.2, 0.2, 0.2, 0.4),
    "금리는 은행이 정하는 것이 아닙니다.": (0.8, 0.1, 0.05, 0.05),
}
KOOKMIN, HANA, RATES = SHARES
TALK = video(*SHARES)


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[FoundClaimsCache]:
    with closing(FoundClaimsCache(tmp_path)) as kept:
        yield kept


def find(kept: FoundClaimsCache, embedder: Embedder, *, as_chosen: bool = True, **more: object) -> FoundClaims:
    return asyncio.run(recall_or_find(TALK, kept, embedder=lambda: (embedder, as_chosen), **more))  # type: ignore[arg-type]


def unasked() -> tuple[Embedder, bool]:
    raise AssertionError("the list was worked out again")


def texts(claims: tuple[Claim, ...]) -> list[str]:
    return [claim.text for claim in claims]


def test_a_list_is_worked_out_once(kept: FoundClaimsCache, tmp_path: Path):
    """What is complete is handed out again, by another process with the same data, too; another day is another list."""
    found = find(kept, Reader(SHARES))
    assert (found.complete, texts(found.claims)) == (True, [KOOKMIN, RATES])
    with closing(FoundClaimsCache(tmp_path)) as again:
        assert asyncio.run(recall_or_find(TALK, again, embedder=unasked)) == found
        later = replace(TALK, published_at=datetime(2027, 1, 1, tzinfo=UTC))
        with pytest.raises(AssertionError, match="worked out again"):
            asyncio.run(recall_or_find(later, again, embedder=unasked))


def test_what_comes_later_renumbers_nothing(kept: FoundClaimsCache):
    """A list that was found in a hurry keeps its ids and numbers in the whole one; what is in it no more is known by its id."""
    hurried = find(kept, Reader(SHARES), within_s=0.0)
    assert (hurried.complete, texts(hurried.claims)) == (False, [KOOKMIN, HANA])
    whole = find(kept, Reader(SHARES))
    numbers = {claim.id: claim.number for claim in hurried.claims}
    assert (whole.complete, texts(whole.claims)) == (True, [KOOKMIN, RATES])
    assert whole.claims[0].number == numbers[whole.claims[0].id]
    assert whole.claims[1].number not in numbers.values()
    assert texts(whole.before) == [HANA]
    assert {claim.id for claim in hurried.claims} <= {claim.id for claim in whole.known}
    assert find(kept, Reader(SHARES)) == whole


def test_the_beginning_of_a_long_video_comes_first(kept: FoundClaimsCache):
    """What begins later is left for the next look, the note says so, and a sentence that may go on there is not told yet."""
    first = find(kept, Reader(SHARES), within_s=60.0, first_s=20.0)
    assert (first.complete, texts(first.claims)) == (False, [KOOKMIN])
    assert first.notes[-1] == "영상이 길어서 00:09까지 먼저 살펴봤어요. 그 뒤는 이어서 살펴보고 있어요."
    whole = find(kept, Reader(SHARES))
    assert (whole.complete, texts(whole.claims)) == (True, [KOOKMIN, RATES])
    assert not any("먼저" in note for note in whole.notes)


@pytest.mark.parametrize(("as_chosen", "complete"), [(True, True), (False, False)])
def test_words_alone_are_all_there_is_only_where_that_is_chosen(kept: FoundClaimsCache, as_chosen: bool, complete: bool):
    """While a model that was chosen is not there, the list is looked for again the next time."""
    assert find(kept, KiwiEmbedder(), as_chosen=as_chosen).complete is complete
    assert find(kept, Reader(SHARES)).by_meaning == (0 if complete else 1)


def claim(text: str, quote: str = "", at_s: float = 3.0, **more: object) -> Claim:
    moments = (ClaimMoment(at_s, at_s + 4, quote or text),)
    return Claim(**{"number": 1, "text": text, "moments": moments, **more})


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (lambda one: replace(one, number=7, text="다른 말로 쓴 것", score=0.1), True),
        (lambda _: claim("이익은 3조 원이다.", "이익은, 3조 원이죠"), True),
        (lambda _: claim("이익은 3조 원이다.", at_s=90.0), False),
        (lambda _: claim("이익은 5조 원이다."), False),
    ],
)
def test_an_id_is_made_of_what_is_said_and_where(other: Callable[[Claim], Claim], same: bool):
    """Wording, score and number do not count, nor signs and spaces; other words and another place make another id."""
    one = claim("이익은 3조 원이다.", "이익은 3조 원이죠.")
    assert (other(one).id == one.id) is same
    assert len(one.id) == 7
    assert math.isfinite(one.score)
