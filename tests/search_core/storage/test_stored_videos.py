from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from search_core.domain import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.storage.stored_videos import MAX_AGE_S, StoredVideo, VideoStore

VIDEO = VideoContext(title="실적 발표", speakers=("한지우",), transcript=(TranscriptSegment(0.5, 4.0, "매출이 늘었습니다."),))


class Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        self.at_s = 1_000_000.0

    def __call__(self) -> float:
        return self.at_s


def video(number: int) -> VideoContext:
    return VideoContext(video_id=f"video-{number}", title=f"영상 {number}")


def test_a_kept_video_comes_back_whole_for_its_owner_alone(tmp_path: Path):
    """The key leads its owner to an equal video, after the process too, and nobody else to anything."""
    key = VideoStore(tmp_path).keep(VIDEO, "kim")
    store = VideoStore(tmp_path)
    assert store.open(key, "kim") == VIDEO
    assert store.open(key, "lee") is None
    assert store.recent("lee") == ()
    assert store.recent("kim") == (StoredVideo(key=key, title="실적 발표"),)


def test_the_number_and_the_age_are_bounded(tmp_path: Path):
    """Past the limit the video opened longest ago goes, and none outlives its age."""
    clock = Clock()
    store = VideoStore(tmp_path, now=clock, most=2)
    keys = []
    for number in (1, 2, 3):
        clock.at_s += 10
        keys.append(store.keep(video(number), ""))
    assert [kept.title for kept in store.recent("")] == ["영상 3", "영상 2"]
    assert store.open(keys[0], "") is None
    clock.at_s += MAX_AGE_S + 1
    assert store.recent("") == ()
    assert store.open(keys[2], "") is None


def test_keys_and_files_that_are_none_are_answered_with_none(tmp_path: Path):
    """A forged key reads no file, and a broken file is no video."""
    store = VideoStore(tmp_path / "videos")
    (tmp_path / "secret.json").write_text("{}")
    assert store.open("../secret", "") is None
    key = store.keep(VIDEO, "")
    [path] = (tmp_path / "videos").rglob("*.json")
    path.write_text("{broken")
    assert store.open(key, "") is None


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path):
    """A store that cannot write says so by an empty key and raises nothing."""
    (tmp_path / "videos").write_text("a file")
    assert VideoStore(tmp_path / "videos").keep(VIDEO, "") == ""


def test_a_kept_video_knows_where_its_transcript_is_from(tmp_path: Path):
    """Origin, model and the marks of uncertain segments come back; a video kept before there were any has an unknown origin."""
    segments = (TranscriptSegment(0.0, 1.0, "네"), TranscriptSegment(1.0, 2.0, "감사합니다", uncertain=True))
    heard = replace(VIDEO, transcript=segments, transcript_origin=TranscriptOrigin.RECOGNITION, transcript_model="whisper-1")
    key = VideoStore(tmp_path).keep(heard, "")
    assert VideoStore(tmp_path).open(key, "") == heard
    [path] = tmp_path.rglob("*.json")
    kept = json.loads(path.read_text(encoding="utf-8"))
    del kept["transcript_origin"], kept["transcript_model"]
    for segment in kept["transcript"]:
        del segment["uncertain"]
    path.write_text(json.dumps(kept), encoding="utf-8")
    assert VideoStore(tmp_path).open(key, "") == replace(
        VIDEO, transcript=tuple(replace(segment, uncertain=False) for segment in segments)
    )
