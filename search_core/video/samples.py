"""The sample videos that ship with the app, for demos."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from search_core.domain import VideoContext
from search_core.video.upload import load_file, parse_file

SAMPLES_FOLDER = Path(__file__).resolve().parents[2] / "samples" / "videos"


@lru_cache(maxsize=16)  # a page asks again each time it is drawn
def samples(folder: Path = SAMPLES_FOLDER) -> tuple[VideoContext, ...]:
    """Return the sample videos in *folder* by file name, each marked ``sample``; none when the folder is missing."""
    if not folder.is_dir():
        return ()
    return tuple(replace(parse_file(load_file(path)), sample=True) for path in sorted(folder.glob("*.info.json")))


@lru_cache(maxsize=16)
def sample_questions(video_id: str, folder: Path = SAMPLES_FOLDER) -> tuple[str, ...]:
    """Return the questions written for the sample video *video_id*; none when no sample has this id or none are written."""
    for path in sorted(folder.glob("*.info.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("id") == video_id:
            return tuple(record.get("maekrak", {}).get("questions", ()))
    return ()
