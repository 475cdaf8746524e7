"""Videos that agents name, and what of them they get: claims and lines."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from search_core.agents.replies import Call, Status, Timing
from search_core.agents.server import claims_reply
from search_core.agents.videos import ReferencedVideo, open_video
from search_core.domain.claim import Claim, ClaimMoment, FoundClaims
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.storage.videos import VideoStore

TALK = VideoContext(
    video_id="abcdefghijk", title="강연", transcript=(TranscriptSegment(0, 3, "안녕하세요."),), url="https://youtu.be/abcdefghijk"
)
ADDRESS = "https://www.youtube.com/watch?v=abcdefghijk"


class Opening:
    """A core that opens one video, and counts how often it does."""

    def __init__(self, folder: Path) -> None:
        self.videos = VideoStore(folder)
        self.asked: list[str] = []

    def samples(self) -> tuple[VideoContext, ...]:
        return (VideoContext(video_id="sample-x", title="예시", sample=True),)

    def open_video(self, url: str) -> VideoContext:
        self.asked.append(url)
        return TALK


def opened(core: Any, given: str) -> ReferencedVideo:
    return asyncio.run(open_video(core, given, Call(Timing())))


@pytest.fixture
def core(tmp_path: Path) -> Any:
    return Opening(tmp_path)


def test_an_address_is_read_once_and_kept(core: Any):
    """The handle names it later without YouTube being asked, and so do the address and the id; a sample is named by its id."""
    first = opened(core, ADDRESS)
    for given in (ADDRESS, "abcdefghijk", "youtu.be/abcdefghijk", first.reference):
        assert opened(core, given).video.title == "강연"
    assert core.asked == [ADDRESS]
    assert opened(core, " sample-x ").reference == "sample-x"


FOUND = FoundClaims(
    claims=(
        Claim(number=1, text="날씨가 맑았다.", moments=(ClaimMoment(1, 2, "날씨가 맑았어요."),), score=0.4),
        Claim(number=2, text="서울의 인구는 940만 명이다.", moments=(ClaimMoment(3, 9, "그곳은 940만 명이에요."),), score=0.9),
    ),
    sentences=12,
    notes=("낱말만 보고 골랐어요.",),
)


def test_the_claims_of_the_highest_scores_come_first():
    """Each has its words and moments; one that rests on badly heard speech says so; no claims and no words are two things."""
    heard = VideoContext(transcript=(TranscriptSegment(0, 2.5, "맑음"), TranscriptSegment(2.5, 9, "그곳은", uncertain=True)))
    reply = claims_reply(ReferencedVideo("v", heard), FOUND)
    first, second = reply.data["claims"]
    assert (reply.status, second["id"], second["uncertain"]) == (Status.DONE, FOUND.claims[0].id, None)
    assert first == {
        "id": FOUND.claims[1].id,
        "text": "서울의 인구는 940만 명이다.",
        "score": 0.9,
        "moments": [{"start_s": 3, "quote": "그곳은 940만 명이에요."}],
        "uncertain": True,
    }
    assert reply.note.endswith("낱말만 보고 골랐어요.")
    assert claims_reply(ReferencedVideo("v", TALK), FoundClaims(sentences=3)).status is Status.FOUND_NONE
    assert claims_reply(ReferencedVideo("v", VideoContext(title="x")), FoundClaims()).status is Status.COULD_NOT_READ
