"""The commands of a run of research, which may change the plan under way."""

from __future__ import annotations

import asyncio

from search_core.durable_runs.control import Command, CommandKind, Control


class PlanControl(Control):
    """Holds the commands of one run, and interrupts the searches that they make useless."""

    def __init__(self) -> None:
        super().__init__()
        self._edit_signals: dict[int, list[asyncio.Event]] = {}

    def _note(self, command: Command) -> None:
        if command.kind is CommandKind.EDIT:
            for signal in self._edit_signals.pop(command.subtask, []):
                signal.set()

    def edit_signal(self, subtask: int, *, since: int) -> asyncio.Event:
        """Return an event that is set when a command above *since* changes *subtask*."""
        signal = asyncio.Event()
        if any(each.kind is CommandKind.EDIT and each.subtask == subtask for each in self.after(since)):
            signal.set()
        else:
            self._edit_signals.setdefault(subtask, []).append(signal)
        return signal
