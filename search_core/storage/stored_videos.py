"""The videos that people have opened, so that an address leads back to one and the last ones are at hand."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from search_core.domain import VideoContext, video_key
from search_core.storage.json_codec import JsonCodec, json_text

logger = logging.getLogger(__name__)

MAX_VIDEOS = 50
"""Of one owner; those opened longest ago make room."""
MAX_AGE_S = 90 * 86_400.0
RECENT = 5
_KEY = re.compile(r"[0-9a-f]{32}")
_VIDEO = JsonCodec(VideoContext)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVideo:
    """A video that was opened, as a list names it."""

    key: str
    title: str


class VideoStore:
    """Keeps videos as files, a folder for each owner; safe to use from many threads.

    A folder that cannot be written keeps nothing, a file that cannot be read is as good as none: both are only a convenience.
    """

    def __init__(self, folder: Path, *, now: Callable[[], float] = time.time, most: int = MAX_VIDEOS) -> None:
        self._folder, self._now, self._most = folder, now, most
        self._lock = threading.Lock()
        self._titles: dict[tuple[Path, float], str] = {}

    def keep(self, video: VideoContext, owner: str) -> str:
        """Keep *video* as the one *owner* opened last and return its key; empty when it cannot be stored."""
        key, folder, text = video_key(video), self._folder_of(owner), json_text(_VIDEO.write(video))
        fresh = folder / f".{key}-{os.getpid()}-{threading.get_ident()}"
        with self._lock:
            try:
                for each in (self._folder, folder):
                    each.mkdir(mode=0o700, parents=True, exist_ok=True)
                fresh.touch(mode=0o600)
                fresh.write_text(text, encoding="utf-8")
                os.utime(fresh, (self._now(), self._now()))
                kept = fresh.replace(folder / f"{key}.json")
                self._titles[kept, kept.stat().st_mtime] = video.title
                for old in self._files(folder)[self._most :]:
                    old.unlink(missing_ok=True)
            except OSError as error:
                logger.warning("A video cannot be kept: %s", type(error).__name__)
                return ""
        return key

    def open(self, key: str, owner: str) -> VideoContext | None:
        """Return the video that *owner* has kept under *key*, or None."""
        if not _KEY.fullmatch(key):
            return None
        path = self._folder_of(owner) / f"{key}.json"
        kept = self._read(path) if self._is_young(path) else None
        return None if kept is None else _VIDEO.read(kept)[0]

    def recent(self, owner: str) -> tuple[StoredVideo, ...]:
        """Return the videos *owner* opened last, newest first."""
        try:
            files = [path for path in self._files(self._folder_of(owner)) if self._is_young(path)][:RECENT]
            return tuple(StoredVideo(key=path.stem, title=self._title(path)) for path in files)
        except OSError:  # removed by another process in between
            return ()

    def _folder_of(self, owner: str) -> Path:
        return self._folder / hashlib.sha256(owner.encode("utf-8", "replace")).hexdigest()[:32]

    def _files(self, folder: Path) -> list[Path]:
        return sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)

    def _is_young(self, path: Path) -> bool:
        try:
            return path.stat().st_mtime > self._now() - MAX_AGE_S
        except OSError:
            return False

    def _read(self, path: Path) -> Any:
        try:
            return orjson.loads(path.read_bytes())
        except (OSError, ValueError) as error:
            logger.warning("A kept video cannot be read: %s", type(error).__name__)
            return None

    def _title(self, path: Path) -> str:
        """Return the title in a file, which is read once for each version of it."""
        version = (path, path.stat().st_mtime)
        if version not in self._titles:
            kept = self._read(path)
            self._titles[version] = str(kept.get("title") or "") if isinstance(kept, dict) else ""
        return self._titles[version]
