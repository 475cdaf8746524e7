"""How much memory a process may still take."""

from __future__ import annotations

from pathlib import Path

LEAST_FREE = 2 << 30
"""The shipped model takes half a GiB; a machine with less than this free needs it for the page, the browser and the readers."""
_MEMINFO = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def free_bytes(meminfo: Path = _MEMINFO, group: Path = _GROUP) -> int | None:
    """Return the bytes that are free to the machine and, in a container, to its limit; None where it is unknown."""
    known = [free for free in (_of_machine(meminfo), _of_group(group)) if free is not None]
    return min(known, default=None)


def _of_machine(meminfo: Path) -> int | None:
    for line in _text(meminfo).splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _of_group(group: Path) -> int | None:
    """Return what is left of the limit of a container (cgroup 2); what it only caches of files counts as free."""
    most, taken = _text(group / "memory.max").strip(), _text(group / "memory.current").strip()
    if not most.isdigit() or not taken.isdigit():  # "max" where there is no limit
        return None
    caches = [int(line.split()[1]) for line in _text(group / "memory.stat").splitlines() if line.startswith("inactive_file ")]
    return int(most) - int(taken) + sum(caches)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""
