"""Messages over a pipe."""

from __future__ import annotations

import io

import numpy as np
import pytest

from search_core.embedding.model_process import receive, send


def sent(*messages):
    pipe = io.BytesIO()
    for header, vectors in messages:
        send(pipe, header, vectors)
    return pipe.getvalue()


def test_headers_and_vectors_arrive_as_sent():
    """Two messages one after the other, Korean text and float32 rows included."""
    vectors = np.array([[1.5, -2.0], [0.0, 3.25]], dtype=np.float32)
    pipe = io.BytesIO(sent(({"texts": ["맥락"]}, None), ({"id": 1}, vectors)))
    assert receive(pipe) == ({"texts": ["맥락"]}, None)
    header, arrived = receive(pipe)
    assert header == {"id": 1}
    assert arrived.dtype == np.float32
    assert np.array_equal(arrived, vectors)


def test_a_broken_pipe_is_an_end():
    """A message cut anywhere raises EOFError, never half a message."""
    for kept in (0, 2, 5, -1):
        with pytest.raises(EOFError):
            receive(io.BytesIO(sent(({"id": 1}, np.ones((1, 2), dtype=np.float32)))[:kept]))
