"""Talking to a process over pipes: a JSON header and, for vectors, their raw bytes, never pickle; and ending it."""

from __future__ import annotations

import json
import struct
import subprocess
from contextlib import suppress
from typing import IO, Any

import numpy as np

from search_core.embedding.embedder import Vectors

_LENGTH = struct.Struct(">I")


def send(pipe: IO[bytes], header: dict[str, Any], vectors: Vectors | None = None) -> None:
    """Write one message; raises OSError when the other side is gone."""
    shape = None if vectors is None else list(vectors.shape)
    body = b"" if vectors is None else np.ascontiguousarray(vectors, dtype="<f4").tobytes()
    head = json.dumps({**header, "shape": shape}).encode()
    pipe.write(_LENGTH.pack(len(head)) + head + _LENGTH.pack(len(body)) + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[dict[str, Any], Vectors | None]:
    """Return the next message; raises EOFError when the other side is gone."""
    header: dict[str, Any] = json.loads(_block(pipe))
    body = _block(pipe)
    shape = header.pop("shape", None)
    if shape is None:
        return header, None
    return header, np.frombuffer(body, dtype="<f4").astype(np.float32).reshape(shape)


def _block(pipe: IO[bytes]) -> bytes:
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    data = pipe.read(count)
    if data is None or len(data) < count:
        raise EOFError("the other side of the pipe is gone")
    return data


_GOODBYE_S = 2.0


def end_process(child: subprocess.Popen[bytes]) -> None:
    """Close the pipes, which ends a healthy child, and kill one that lingers."""
    for pipe in filter(None, (child.stdin, child.stdout)):
        with suppress(OSError):  # closed already, of a dead process
            pipe.close()
    try:
        child.wait(_GOODBYE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(_GOODBYE_S)
