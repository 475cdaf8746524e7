"""The end of a process that was talked to over pipes."""

from __future__ import annotations

import logging
import subprocess
from typing import IO

_log = logging.getLogger(__name__)
_GOODBYE_S = 2.0


def end_process(child: subprocess.Popen[bytes]) -> None:
    """Close the pipes, which ends a healthy child, and kill one that lingers."""
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            _close(pipe)
    try:
        child.wait(_GOODBYE_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait(_GOODBYE_S)


def _close(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        _log.debug("A pipe of a dead process was closed already")
