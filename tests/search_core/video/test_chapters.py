"""Chapters in descriptions."""

from __future__ import annotations

import pytest

from search_core.domain import Chapter
from search_core.video.chapters import chapters_in

EXPECTED = (Chapter(0.0, "시작"), Chapter(90.0, "대역폭"), Chapter(3723.0, "정리"))


@pytest.mark.parametrize(
    "description",
    [
        "0:00 시작\n1:30 대역폭\n1:02:03 정리",
        "목차\n00:00 - 시작\n01:30 - 대역폭\n01:02:03 - 정리\n감사합니다",
        "[00:00] 시작\n[01:30] 대역폭\n[1:02:03] 정리",
        "▶ 0:00 시작\n▶ 1:30 대역폭\n▶ 1:02:03 정리",
        "0:00~1:30 시작\n1:30~1:02:03 대역폭\n1:02:03~2:00:00 정리",
        "시작 (0:00)\n대역폭 (1:30)\n정리 (1:02:03)",
    ],
)
def test_stamps_are_read_in_each_layout(description):
    """Stamps before or after the title, bare, in brackets or as ranges give the same chapters."""
    assert chapters_in(description) == EXPECTED


@pytest.mark.parametrize("description", ["", "방송 시간 21:30\n재방송 9:10", "0:00 하나\n1:00 둘", "비율은 16:9 예요"])
def test_fewer_than_three_rising_stamps_are_no_chapters(description):
    """A stray time or two is not a table of contents."""
    assert chapters_in(description) == ()
