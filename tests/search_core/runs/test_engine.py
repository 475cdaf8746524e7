"""That a process works on queues while there are runs alone, and how steps are stored."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

from search_core.domain.research import ResearchStatus
from search_core.research.store import ResearchStore
from search_core.runs.engine import JsonSerializer, StepFailedError
from search_core.storage.database import Database
from tests.search_core.research.acting import ASKED, Actors, completed, open_research
from tests.search_core.research.workers import wait_until


def threads() -> set[str]:
    """Return the names of the threads of this process."""
    return {thread.name for thread in threading.enumerate()}


def test_a_process_at_rest_works_on_no_queue(tmp_path: Path):
    """Before the first run and after the last no thread looks at queues; runs of this process begin at once, others soon."""
    before = threads()
    address, actors = tmp_path / "maekrak.sqlite", Actors()
    with open_research(address, actors.parts(), rest_after_s=0.0) as service:
        service.open()
        assert threads() - before == {"maekrak-loop", "maekrak-runs"}
        assert completed(service).status is ResearchStatus.COMPLETE
        assert any(name.startswith("queue-worker") for name in threads())
        wait_until(lambda: not any(name.startswith("queue-worker") for name in threads()))
        with closing(Database(address)) as database:
            run_id = ResearchStore(database).create(ASKED).id
            wait_until(lambda: ResearchStore(database).load(run_id).status is ResearchStatus.COMPLETE)


def test_steps_are_stored_as_json_and_errors_by_name():
    """No value runs code when it is read, and the text of an error, which may hold the question, is not stored."""
    values = JsonSerializer()
    assert values.deserialize(values.serialize({"a": [1, "가", None]})) == {"a": [1, "가", None]}
    written = values.serialize(ValueError("비밀 질문"))
    assert "비밀" not in written
    again = values.deserialize(written)
    assert isinstance(again, StepFailedError)
    assert str(again) == "ValueError"
    assert values.deserialize("gASVCgAAAAAAAACMBm9z") == "gASVCgAAAAAAAACMBm9z"
