"""How often a process looks at its queues, often while there are runs, seldom at rest, and how steps are stored."""

from __future__ import annotations

from pathlib import Path

from dbos import DBOS

from search_core.domain.research import ResearchStatus
from search_core.runs.engine import QUEUE_POLL_S, REST_POLL_S, JsonSerializer, StepFailedError
from tests.search_core.research.acting import ASKED, Actors, ended, open_research
from tests.search_core.research.workers import wait_until


def test_a_process_at_rest_looks_at_its_queues_less_often(tmp_path: Path):
    """Without runs it slows down; while one is under way it looks often; after that it slows down again."""
    actors = Actors(holds={"plan"})
    with open_research(tmp_path / "maekrak.sqlite", actors.parts(), rest_after_s=0.0) as service:
        service.open()

        def looks_every(seconds: float) -> bool:
            queue = DBOS.retrieve_queue(service.queue)
            return queue is not None and queue.polling_interval_sec == seconds

        wait_until(lambda: looks_every(REST_POLL_S))
        run_id = service.start(ASKED).id
        actors.wait_held("plan")
        wait_until(lambda: looks_every(QUEUE_POLL_S))
        actors.release("plan")
        assert ended(service, run_id, "").status is ResearchStatus.COMPLETE
        wait_until(lambda: looks_every(REST_POLL_S))


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
