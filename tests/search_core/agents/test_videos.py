"""Videos that agents name, and what of them they get: claims and lines."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.calls import Call, Caller, StillReadingError, Timing
from search_core.agents.replies import Status
from search_core.agents.tools import claims_reply
from search_core.agents.videos import OpenedVideo, Videos
from search_core.domain import Claim, ClaimMoment, FoundClaims, TranscriptSegment, VideoContext
from search_core.errors import InputError, VideoReadError
from search_core.storage import VideoStore

TALK = VideoContext(
    video_id="abcdefghijk", title="강연", transcript=(TranscriptSegment(0, 3, "안녕하세요."),), url="https://youtu.be/abcdefghijk"
)
ADDRESS = "https://www.youtube.com/watch?v=abcdefghijk"


class Opening:
    """A core that opens videos when it is let, and counts how often it does."""

    def __init__(self, folder: Path) -> None:
        self.videos = VideoStore(folder)
        self.released = threading.Event()
        self.asked: list[str] = []
        self.start_reading_file = SimpleNamespace

    def samples(self) -> tuple[VideoContext, ...]:
        return (VideoContext(video_id="sample-x", title="예시", sample=True),)

    def open_video(self, url: str) -> VideoContext:
        self.asked.append(url)
        assert self.released.wait(60)
        return TALK


def call(owner: str = "", seconds: float = 60) -> Call:
    return Call(Caller(owner=owner), Timing(work_s=seconds))


def opened(videos: Videos, core: Any, given: str, calling: Call) -> OpenedVideo:
    return asyncio.run(videos.open(core, given, calling))


@pytest.fixture
def core(tmp_path: Path) -> Any:
    return Opening(tmp_path)


def test_an_address_is_read_once_and_kept_for_its_owner(core: Any):
    """The handle names it later without YouTube being asked, for its owner alone; the address and the id do, too."""
    core.released.set()
    videos = Videos()
    first = opened(videos, core, ADDRESS, call("minsu"))
    for given in (ADDRESS, "abcdefghijk", "youtu.be/abcdefghijk", first.reference):
        assert opened(videos, core, given, call("minsu")).video.title == "강연"
    assert core.asked == [ADDRESS]
    with pytest.raises(InputError, match="No video is known as"):
        opened(videos, core, first.reference, call("younghee"))


def test_a_video_that_takes_long_goes_on_being_read(core: Any):
    """The call returns in time, and the next one gets what the first one began."""
    videos = Videos()
    for _ in range(2):
        with pytest.raises(StillReadingError):
            opened(videos, core, ADDRESS, call(seconds=0))
    core.released.set()
    assert opened(videos, core, ADDRESS, call()).video.title == "강연"
    assert core.asked == [ADDRESS]


def test_only_known_things_are_videos(core: Any):
    """Samples and addresses of YouTube; everything else, paths of this machine too, is told what to give."""
    videos = Videos()
    assert opened(videos, core, " sample-x ", call()).reference == "sample-x"
    assert asyncio.run(videos.open_if_named(core, " ", call())) is None
    with pytest.raises(InputError, match="sample-x"):
        opened(videos, core, "/etc/talk.srt", call())
    with pytest.raises(VideoReadError, match="Only addresses of YouTube"):
        opened(videos, core, "https://vimeo.com/12345", call())


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
    reply = claims_reply(OpenedVideo("v", heard), FOUND)
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
    assert claims_reply(OpenedVideo("v", TALK), FoundClaims(sentences=3)).status is Status.FOUND_NONE
    assert claims_reply(OpenedVideo("v", VideoContext(title="x")), FoundClaims()).status is Status.COULD_NOT_READ


def test_a_long_video_is_looked_through_once():
    """A call that has to return before the claims are found leaves them to the next one; what failed is tried anew."""
    release, asked = threading.Event(), []

    def find(video: VideoContext) -> FoundClaims:
        asked.append(video)
        assert release.wait(60)
        return FOUND

    def fail(_: VideoContext) -> FoundClaims:
        raise ValueError("odd")

    core: Any = SimpleNamespace(find_claims=find)
    failing: Any = SimpleNamespace(find_claims=fail)
    videos, video = Videos(), OpenedVideo("v", TALK)
    with pytest.raises(ValueError, match="odd"):
        asyncio.run(videos.find_claims(failing, video, call()))
    for _ in range(2):
        with pytest.raises(StillReadingError):
            asyncio.run(videos.find_claims(core, video, call(seconds=0)))
    assert len(asked) == 1
    release.set()
    assert asyncio.run(videos.find_claims(core, video, call())) == FOUND
