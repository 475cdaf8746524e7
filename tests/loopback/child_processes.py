"""The processes that a test's own process has started."""

from __future__ import annotations

import psutil


def running_children(name: str) -> list[psutil.Process]:
    """Return the processes below this one that run and have *name* in their command, the newest last; ended ones do not count."""
    children = psutil.Process().children(recursive=True)
    return sorted((child for child in children if name in _command_of(child)), key=psutil.Process.create_time)


def _command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # also one that has ended and was not yet waited for
        return ""
