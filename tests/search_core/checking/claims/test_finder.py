from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import numpy as np

from search_core.answers import check_worthiness, sentence_classes
from search_core.answers.check_worthiness import CheckWorthiness
from search_core.answers.sentence_classes import SentenceClass
from search_core.checking.claims.finder import (
    MAX_CLAIMS,
    MAX_SENTENCE_CHARS,
    MAX_SENTENCES,
    NOTHING_SAID,
    WITHOUT_MODEL,
    find_claims,
    find_groups,
    stands_alone,
)
from search_core.domain.claim import ClaimOrigin
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.vectors import TextKind, Vectors
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.video.upload import samples


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
    assert [claim.text for claim in found.claims] == [f"{named} {goes_on}"]
    assert not found.notes
    alone = find_claims(video("네, 그렇군요.", goes_on), Reader({"네, 그렇군요.": (0.1, 0.1, 0.1, 0.7), **shares}))
    assert alone.claims == ()
    assert "1개는 뺐어요" in alone.notes[-1]


def test_by_words_alone_no_sentence_is_put_in_front():
    """Without the model a sentence that has lost its subject is left out, for words do not tell what the one before is about."""
    found = find_claims(video("국민은행은 2025년에 3조 원을 벌었습니다.", "이는 2024년보다 15퍼센트 늘어난 것입니다."))
    assert [claim.text for claim in found.claims] == ["국민은행은 2025년에 3조 원을 벌었습니다."]
    assert "1개는 뺐어요" in found.notes[-1]


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
        "하나은행은 2025년에 2조 원을 벌었습니다.": (0.45, 0.35, 0.1, 0.1),
        "국민은행은 2025년에 3조 원을 벌었습니다.": (0.8, 0.1, 0.05, 0.05),
        "국민은행은 2025년에 3조 원을 벌었어요.": (0.48, 0.32, 0.1, 0.1),
        "공장은 2019년에 문을 열었습니다.": (0.3, 0.1, 0.2, 0.4),
    }
    hana, kookmin, *_ = shares
    found = find_claims(video(*shares), Reader(shares))
    assert [(claim.number, claim.text, claim.start_s) for claim in found.claims] == [(1, kookmin, 10)]
    assert [(claim.number, claim.text, claim.start_s) for claim in found.less_certain] == [(2, hana, 0)]
    assert "2개는 뺐어요" in found.notes[-1]
    assert find_claims(video(*shares)).less_certain == ()


def test_what_has_lost_its_subject_is_offered_behind_what_is_spoken_of_there():
    """Among the less certain, its words as spoken beside it; what "이 회사" means is named, and words alone offer none."""
    names = (0.1, 0.1, 0.1, 0.7)
    shares = {
        "라온셀을 다녀왔습니다.": names,
        "라온셀은 배터리를 만듭니다.": names,
        "이 회사 직원은 지금 860명입니다.": (0.05, 0.85, 0.05, 0.05),
        "직원은 2025년보다 15퍼센트 늘었습니다.": (0.1, 0.8, 0.05, 0.05),
        "2025년보다 30퍼센트쯤이고요.": (0.1, 0.3, 0.5, 0.1),
    }
    found = find_claims(video(*shares, title="라온셀을 찾아가다"), Reader(shares))
    assert found.claims == ()
    told = [(claim.text, claim.moments[0].quote) for claim in found.less_certain]
    _, _, staff, growth, _ = shares
    assert told == [("라온셀 직원은 지금 860명입니다.", staff), (f"라온셀: {growth}", growth)]
    assert find_claims(video(*shares, title="라온셀을 찾아가다")).less_certain == ()


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
    assert find_claims(video("안녕하세요.", "구독과 좋아요 부탁드려요!")).claims == ()


def test_the_weakest_claims_are_left_out_of_very_many():
    """At most MAX_CLAIMS are found, in the order of the video, a note says how many are missing; endless text is cut."""
    talk = (f"가나다 {number}호 공장은 {1900 + number}년에 {number + 1}억 원을 벌었습니다." for number in range(MAX_CLAIMS + 7))
    found = find_claims(video(*talk))
    assert [claim.number for claim in found.claims] == list(range(1, MAX_CLAIMS + 1))
    assert [claim.start_s for claim in found.claims] == sorted(claim.start_s for claim in found.claims)
    assert "7개는 빠졌어요" in found.notes[-1]


def test_endless_words_are_cut():
    """A sentence longer than anybody speaks is a claim of MAX_SENTENCE_CHARS letters at most."""
    found, _ = find_groups(["Samsung sold 3 million phones in 2020, " * 2000], CheckWorthiness((0.9,), 0.0))
    assert all(len(each.text) <= MAX_SENTENCE_CHARS for group in found for each in group)


def test_the_samples_have_claims_to_check():
    """The demo finds figures of its sample videos by words alone, and passes over their greetings."""
    for sample in samples():
        found = find_claims(sample)
        texts = " ".join(claim.text for claim in found.claims)
        assert len(found.claims) >= 4
        assert any(char.isdigit() for char in texts)
        assert not any(word in texts for word in ("안녕하세요", "고맙습니다", "Thank you", "Welcome", "보겠습니다"))


def test_what_has_surely_lost_its_subject_does_not_stand_alone():
    """By words a small share of a claim is enough, unless most speaks for a lost subject."""
    told, lost = (dict(zip(SentenceClass, shares, strict=True)) for shares in ((0.3, 0.55, 0.1, 0.05), (0.3, 0.65, 0.03, 0.02)))
    assert stands_alone(told, "국립공원은 넓습니다.", by_meaning=False)
    assert not stands_alone(lost, "국립공원은 넓습니다.", by_meaning=False)
