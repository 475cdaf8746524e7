from __future__ import annotations

import pytest

from search_core.domain import TranscriptSegment, VideoContext
from search_core.query.ties import Ties
from search_core.query.video_index import VideoIndex

FILLER = "그래서 천천히 살펴보겠습니다"


def talk(said: dict[int, str], length: int) -> VideoIndex:
    """Return a talk of *length* segments that says nothing but what *said* puts at its places."""
    texts = [said.get(place, FILLER) for place in range(length)]
    return VideoIndex(
        VideoContext(
            title="강연",
            organizations=("푸른기구", "붉은회사"),
            transcript=tuple(TranscriptSegment(place * 5.0, place * 5.0 + 5, text) for place, text in enumerate(texts)),
        )
    )


def tied(index: VideoIndex, *terms: str) -> str | None:
    found = Ties(index, terms).strongest(index.by_salience())
    return found.text if found else None


def test_a_name_said_again_and_again_with_the_word_is_tied():
    """Two segments of two speak of both, out of forty."""
    assert (
        tied(talk({10: "푸른기구가 규격을 정합니다", 20: "푸른기구의 다음 규격입니다", 30: "붉은회사"}, 40), "규격") == "푸른기구"
    )


def test_one_chance_meeting_in_a_long_talk_is_no_tie():
    """Said together once only, among forty segments, proves nothing."""
    assert tied(talk({10: "푸른기구가 규격을 정합니다", 20: "푸른기구"}, 40), "규격") is None


def test_a_sentence_broken_over_segments_counts_half():
    """Once in the same segment and once in the next is enough; twice in the next is not."""
    assert tied(talk({10: "푸른기구의 규격", 20: "푸른기구가 발표한", 21: "규격입니다"}, 40), "규격") == "푸른기구"
    assert tied(talk({10: "푸른기구가 만든", 11: "규격", 20: "푸른기구가 발표한", 21: "규격입니다"}, 40), "규격") is None


def test_a_name_said_everywhere_is_tied_to_nothing():
    """The name in every second segment is near any word by chance."""
    said = dict.fromkeys(range(0, 40, 2), "붉은회사") | {10: "붉은회사 규격", 20: "붉은회사 규격"}
    assert tied(talk(said, 40), "규격") is None


def test_a_word_said_everywhere_ties_nothing():
    """What the whole video is about tells no name from another."""
    said = dict.fromkeys(range(0, 40, 3), "규격을 말합니다") | {12: "푸른기구 규격", 15: "푸른기구 규격"}
    assert tied(talk(said, 40), "규격") is None


def test_in_a_few_segments_one_meeting_is_enough():
    """A short text has no base rate to exceed."""
    assert tied(talk({3: "붉은회사가 규격을 정합니다"}, 6), "규격") == "붉은회사"


def test_properties_and_verbs_tie_nothing():
    """The words "가격" and "정하다" are said of anything."""
    assert tied(talk({3: "붉은회사가 가격을 정합니다"}, 6), "가격") is None
    assert tied(talk({3: "붉은회사가 정합니다", 5: "규격"}, 6), "규격", "정하다") is None


@pytest.mark.parametrize(
    ("terms", "expected"), [(("반도체", "대전"), "2026 반도체 대전"), (("반도체",), None), (("대전", "날씨"), None)]
)
def test_a_name_spelt_by_the_question_is_meant(terms: tuple[str, ...], expected: str | None):
    """Two words that make up most of a name mean it; one does not."""
    assert tied(VideoIndex(VideoContext(title="강연", events=("2026 반도체 대전",))), *terms) == expected
