"""Attaches to each research message of a conversation its run."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from search_core.domain import Conversation, Message, MessageKind, MessageState, ResearchRun, ResearchStatus
from search_core.errors import MaekrakError, NotFoundError

logger = logging.getLogger(__name__)

DELETED = "이 조사는 지워져서 더 볼 수 없어요. 같은 질문을 다시 조사할 수 있어요."
_STATES = {
    ResearchStatus.COMPLETE: MessageState.COMPLETE,
    ResearchStatus.FINISHED_EARLY: MessageState.COMPLETE,
    ResearchStatus.STOPPED: MessageState.STOPPED,
    ResearchStatus.FAILED: MessageState.FAILED,
}
LoadRun = Callable[[str, str], ResearchRun]
"""Returns a run so far, given by its id and its owner; raises MaekrakError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """Reads the runs of research of conversations."""

    run: LoadRun
    markdown: Callable[[ResearchRun], str]
    """Returns a run as Markdown for below a heading of the third level, in which nothing runs or loads."""


def with_runs(conversation: Conversation, load: LoadRun) -> Conversation:
    """Return *conversation* with its runs; the message of a run that cannot be read says why."""
    messages = (
        _with_run(message, load, conversation.entry.owner) if message.kind is MessageKind.RESEARCH else message
        for message in conversation.messages
    )
    return replace(conversation, messages=tuple(messages))


def _with_run(message: Message, load: LoadRun, owner: str) -> Message:
    try:
        run = load(message.id, owner)
    except NotFoundError:
        return replace(message, state=MessageState.FAILED, missing=DELETED)
    except MaekrakError as error:
        logger.warning("A run of research could not be read: %s", error)
        return replace(message, state=MessageState.FAILED, missing=error.korean)
    return replace(message, state=_STATES.get(run.status, MessageState.RUNNING), research=run)
