"""The events of a long run, as a command prints them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from search_core.text.json_line import as_line
from search_core.text.visible import visible

if TYPE_CHECKING:
    from search_core.runs.run_kind import RunKind
    from search_core.runs.run_service import RunService

EXIT_FAILED = 1
EXIT_STOPPED = 130


class RunPrinter(ABC):
    """Prints the events of one kind of run, as lines of JSON or as text."""

    def __init__(self, kind: RunKind[Any, Any, Any], *, as_json: bool) -> None:
        self.kind = kind
        self.as_json = as_json
        self.exit_code = EXIT_FAILED
        """0 once a run has ended, 1 when it failed, 130 when an interrupt stopped it."""

    def follow(self, service: RunService[Any, Any, Any, Any, Any], run_id: str) -> int:
        """Print the events of a run and return the exit code; an interrupt stops the run, and its last events follow."""
        number = 0
        try:
            for number, event in service.events(run_id, ""):  # noqa: B007  an interrupt asks for the number
                self.show(event)
        except KeyboardInterrupt:
            service.cancel(run_id, "")
            for _, event in service.events(run_id, "", number):
                self.show(event)
        return self.exit_code

    @abstractmethod
    def text(self, event: Any) -> str:
        """Return what a terminal shows of *event* where kinds differ; mostly nothing."""

    def show(self, event: Any) -> None:
        """Print *event*."""
        ends = isinstance(event, self.kind.end_event)
        if ends:
            self.exit_code = {"failed": EXIT_FAILED, "stopped": EXIT_STOPPED}.get(event.status.value, 0)
        if self.as_json:
            self.print_json(event.name, event)
        elif ends:
            lines = "".join(f"{line}\n" for line in event.coverage)
            self.print_text(f"\n{lines}({event.metrics.total_ms / 1000:.1f}초)\n{self.text(event)}")
        elif isinstance(event, self.kind.status_event):
            self.print_text(f"· {event.message}\n")
        elif isinstance(event, self.kind.failed_event):
            self.print_text(f"\n· {event.korean} ({event.kind}: {event.description})\n{self.text(event)}")
        else:
            self.print_text(self.text(event))

    def print_json(self, name: str, record: Any) -> None:
        """Print *record* under a name as a line of JSON."""
        print(as_line({"event": name, "data": record}), flush=True)

    def print_text(self, text: str) -> None:
        """Print *text*, from which nothing steers the terminal."""
        print(visible(text), end="", flush=True)
