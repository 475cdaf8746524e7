from __future__ import annotations

from datetime import UTC, datetime

from search_core.claims import find_claims, find_in
from search_core.claims.finder import MAX_CLAIMS, MAX_SENTENCE_CHARS, NOTHING_SAID, WITHOUT_MODEL
from search_core.domain import ClaimOrigin, TranscriptSegment, VideoContext
from search_core.video import samples


def video(*said: str, **more: object) -> VideoContext:
    return VideoContext(
        **{"title": "경제 이야기", "published_at": datetime(2026, 7, 5, tzinfo=UTC), **more},
        transcript=tuple(TranscriptSegment(place * 10.0, place * 10.0 + 10, text) for place, text in enumerate(said)),
    )


def test_a_claim_stands_alone_and_keeps_its_quote():
    """A claim names the company and the year; the words as spoken and their times stay beside it."""
    found = find_claims(video("국민은행 이야기를 해 보죠.", "이 은행은 작년에 3조 원을 벌었습니다.", "저는 참 부럽네요."))
    (claim,) = found.claims
    assert claim.text == "국민은행은 2025년에 3조 원을 벌었습니다."
    assert (claim.number, claim.origin) == (1, ClaimOrigin.RULES)
    (moment,) = claim.moments
    assert (moment.quote, moment.start_s) == ("이 은행은 작년에 3조 원을 벌었습니다.", 10)
    assert 10 < moment.end_s <= 20
    assert (found.sentences, found.notes) == (3, (WITHOUT_MODEL,))


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


def test_a_sentence_of_two_statements_gives_two_claims_of_one_moment():
    """Each statement is a claim, and both quote the whole sentence."""
    said = "독일은 2023년에 원전 세 기를 껐지만 프랑스는 새로 여섯 기를 짓고 있습니다."
    found = find_claims(video(said))
    assert [claim.text for claim in found.claims] == [
        "독일은 2023년에 원전 세 기를 껐다.",
        "프랑스는 새로 여섯 기를 짓고 있습니다.",
    ]
    assert {claim.moments[0].quote for claim in found.claims} == {said}


def test_nothing_said_is_not_nothing_found():
    """A video without a transcript says so; one that claims nothing has no claims and no such note."""
    assert find_claims(video()).notes == (NOTHING_SAID,)
    assert find_claims(video("안녕하세요.", "구독과 좋아요 부탁드려요!")).claims == ()


def test_the_weakest_claims_are_left_out_of_very_many():
    """At most MAX_CLAIMS are found, in the order of the video, a note says how many are missing; endless text is cut."""
    talk = (f"가나다 {number}호 공장은 {1900 + number}년에 {number + 1}억 원을 벌었습니다." for number in range(MAX_CLAIMS + 7))
    found = find_claims(video(*talk))
    assert [claim.number for claim in found.claims] == list(range(1, MAX_CLAIMS + 1))
    assert [claim.start_s for claim in found.claims] == sorted(claim.start_s for claim in found.claims)
    assert "7개는 빠졌어요" in found.notes[-1]
    ((endless,),) = find_in(["he 3 " * 20_000], [0.9])
    assert len(endless.text) == MAX_SENTENCE_CHARS


def test_the_samples_have_claims_to_check():
    """The demo finds the figures of its sample videos, and passes over their greetings."""
    for sample in samples():
        found = find_claims(sample)
        texts = " ".join(claim.text for claim in found.claims)
        assert len(found.claims) >= 10
        assert any(char.isdigit() for char in texts)
        assert not any(word in texts for word in ("안녕하세요", "고맙습니다", "Thank you", "Welcome", "보겠습니다"))
