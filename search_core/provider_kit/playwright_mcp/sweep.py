"""Ending every process of a session, wherever it has got to.

Chromium runs in a process group of its own, which neither the SDK's signals nor the death of a parent reach; when it is frozen it
outlives the server. All processes of a session carry its private TMPDIR in their environment, and no others do.
"""

from __future__ import annotations

import logging
import os
import signal
import time
from pathlib import Path

logger = logging.getLogger(__name__)

PROC = Path("/proc")
MAX_SWEEP_S = 2.0
_PAUSE_S = 0.01


def sweep(folder: Path, *, max_s: float = MAX_SWEEP_S) -> None:
    """Kill all processes whose TMPDIR is *folder*, and return when they are gone, at most *max_s* seconds later.

    Does nothing where there is no ``/proc``; there the SDK's own way to end the server remains.
    """
    ends_s = time.monotonic() + max_s
    while pids := find_tagged(folder):
        if time.monotonic() > ends_s:
            logger.error("Processes of a browser session cannot be killed: %s", pids)
            return
        for pid in pids:
            _kill(pid)
        time.sleep(_PAUSE_S)


def find_tagged(folder: Path) -> list[int]:
    """Return the ids of the living processes whose TMPDIR is *folder*."""
    tag = f"TMPDIR={folder}".encode()
    return [int(entry.name) for entry in PROC.glob("[0-9]*") if tag in _environment(entry)]


def _environment(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:  # gone since, or of another user
        return []


def _kill(pid: int) -> None:
    try:
        if os.getpgid(pid) == pid:  # the sandboxed children of a group's leader hide their environment
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError) as error:
        logger.debug("Process %d was gone before it was killed: %s", pid, error)
