"""``research QUESTION [--video FILE|URL]``: a question planned, searched for part by part, read up on and reported about."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING, Any

from search_core.commands.run_events import RunPrinter
from search_core.commands.video_argument import question_of
from search_core.core import SearchCore
from search_core.domain import (
    ContentChunk,
    PlanMade,
    ReportWritten,
    ResearchEvent,
    ResearchRequest,
    ResearchSource,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    SubtaskPlanned,
    SubtaskState,
)
from search_core.presenting.wording import count_sources, unsupported_lines
from search_core.settings import Settings

if TYPE_CHECKING:
    from search_core.runs.run_kind import RunKind


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Research and print it as it goes on; 0 when there is a report, 1 when it failed, 130 when an interrupt stopped it."""
    with closing(SearchCore.from_settings(settings)) as core:
        question = question_of(args, core)  # before anything is begun that a refusal would have to wait for
        service = core.work_on_runs().research
        request = ResearchRequest(
            question=question.text, video=question.video, memory=question.memory, moment_s=question.moment_s
        )
        started = service.start(request)
        return _Printer(service.kind, as_json=args.json).follow(service, started.id)


class _Printer(RunPrinter):
    def __init__(self, kind: RunKind[Any, Any, Any], *, as_json: bool) -> None:
        super().__init__(kind, as_json=as_json)
        self._shown = ""

    def text(self, event: ResearchEvent) -> str:
        """Return what a terminal shows of *event*; mostly nothing."""
        match event:
            case SubtaskPlanned() if event.subtask.state is SubtaskState.WAITING:
                return f"  {event.subtask.number}. {event.subtask.text}\n"
            case PlanMade():
                return f"· {event.note}\n" if event.note else ""
            case SourcesUpdated():
                why = f" ({event.subtask.failure})" if event.subtask.failure else ""
                found = count_sources(event.subtask.found, event.subtask.own)
                together = count_sources(event.count, event.count - sum(event.domains.values()))
                return f"  {event.subtask.number}. {found}{why} · 모두 {together}\n"
            case SourcesComplete():
                return "".join(_source_line(source) for source in event.sources)
            case SourceRead(source=source) if source.read is False:
                which = f"[{source.number}]" if source.number else f"‘{source.title}’"
                return f"  {which}의 본문은 읽지 못했어요.\n"
            case ContentChunk():
                self._shown = event.text if event.begins else self._shown + event.text
                return f"\n{event.text}" if event.begins else event.text
            case ReportWritten():
                added = event.text.removeprefix(self._shown.rstrip())
                same = added != event.text or not self._shown
                note = f"\n· {event.note}" if event.note else ""
                doubted = unsupported_lines(event.text, event.unsupported)
                return f"{added if same else f'{chr(10)}{chr(10)}{event.text}'}{note}\n{doubted}"
            case _:
                return ""


def _source_line(source: ResearchSource) -> str:
    mark = f"({source.domain}) " if source.own else ""
    return f"  [{source.number}] {mark}{source.title} — {source.url}\n"
