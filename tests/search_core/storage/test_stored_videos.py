from __future__ import annotations

import stat
from pathlib import Path

from search_core.domain import TranscriptSegment, VideoContext
from search_core.storage.stored_videos import MAX_AGE_S, StoredVideo, VideoStore
from tests.search_core.storage.clocks import Seconds

VIDEO = VideoContext(title="실적 발표", speakers=("한지우",), transcript=(TranscriptSegment(0.5, 4.0, "매출이 늘었습니다."),))


def test_a_kept_video_comes_back_whole_for_its_owner_alone(tmp_path: Path):
    """The key leads its owner to an equal video, after the process too, and nobody else to anything."""
    key = VideoStore(tmp_path).keep(VIDEO, "kim")
    store = VideoStore(tmp_path)
    assert (store.open(key, "kim"), store.recent("kim")) == (VIDEO, (StoredVideo(key=key, title="실적 발표"),))
    assert (store.open(key, "lee"), store.recent("lee")) == (None, ())


def test_kept_videos_belong_to_this_user(tmp_path: Path):
    """Folders and files are closed to other users."""
    VideoStore(tmp_path / "videos").keep(VIDEO, "kim")
    modes = {
        path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "videos", *(tmp_path / "videos").rglob("*"))
    }
    assert modes == {True: 0o700, False: 0o600}


def test_the_number_and_the_age_are_bounded(tmp_path: Path):
    """Past the limit the video opened longest ago goes, and none outlives its age."""
    clock = Seconds(1_000_000.0)
    store = VideoStore(tmp_path, now=clock, most=2)
    keys = []
    for number in (1, 2, 3):
        clock.at_s += 10
        keys.append(store.keep(VideoContext(video_id=f"video-{number}", title=f"영상 {number}"), ""))
    assert [kept.title for kept in store.recent("")] == ["영상 3", "영상 2"]
    assert store.open(keys[0], "") is None
    clock.at_s += MAX_AGE_S + 1
    assert (store.recent(""), store.open(keys[2], "")) == ((), None)


def test_what_cannot_be_kept_or_read_is_none(tmp_path: Path):
    """A forged key reads no file, a broken file is no video, and a folder that cannot be written gives an empty key."""
    store = VideoStore(tmp_path / "videos")
    (tmp_path / "secret.json").write_text("{}")
    assert store.open("../secret", "") is None
    key = store.keep(VIDEO, "")
    [path] = (tmp_path / "videos").rglob("*.json")
    path.write_text("{broken")
    assert store.open(key, "") is None
    (tmp_path / "taken").write_text("a file")
    assert VideoStore(tmp_path / "taken").keep(VIDEO, "") == ""
