"""Videos that agents name: addresses, files, texts and samples."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from search_core.agents.calls import Call, Caller
from search_core.agents.videos import StillReadingError, Videos
from search_core.core import SearchCore
from search_core.domain import TranscriptSegment, VideoContext
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


def call(owner: str = "", seconds: float = 60, *, files: bool = False) -> Call:
    return Call(Caller(owner=owner, may_read_files=files), seconds)


@pytest.fixture
def core(tmp_path: Path) -> Any:
    return Opening(tmp_path)


def test_an_address_is_read_once_and_kept_for_its_owner(core: Any):
    """The handle names it later without YouTube being asked, for its owner alone; the address and the id do, too."""
    core.released.set()
    videos = Videos()
    opened = videos.open(core, ADDRESS, call("minsu"))
    for given in (ADDRESS, "abcdefghijk", "youtu.be/abcdefghijk", opened.reference):
        assert videos.open(core, given, call("minsu")).video.title == "강연"
    assert core.asked == [ADDRESS]
    with pytest.raises(InputError, match="No video is known as"):
        videos.open(core, opened.reference, call("younghee"))


def test_a_video_that_takes_long_goes_on_being_read(core: Any):
    """The call returns in time, and the next one gets what the first one began."""
    videos = Videos()
    for _ in range(2):
        with pytest.raises(StillReadingError):
            videos.open(core, ADDRESS, call(seconds=0))
    core.released.set()
    assert videos.open(core, ADDRESS, call()).video.title == "강연"
    assert core.asked == [ADDRESS]


def test_only_known_things_are_videos(core: Any, tmp_path: Path):
    """Samples, addresses of YouTube and, for the user of the machine, subtitle files; everything else is told what to give."""
    videos = Videos()
    path = tmp_path / "talk.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:04,000\n김밥입니다.\n", encoding="utf-8")
    assert videos.open(core, " sample-x ", call()).reference == "sample-x"
    assert videos.open_if_named(core, " ", call()) is None
    assert videos.open(core, str(path), call(files=True)).video.transcript[0].text == "김밥입니다."
    with pytest.raises(InputError, match="sample-x"):
        videos.open(core, str(path), call())
    with pytest.raises(VideoReadError, match="Only addresses of YouTube"):
        videos.open(core, "https://vimeo.com/12345", call())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("WEBVTT\n\n00:01.000 --> 00:04.000\n첫 문장입니다.\n", "첫 문장입니다."),
        (
            (
                "[Script Info]\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                "Dialogue: 0,0:00:01.00,0:00:04.00,Default,,0,0,0,,둘째입니다.\n"
            ),
            "둘째입니다.",
        ),
        ('{"title": "제목",\n "transcript": [{"start_s": 1, "end_s": 2, "text": "셋째입니다."}]}', "셋째입니다."),
        ("그냥 글입니다.\n다음 줄입니다.", "그냥 글입니다."),
    ],
)
def test_the_text_of_a_file_tells_its_kind(tmp_path: Path, text: str, said: str):
    """Subtitles of several formats, records and plain text are read by what they hold."""
    core: Any = SimpleNamespace(
        videos=VideoStore(tmp_path),
        samples=tuple,
        start_reading_file=lambda name, data: SearchCore.start_reading_file(None, name, data),
    )
    video = Videos().open(core, text, call()).video
    assert video.transcript[0].text.startswith(said)
    assert video.title == ("제목" if text.startswith("{") else "")  # it was no file, and has no name
