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


EVERYWHERE = dict.fromkeys(range(0, 40, 2), "붉은회사") | {10: "붉은회사 규격", 20: "붉은회사 규격"}
SUBJECT_OF_ALL = dict.fromkeys(range(0, 40, 3), "규격을 말합니다") | {12: "푸른기구 규격", 15: "푸른기구 규격"}


@pytest.mark.parametrize(
    ("said", "length", "terms", "expected"),
    [
        ({10: "푸른기구가 규격을 정합니다", 20: "푸른기구의 다음 규격입니다", 30: "붉은회사"}, 40, ("규격",), "푸른기구"),
        ({10: "푸른기구가 규격을 정합니다", 20: "푸른기구"}, 40, ("규격",), None),
        ({10: "푸른기구의 규격", 20: "푸른기구가 발표한", 21: "규격입니다"}, 40, ("규격",), "푸른기구"),
        (EVERYWHERE, 40, ("규격",), None),
        (SUBJECT_OF_ALL, 40, ("규격",), None),
        ({3: "붉은회사가 규격을 정합니다"}, 6, ("규격",), "붉은회사"),
        ({3: "붉은회사가 정합니다", 5: "규격"}, 6, ("규격", "정하다"), None),
    ],
)
def test_a_name_said_again_and_again_with_the_word_is_tied(said, length: int, terms: tuple[str, ...], expected: str | None):
    """Twice together in a long talk, or once in a short one, ties; the next segment counts half, and common words tie nothing."""
    assert tied(talk(said, length), *terms) == expected
