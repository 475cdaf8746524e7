"""Results in the sections they are shown in."""

from __future__ import annotations

from search_core.presenting import sections

from .conftest import korean_hit

NAMED, PLAIN = korean_hit(title="이름", entity_matches=("한국은행",)), korean_hit(title="다른")
OWN = korean_hit(title="문서", collection="user")


def told(found):
    return [(section.own, section.line, [result.title for result in section.results]) for section in found]


def test_results_that_name_somebody_of_the_video_stand_under_their_line():
    """The others stand under theirs; documents of the library follow, and need no line where none names anybody."""
    assert told(sections([NAMED, PLAIN, OWN], entity_first=True)) == [
        (False, "이 영상의 인물·기업·행사가 나온 결과", ["이름"]),
        (False, "그 밖의 결과", ["다른"]),
        (True, "", ["문서"]),
    ]
    assert told(sections([PLAIN, NAMED, OWN])) == [(False, "", ["다른", "이름"]), (True, "", ["문서"])]
