"""Research on a small file system that fills up; runs where this user may mount one."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.domain import ResearchEnded, ResearchRequest, ResearchStatus
from search_core.research import ResearchService
from search_core.runtime import LoopThread
from search_core.storage import Database
from tests.search_core.research.acting import QUESTION, REPORT, SUBTASKS, Actors, followed
from tests.search_core.research.workers import wait_until

SIZE_BYTES = 8 << 20
ASKED = ResearchRequest(question=QUESTION)
WRITING, SEARCHING = "write 2", f"search {SUBTASKS[1]}"


class SmallDisk:
    """A file system of some megabytes, which a test fills up and empties."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filling = folder / "filling"

    def fill(self) -> None:
        """Take all the room that is left, to the last byte."""
        with self._filling.open("ab", buffering=0) as file:
            for size in (1 << 16, 1 << 10, 1):
                try:
                    while file.write(b"\0" * size) == size:
                        pass
                except OSError:
                    continue

    def empty(self) -> None:
        """Give the room back."""
        self._filling.unlink(missing_ok=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_BYTES}", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def actors() -> Actors:
    return Actors()


@pytest.fixture
def desk(disk: SmallDisk, actors: Actors) -> Iterator[ResearchService]:
    loop = LoopThread()
    database = Database(disk.folder / "maekrak.sqlite")
    opened = ResearchService(actors.parts(), database, loop)
    yield opened
    disk.empty()
    actors.release(*actors.holds)
    opened.close()
    loop.close()
    database.close()


@pytest.mark.parametrize("point", [SEARCHING, WRITING])
def test_a_run_goes_on_when_there_is_room_again(
    point: str, desk: ResearchService, actors: Actors, disk: SmallDisk, caplog: pytest.LogCaptureFixture
):
    """Whatever SQLite says on a disk that is really full, the run completes by itself once there is room."""
    actors.holds.add(point)
    run = desk.start(ASKED)
    actors.wait_held(point)
    disk.fill()
    actors.release(point)
    wait_until(lambda: "for its database" in caplog.text)
    disk.empty()
    assert isinstance(followed(desk, run.id)[-1], ResearchEnded)
    done = desk.get(run.id, "")
    assert (done.status, done.report, done.failures) == (ResearchStatus.COMPLETE, REPORT, ())


@pytest.mark.parametrize("point", [SEARCHING, WRITING])
def test_stop_stops(point: str, desk: ResearchService, actors: Actors, disk: SmallDisk):
    """A run is stopped without room to write it down, and stays stopped with room again; the next run works."""
    actors.holds.add(point)
    run = desk.start(ASKED)
    actors.wait_held(point)
    disk.fill()
    desk.cancel(run.id, "")
    actors.wait_idle()
    assert desk.get(run.id, "").status is ResearchStatus.STOPPED
    disk.empty()
    actors.holds.clear()
    following = desk.start(ASKED)
    assert isinstance(followed(desk, following.id)[-1], ResearchEnded)
    assert desk.get(following.id, "").status is ResearchStatus.COMPLETE
    assert desk.get(run.id, "").status is ResearchStatus.STOPPED
