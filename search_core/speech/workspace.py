"""Folders for files that are needed for a while; what killed processes have left of them goes after some days."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from search_core.errors import TranscriptionError, TranscriptionFailure

NO_ROOM_KOREAN = "서버의 저장 공간에 쓸 수 없어서 받아 적지 못했어요. 남은 용량과 데이터 폴더의 권한을 확인해 주세요."
LEFT_S = 2 * 86_400.0
"""Nobody works on a folder any more that was not written into for so long: no recording takes longer, and none waits."""


@contextmanager
def tell_no_room() -> Iterator[None]:
    """Raise what the disk refuses inside the block as TranscriptionError of kind NO_ROOM."""
    try:
        yield
    except OSError as error:
        raise TranscriptionError(
            TranscriptionFailure.NO_ROOM,
            f"The data folder cannot be written: {type(error).__name__} {error.errno}.",
            korean=NO_ROOM_KOREAN,
        ) from error


class Workspaces:
    """Makes workspaces in one folder, whose removal is up to who asks; safe to use from many threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> Path:
        """Return a new, empty folder; raises TranscriptionError of kind NO_ROOM."""
        with tell_no_room():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return Path(tempfile.mkdtemp(dir=self._folder))

    def sweep(self) -> None:
        """Remove what was left days ago."""
        for path in self._folder.glob("*"):
            if path.lstat().st_mtime < time.time() - LEFT_S:
                shutil.rmtree(path, ignore_errors=True)
