"""Claims listed for agents."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.calls import Call, Caller
from search_core.agents.replies import Status, render
from search_core.agents.video_tools import claims_reply
from search_core.agents.videos import OpenedVideo, StillReadingError, Videos
from search_core.domain import Claim, ClaimMoment, FoundClaims, TranscriptSegment, VideoContext

SPOKEN = VideoContext(video_id="v", title="강연", transcript=(TranscriptSegment(0, 9, "서울의 인구는 940만 명이에요."),))
FOUND = FoundClaims(
    claims=(
        Claim(number=1, text="날씨가 맑았다.", moments=(ClaimMoment(1, 2, "날씨가 맑았어요."),), score=0.4),
        Claim(number=2, text="서울의 인구는 940만 명이다.", moments=(ClaimMoment(3, 9, "그곳은 940만 명이에요."),), score=0.9),
    ),
    sentences=12,
    notes=("낱말만 보고 골랐어요.",),
)


def test_the_claims_of_the_highest_scores_come_first():
    """Each has its words with the places they are said at; one that rests on badly heard speech says so; notes are passed on."""
    heard = VideoContext(transcript=(TranscriptSegment(0, 2.5, "맑음"), TranscriptSegment(2.5, 9, "그곳은", uncertain=True)))
    text, told = render(claims_reply(OpenedVideo("v", heard), FOUND, 1))
    first, second = told["data"]["claims"]
    assert (told["status"], second["id"], second.get("uncertain")) == ("done", FOUND.claims[0].id, None)
    assert first == {
        "id": FOUND.claims[1].id,
        "text": "서울의 인구는 940만 명이다.",
        "quote": "그곳은 940만 명이에요.",
        "at_s": [3],
        "score": 0.9,
        "uncertain": True,
    }
    assert (
        f"{FOUND.claims[1].id} [00:03] 서울의 인구는 940만 명이다. “그곳은 940만 명이에요.” (speech recognition uncertain)"
        in text
    )
    assert "start_research with this video and claims=[ids]" in told["note"]
    assert told["coverage"] == ["12 sentences looked at, 2 claims found"]
    assert "낱말만 보고 골랐어요." in told["note"]


def test_no_claims_and_no_words_are_two_things():
    """A video that claims nothing is none that could not be read."""
    nothing = FoundClaims(sentences=3)
    assert claims_reply(OpenedVideo("v", SPOKEN), nothing, 1).status is Status.FOUND_NONE
    assert claims_reply(OpenedVideo("v", VideoContext(title="x")), FoundClaims(), 1).status is Status.COULD_NOT_READ


def test_a_long_video_is_looked_through_once():
    """A call that has to return before the claims are found leaves them to the next one; what failed is tried anew."""
    release, asked = threading.Event(), []

    def find(video: VideoContext) -> FoundClaims:
        asked.append(video)
        assert release.wait(60)
        if len(asked) == 1:
            raise ValueError("odd")
        return FOUND

    core: Any = SimpleNamespace(find_claims=find)
    videos, opened = Videos(), OpenedVideo("v", SPOKEN)
    with pytest.raises(StillReadingError):
        videos.find_claims(core, opened, Call(Caller(), 0))
    release.set()
    with pytest.raises(ValueError, match="odd"):
        videos.find_claims(core, opened, Call(Caller(), 60))
    assert videos.find_claims(core, opened, Call(Caller(), 60)) == FOUND
    assert videos.find_claims(core, opened, Call(Caller(), 60)) == FOUND
    assert len(asked) == 2
