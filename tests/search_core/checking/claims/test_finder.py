from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest

from search_core.answers import check_worthiness, sentence_classes
from search_core.answers.sentence_classes import SentenceClass
from search_core.checking.claims.finder import (
    MAX_CLAIMS,
    MAX_SENTENCES,
    NOTHING_SAID,
    WITHOUT_MODEL,
    find_claims,
    group_same,
    name_times,
    recall_or_find,
    stands_alone,
)
from search_core.domain.claim import Claim, ClaimMoment, ClaimOrigin, FoundClaims
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.vectors import Embedder, TextKind, Vectors
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.storage.videos import FoundClaimsCache


def video(*said: str, **more: object) -> VideoContext:
    return VideoContext(
        **{"title": "경제 이야기", "published_at": datetime(2026, 7, 5, tzinfo=UTC), **more},
        transcript=tuple(TranscriptSegment(place * 10.0, place * 10.0 + 10, text) for place, text in enumerate(said)),
    )


class Reader(KiwiEmbedder):
    """Reads a sentence as worth a check, and as a claim, lost, cut or something else to the shares that a test wants."""

    name = check_worthiness.shipped_weights().model

    def __init__(self, shares: Mapping[str, Sequence[float]]) -> None:
        self._shares = shares

    def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> np.ndarray:
        korean = sentence_classes.shipped_weights()["korean"]
        learnt, before = np.split(korean.weights[len(sentence_classes.NAMES) :], 2)
        weights = np.column_stack((learnt, before, check_worthiness.shipped_weights().vector))
        (without,) = sentence_classes.classify_sentences([text], [""], [np.zeros(len(weights), np.float32)], [None])
        wanted = [*(np.log(self._shares[text]) - np.log(list(without.values()))), *korean.without_before, 20.0]
        return np.linalg.lstsq(weights.T, np.array(wanted), rcond=None)[0]


def test_a_claim_keeps_its_words_and_names_its_year():
    """A claim is what was said, with the year that it means; its words as spoken and their times stay beside it."""
    found = find_claims(video("은행 이야기를 해 보죠.", "국민은행은 작년에 3조 원을 벌었습니다.", "저는 참 부럽네요."))
    (claim,) = found.claims
    assert claim.text == "국민은행은 2025년에 3조 원을 벌었습니다."
    assert (claim.number, claim.origin) == (1, ClaimOrigin.RULES)
    (moment,) = claim.moments
    assert (moment.quote, moment.start_s) == ("국민은행은 작년에 3조 원을 벌었습니다.", 10)
    assert 10 < moment.end_s <= 20
    assert (found.sentences, found.notes) == (3, (WITHOUT_MODEL,))


def test_sentences_end_where_the_judge_of_ends_says():
    """Captions without signs: what is found is counted by the sentences that the judge makes of them."""
    talk = video("the bridge cost nine million dollars the city paid for it in 2019 and it was closed in 2021")

    def judge(words: Sequence[str]) -> np.ndarray:
        return np.array([9 if word in ("dollars", "2019") else -9 for word in words], dtype=np.float32)

    assert find_claims(talk, ends=judge).sentences == 3


def test_what_has_lost_its_subject_is_told_with_the_sentence_before_it_or_left_out():
    """A sentence that goes on about the one before is widened by it, if that stands alone; what is left out is counted."""
    shares = {
        "국민은행은 2025년에 3조 원을 벌었습니다.": (0.8, 0.1, 0.05, 0.05),
        "이는 2024년보다 15퍼센트 는 것입니다.": (0.2, 0.7, 0.05, 0.05),
    }
    named, goes_on = shares
    found = find_claims(video(*shares), Reader(shares))
    assert [claim.text for claim in found.claims] == [named, f"{named} {goes_on}"]
    assert not found.notes
    alone = find_claims(video("네, 그렇군요.", goes_on), Reader({"네, 그렇군요.": (0.1, 0.1, 0.1, 0.7), **shares}))
    assert alone.claims == ()
    assert "1개는 뺐어요" in alone.notes[-1]


def test_of_a_video_longer_than_a_day_it_is_said_until_when_it_was_read():
    """The note names the time of the last sentence that was looked at; a video read whole has no such note."""
    said = ["국민은행은 2025년에 3조 원을 벌었습니다."] + ["네."] * (MAX_SENTENCES - 1)
    longer = find_claims(video(*said, "신한은행은 2025년에 4조 원을 벌었습니다."))
    assert [claim.text for claim in longer.claims] == said[:1]
    assert longer.notes[-1] == "영상이 길어서 16:39:55까지만 살펴봤어요. 그 뒤는 빠졌어요."  # the last of its two letters
    assert find_claims(video(*said)).notes == (WITHOUT_MODEL,)


def test_a_sentence_likelier_a_claim_than_anything_else_is_less_certain():
    """It stands apart, numbered behind the claims; what a claim says already is not offered again, and words alone offer none."""
    shares = {
        "하나은행은 서울에 본점을 두고 있습니다.": (0.45, 0.35, 0.1, 0.1),
        "국민은행은 2025년에 3조 원을 벌었습니다.": (0.8, 0.1, 0.05, 0.05),
        "국민은행은 2025년에 3조 원을 벌었어요.": (0.48, 0.32, 0.1, 0.1),
        "공장은 2019년에 문을 열었습니다.": (0.1, 0.1, 0.1, 0.7),
    }
    hana, kookmin, *_ = shares
    found = find_claims(video(*shares), Reader(shares))
    assert [(claim.number, claim.text, claim.start_s) for claim in found.claims] == [(1, kookmin, 10)]
    assert [(claim.number, claim.text, claim.start_s) for claim in found.less_certain] == [(2, hana, 0)]
    assert "1개는 뺐어요" in found.notes[-1]
    assert find_claims(video(*shares)).less_certain == ()


def test_what_has_lost_its_subject_is_offered_behind_what_is_spoken_of_there():
    """Its words as spoken stand beside it; a figure is a claim, even without a full stop; what points is less certain."""
    names = (0.1, 0.1, 0.1, 0.7)
    shares = {
        "라온전자를 다녀왔습니다.": names,
        "라온전자는 배터리를 만듭니다.": names,
        "그리고 직원은 2025년보다 15퍼센트 늘었습니다.": (0.1, 0.8, 0.05, 0.05),
        "이 회사 직원은 지금 860명입니다.": (0.05, 0.85, 0.05, 0.05),
        "저희는 노는데 공장이 2019년보다 30퍼센트쯤 큽니다.": (0.1, 0.3, 0.5, 0.1),
    }
    said = [text.removesuffix(".") for text in shares]
    found = find_claims(video(*said, title="라온전자를 찾아가다"), Reader(shares))
    claims, less = ([(claim.text, claim.moments[0].quote) for claim in each] for each in (found.claims, found.less_certain))
    assert claims == [("라온전자: 직원은 2025년보다 15퍼센트 늘었습니다.", said[2]), (f"{said[4]}.", said[4])]
    assert less == [("라온전자 직원은 지금 860명입니다.", said[3])]
    assert find_claims(video(*shares, title="라온전자를 찾아가다")).less_certain == ()


def test_a_figure_stated_in_few_words_is_offered_without_the_name_of_another_story():
    """What no other name before it settles has none in front; less worth a check it is less certain."""
    names = (0.1, 0.1, 0.1, 0.7)
    shares = {
        "어시장에 나가 봤습니다.": names,
        "굴 값은 상자에 4만 원입니다.": (0.1, 0.55, 0.05, 0.3),
        "가람방송 고나래입니다.": names,
        "한빛전자가 쉽니다.": names,
    }
    found = find_claims(video(*shares, title=""), Reader(shares))
    assert [claim.text for claim in found.claims] == ["굴 값은 상자에 4만 원입니다."]


def test_a_claim_made_twice_has_two_moments_and_one_that_differs_is_another():
    """A figure said again is one claim, without the words that lead to it, which its quote keeps; another figure is another."""
    found = find_claims(
        video(
            "국민은행의 이익은 2025년에 15퍼센트 늘었습니다.",
            "국민은행의 이익은 2025년에 50퍼센트 늘었습니다.",
            "다시 말씀드리지만 국민은행 이익은 2025년에 15퍼센트 늘었어요.",
        )
    )
    moments = [[(moment.start_s, moment.quote[:2]) for moment in claim.moments] for claim in found.claims]
    assert moments == [[(0, "국민"), (20, "다시")], [(10, "국민")]]


def test_nothing_said_is_not_nothing_found():
    """A video without a transcript says so; one that claims nothing has no claims and no such note."""
    assert find_claims(video()).notes == (NOTHING_SAID,)
    assert find_claims(video("안녕하세요.", "구독 부탁드려요!", "도래재에서 배소윤이 전해드렸습니다.")).claims == ()


def test_the_weakest_claims_are_left_out_of_very_many():
    """At most MAX_CLAIMS are found, in the order of the video, a note says how many are missing; endless text is cut."""
    talk = (f"가나다 {number}호 공장은 {1900 + number}년에 {number + 1}억 원을 벌었습니다." for number in range(MAX_CLAIMS + 7))
    found = find_claims(video(*talk))
    assert [claim.number for claim in found.claims] == list(range(1, MAX_CLAIMS + 1))
    assert [claim.start_s for claim in found.claims] == sorted(claim.start_s for claim in found.claims)
    assert "7개는 빠졌어요" in found.notes[-1]


def test_what_has_surely_lost_its_subject_does_not_stand_alone():
    """By words a small share of a claim is enough, unless most speaks for a lost subject."""
    told, lost = (dict(zip(SentenceClass, shares, strict=True)) for shares in ((0.3, 0.55, 0.1, 0.05), (0.3, 0.65, 0.03, 0.02)))
    assert stands_alone(told, "국립공원은 넓습니다.", by_meaning=False)
    assert not stands_alone(lost, "국립공원은 넓습니다.", by_meaning=False)


SAID = "엔비디아의 데이터센터 매출은 작년에 15퍼센트 늘었습니다."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SAID, "엔비디아의 데이터센터 매출은 작년에 50퍼센트 늘었습니다."),
        (SAID, "인텔의 데이터센터 매출은 작년에 15퍼센트 늘었습니다."),
        (SAID, "엔비디아의 데이터센터 매출은 작년에 15퍼센트 줄었습니다."),
        (SAID, "엔비디아의 데이터센터 매출은 작년에 15퍼센트 늘지 않았습니다."),
        ("우리나라 반도체 수출 금액은 2024년에 늘었습니다.", "우리나라 반도체 수입 금액은 2024년에 늘었습니다."),
    ],
)
def test_a_number_a_time_a_name_or_a_no_makes_another_claim(one: str, other: str):
    """What differs in one of them is never taken for the same, however alike the words are, in both languages."""
    assert group_same([one, other]) == ((0,), (1,))


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("올해는 3퍼센트 올랐어요.", "2026년은 3퍼센트 올랐어요."),
        ("재작년 12월에 나왔습니다.", "2024년 12월에 나왔습니다."),
        ("어제 발표했습니다.", "2025년 12월 31일 발표했습니다."),
        ("Sales fell last year.", "Sales fell in 2025."),
        ("This year’s budget is larger.", "2026’s budget is larger."),
        ("It grew over the last year.", "It grew over the last year."),
        ("올라갔습니다.", "올라갔습니다."),
    ],
)
def test_times_are_reckoned_from_the_day_of_the_video(said: str, named: str):
    """Words that depend on the day are replaced, with the particle that this requires; spans stay, and all without a day."""
    assert name_times(said, date(2026, 1, 1)) == named
    assert name_times(said, None) == said


SHARES = {
    "국민은행은 2025년에 3조 원을 벌었습니다.": (0.8, 0.1, 0.05, 0.05),
    "하나은행은 2025년에 2조 원을 벌었습니다.": (0.1, 0.1, 0.1, 0.7),
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
