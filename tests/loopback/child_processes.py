"""The processes that a test's own process has started."""

from __future__ import annotations

import psutil


def running_children(name: str) -> list[psutil.Process]:
    """Return the processes below this one that run and have *name* in their command; those that have ended do not count."""
    return [child for child in psutil.Process().children(recursive=True) if name in _command_of(child)]


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # also one that has ended and was not yet waited for
        return ""
