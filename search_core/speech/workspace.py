"""Folders for files that are needed for a while; those of processes that were killed are found and removed."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from search_core.errors import TranscriptionError, TranscriptionFailure

NO_ROOM_KOREAN = "서버의 저장 공간에 쓸 수 없어서 받아 적지 못했어요. 남은 용량과 데이터 폴더의 권한을 확인해 주세요."


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


class Workspace:
    """A folder that goes with ``close``; a lock beside it shows that its process lives."""

    def __init__(self, path: Path, lock: FileLock) -> None:
        self.path, self._lock = path, lock

    def close(self) -> None:
        """Remove the folder with all that is in it; a second time does nothing."""
        if self._lock.is_locked:
            shutil.rmtree(self.path, ignore_errors=True)
            self._lock.release()
            Path(self._lock.lock_file).unlink(missing_ok=True)


class Workspaces:
    """Makes workspaces in one folder; safe to use from many threads and processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self) -> Workspace:
        """Return a new, empty workspace; raises TranscriptionError of kind NO_ROOM."""
        name = secrets.token_hex(8)
        with tell_no_room():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self._folder / f"{name}.lock", timeout=0, thread_local=False)
            lock.acquire()
            (self._folder / name).mkdir(mode=0o700)
        return Workspace(self._folder / name, lock)

    def sweep(self) -> None:
        """Remove the workspaces whose processes are gone."""
        for path in [each for each in self._folder.glob("*") if each.is_dir()] if self._folder.is_dir() else []:
            lock = FileLock(self._folder / f"{path.name}.lock", timeout=0, thread_local=False)
            try:
                lock.acquire()
            except (Timeout, OSError):  # in use, or not ours to remove
                continue
            Workspace(path, lock).close()
