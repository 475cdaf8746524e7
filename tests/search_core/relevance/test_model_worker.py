"""What the model process makes of weights, without a process."""

from __future__ import annotations

import io

import pytest

from search_core.relevance import frames, model_worker


@pytest.fixture
def told():
    """What the worker told its parent."""
    pipe = io.BytesIO()

    def read():
        pipe.seek(0)
        return frames.receive(pipe)[0]

    return pipe, read


def test_a_damaged_file_of_weights_is_told(told, tmp_path):
    """A file cut short ends in a reason, not in a crash."""
    pipe, read = told
    (tmp_path / "weights.bin").write_bytes(b"E5S1\x01\x00")
    assert model_worker.load_shipped(tmp_path / "weights.bin", pipe) is None
    assert read()["failed"] == "weights"
