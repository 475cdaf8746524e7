from __future__ import annotations

import pytest

from search_core.answers.draft import MomentMarks, mark
from search_core.domain.video import TranscriptPassage, TranscriptSegment

GIVEN = (
    TranscriptPassage(segments=(TranscriptSegment(761.4, 800, "하나"),), score=0.5),
    TranscriptPassage(segments=(TranscriptSegment(3723, 3760, "둘"),), score=0.4),
)


@pytest.mark.parametrize(
    ("written", "shown", "cited"),
    [
        ("넓어요 [12:41].", "넓어요 [12:41].", (761.0,)),
        ("넓어요 [12:30].", "넓어요 [12:41].", (761.0,)),
        ("넓어요 [00:12:41].", "넓어요 [12:41].", (761.0,)),
        ("넓어요 [62:03].", "넓어요 [1:02:03].", (3723.0,)),
        ("넓어요 [12:41, 1:02:10].", "넓어요 [12:41][1:02:10].", (761.0, 3730.0)),
        ("넓어요 [12:41-13:00].", "넓어요 [12:41][13:00].", (761.0, 780.0)),
        ("넓어요 [40:00].", "넓어요.", ()),
        ("[3] 배열[0]과 [참고] 그리고 [", "[3] 배열[0]과 [참고] 그리고 [", ()),
        ("두 번 [12:41] 말해요 [12:41].", "두 번 [12:41] 말해요 [12:41].", (761.0,)),
    ],
)
def test_moments_stay_move_or_go(written: str, shown: str, cited: tuple[float, ...]):
    """A moment inside a passage stays, one beside it becomes its start, any other goes; all else stays as written."""
    for size in (1, 3, len(written)):
        marks = MomentMarks(GIVEN)
        pieces = [marks.feed(written[start : start + size]) for start in range(0, len(written), size)]
        assert "".join((*pieces, marks.rest())) == shown
        assert marks.cited == cited


def test_text_is_not_held_back_without_need():
    """Only a bracket that may become a moment waits, with the space before it; without passages no moment is cited."""
    marks = MomentMarks(GIVEN)
    assert marks.feed("앞말 [참") == "앞말 [참"
    assert marks.feed("고] 뒷말 [12:") == "고] 뒷말"
    assert marks.feed("41] 끝") == " [12:41] 끝"
    assert marks.feed(" [" + "1" * 80) == " [" + "1" * 80
    without = MomentMarks(())
    assert (without.feed("그래요 [00:10].") + without.rest(), without.cited) == ("그래요.", ())
    assert (mark(761.4), mark(5), mark(3723)) == ("[12:41]", "[00:05]", "[1:02:03]")
