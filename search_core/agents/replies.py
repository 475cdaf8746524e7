"""What a tool answers: a typed status, our words, who was asked, and the material of strangers apart from all that."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from search_core.agents.calls import BUSY, CallRefusedError
from search_core.agents.material import Item, estimate_tokens, fenced, one_line, paginate, structured
from search_core.agents.videos import StillReadingError
from search_core.answers.chat import TooManyAnswersError
from search_core.errors import InputError, MaekrakError, NotFoundError, PageReadError, SettingsError, StorageError, VideoReadError

REPLY_TOKENS = 3_600
"""Of a whole reply, text and structured content together."""
_COVERAGE_TOKENS = 260
_NOTE_CHARS = 700
_LINE_CHARS = 200


class Status(StrEnum):
    """Names how a call came out."""

    DONE = "done"
    PARTIAL = "partial"
    """Time was up, or it was ended early: a part of the result."""
    RUNNING = "running"
    """It goes on; ask again by its id."""
    FOUND_NONE = "found_none"
    """All was asked and read, and there is nothing."""
    BELOW_THRESHOLD = "below_threshold"
    """All was asked and read, and what there is says too little of it to be used."""
    COULD_NOT_ASK = "could_not_ask"
    """No search service of the web answered: nothing is known of what the web has."""
    COULD_NOT_READ = "could_not_read"
    """There is something, and it could not be read."""
    STOPPED = "stopped"
    BAD_INPUT = "bad_input"
    """The arguments have to be changed."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The result of a call before it is cut to a page."""

    status: Status
    note: str
    """In our words: what came out, and what to do next."""
    coverage: tuple[str, ...] = ()
    """Who was asked and how it ended, what was read and what was not."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Ids and numbers of ours."""
    items: tuple[Item, ...] = ()
    """What strangers wrote, the most telling first."""
    page: int = 1
    tokens: int = REPLY_TOKENS
    how_to_page: str = ""
    """How the other pages are asked for, before the number."""
    error: bool = False
    """True when the call did not do what it is there for."""


def render(reply: Reply) -> tuple[str, dict[str, Any]]:
    """Return *reply* as text and as structured content, the page that was asked for."""
    coverage = _shortened(reply.coverage)
    overhead = estimate_tokens(reply.note) * 2 + sum(map(estimate_tokens, coverage)) * 2 + 250
    pages = paginate(reply.items, max(400, reply.tokens - overhead))
    status, note, items = reply.status, reply.note, pages[min(reply.page, len(pages)) - 1]
    if reply.page > len(pages):
        status, note, items = Status.BAD_INPUT, f"There is no page {reply.page}; the last one is {len(pages)}.", ()
    elif len(pages) > 1:
        more = f" For the next one: {reply.how_to_page}page={reply.page + 1}." if reply.page < len(pages) else ""
        note = f"{note} Page {reply.page} of {len(pages)}.{more}"
    facts = {name: value for name, value in reply.facts.items() if value not in (None, "")}
    fields: dict[str, Any] = {"status": status.value, "note": note, "coverage": list(coverage), **facts}
    if reply.items:
        fields |= {"pages": len(pages), "data": structured(items)}
    lines = [f"status: {status.value}", note, *(f"{name}: {_said(value)}" for name, value in facts.items())]
    if coverage:
        lines.append(f"coverage: {' / '.join(coverage)}")
    return "\n".join((*lines, fenced(items))).strip(), fields


def note_of(*sentences: str) -> str:
    """Return the sentences that there are as one note."""
    return one_line(" ".join(sentence for sentence in sentences if sentence), _NOTE_CHARS)


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={each}" for name, each in value.items())
    return str(value)


def _shortened(coverage: Sequence[str]) -> tuple[str, ...]:
    """Return the first lines of the coverage, and how many more there are."""
    kept: list[str] = []
    room = _COVERAGE_TOKENS
    for line in coverage:
        cleaned = one_line(line, _LINE_CHARS)
        room -= estimate_tokens(cleaned)
        if room < 0 and kept:
            return (*kept, f"… {len(coverage) - len(kept)} more lines")
        kept.append(cleaned)
    return tuple(kept)


logger = logging.getLogger(__name__)

STILL_READING = "The video is still being read. Call again with the same arguments in a few seconds."
UNEXPECTED = Reply(
    status=Status.FAILED,
    note="Something unexpected went wrong; the log of the server says what. Calling again may help.",
    error=True,
)


def refusal_of(error: Exception) -> Reply:
    """Return the message an agent gets for an expected *error*; details that it cannot act on go to the log alone."""
    match error:
        case StillReadingError():
            return Reply(status=Status.RUNNING, note=STILL_READING)
        case VideoReadError() | PageReadError():
            return _refusal(Status.COULD_NOT_READ, str(error), error.korean)
        case NotFoundError() | InputError():
            return _refusal(Status.BAD_INPUT, str(error), error.korean)
        case CallRefusedError():
            return _refusal(Status.FAILED, str(error))
        case TooManyAnswersError():
            return _refusal(Status.FAILED, BUSY)
        case StorageError():
            logger.warning("A tool could not use what is kept: %s", error)
            return _refusal(Status.FAILED, "What is kept cannot be read or written; the log of the server says why.")
        case SettingsError():
            logger.error("%s", error)
            return _refusal(Status.FAILED, "A setting of the server cannot be used; its log says which.")
        case MaekrakError():
            logger.warning("A tool failed (%s): %s", type(error).__name__, error)
            return _refusal(Status.FAILED, str(error), error.korean)
        case _:
            raise error


def _refusal(status: Status, message: str, korean: str = "") -> Reply:
    return Reply(status=status, note=note_of(message, korean), error=True)


MAX_ID_CHARS = 200


class RunKind(StrEnum):
    """Names what an id stands for."""

    RESEARCH = "research"
    ANSWER = "answer"
    CLAIMS = "claims"


class RunId(NamedTuple):
    """An id with its parts."""

    kind: RunKind
    id: str
    """Of the run, or of the conversation that holds the answer."""
    message: str = ""
    """Of the answer in its conversation."""

    def __str__(self) -> str:
        return ".".join(part for part in self if part)


def parse_run_id(text: str) -> RunId:
    """Return the id in *text*; raises InputError where there is none."""
    kind, _, rest = text.strip().partition(".")
    first, _, second = rest.partition(".")
    wanted_parts = kind == RunKind.ANSWER
    if kind not in set(RunKind) or not first or bool(second) != wanted_parts or len(text) > MAX_ID_CHARS:
        raise InputError(
            "This is no run_id. Give one as start_research, ask_video or check_online returned it, unchanged.",
            korean="조사나 답변의 ID가 아니에요. 받은 run_id를 그대로 넣어 주세요.",
        )
    return RunId(RunKind(kind), first, second)
