"""Attaches to each research message of a conversation its run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from search_core.domain import Conversation, Message, MessageKind, MessageState, ResearchEntry, ResearchRun, ResearchStatus
from search_core.errors import MaekrakError
from search_core.recent import Recent

logger = logging.getLogger(__name__)

DELETED = "이 조사는 지워져서 더 볼 수 없어요. 같은 질문을 다시 조사할 수 있어요."
MAX_KEPT_RUNS = 32
"""Runs that have ended and need not be read again for every look at their conversation."""
_STATES = {
    ResearchStatus.COMPLETE: MessageState.COMPLETE,
    ResearchStatus.FINISHED_EARLY: MessageState.COMPLETE,
    ResearchStatus.STOPPED: MessageState.STOPPED,
    ResearchStatus.FAILED: MessageState.FAILED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """Reads the runs of research of conversations; its functions raise MaekrakError."""

    asked_in: Callable[[str, str], tuple[ResearchEntry, ...]]
    """Returns the runs that were asked for in a conversation, given by its id and its owner, newest first."""
    run: Callable[[str, str], ResearchRun]
    """Returns a run so far, given by its id and its owner."""
    markdown: Callable[[ResearchRun], str]
    """Returns a run as Markdown for below a heading of the third level, in which nothing runs or loads."""


class ResearchRuns:
    """Gives the research messages of conversations their runs; safe to use from many threads."""

    def __init__(self, research: Research) -> None:
        self._research = research
        self._ended: Recent[tuple[str, datetime | None], ResearchRun] = Recent(MAX_KEPT_RUNS)

    def with_runs(self, conversation: Conversation) -> Conversation:
        """Return *conversation* with its runs; the message of a run that cannot be read says why."""
        entry, messages = conversation.entry, conversation.messages
        try:
            entries = self._research.asked_in(entry.id, entry.owner)
        except MaekrakError as error:
            logger.warning("The research of a conversation could not be listed: %s", error)
            return replace(conversation, messages=tuple(_mark_missing(message, error.korean) for message in messages))
        by_id = {each.id: each for each in entries}
        return replace(conversation, messages=tuple(self._with_run(message, by_id, entry.owner) for message in messages))

    def _with_run(self, message: Message, entries: Mapping[str, ResearchEntry], owner: str) -> Message:
        if message.kind is not MessageKind.RESEARCH:
            return message
        if message.id not in entries:
            return _mark_missing(message, DELETED)
        try:
            run = self._load_run(entries[message.id], owner)
        except MaekrakError as error:
            logger.warning("A run of research could not be read: %s", error)
            return _mark_missing(message, error.korean)
        return attach_run(message, run)

    def _load_run(self, entry: ResearchEntry, owner: str) -> ResearchRun:
        key = entry.id, entry.ended_at
        known = self._ended.get(key)
        run = known or self._research.run(entry.id, owner)
        if entry.status.ended and known is None:
            self._ended.put(key, run)
        return run


def attach_run(message: Message, run: ResearchRun) -> Message:
    """Return a research message with its run and its state."""
    return replace(message, state=_STATES.get(run.status, MessageState.RUNNING), research=run)


def _mark_missing(message: Message, why: str) -> Message:
    if message.kind is not MessageKind.RESEARCH:
        return message
    return replace(message, state=MessageState.FAILED, missing=why)
