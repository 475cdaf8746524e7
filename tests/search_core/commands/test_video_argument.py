"""The video that a command is given by a path."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from search_core.commands.video_argument import read_video
from search_core.core import SearchCore
from search_core.settings import Settings
from search_core.video.upload import SAMPLES_FOLDER


@pytest.mark.parametrize("name", ["sample-hbm.info.json", "sample-hbm.ko.srt"])
def test_a_sample_is_known_by_its_path(name: str, tmp_path: Path):
    """A file of a sample video is that sample, so that sample documents answer about it; a copy elsewhere is the user's own."""
    shutil.copy(SAMPLES_FOLDER / name, tmp_path / name)
    with closing(SearchCore.from_settings(Settings(maekrak_data_dir=tmp_path / "data", embedding_model="kiwi"))) as core:
        given, copied = (read_video(str(folder / name), core) for folder in (SAMPLES_FOLDER, tmp_path))
    assert (given.video_id, given.sample) == ("sample-hbm", True)
    assert not copied.sample
