"""A tool call and its result: a status, our own note, the services asked, and, kept apart, cleaned texts from outside."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, takewhile
from typing import Any, TypeVar

from mcp.types import CallToolResult, TextContent

from search_core.errors import InputError, MaekrakError, NotFoundError, PageReadError, VideoReadError
from search_core.language.sentences import shorten, visible
from search_core.models.llm.prompt import plain, without_template_marks
from search_core.runtime import run_in_thread

T = TypeVar("T")
OWNER = ""
"""Agents act for the user of this machine, who has no name, as on pages without a login."""
STOPPING_S = 5.0
"""Longest wait for the end of work that was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The timeouts of calls in seconds; clients wait for a minute."""

    work_s: float = 45.0
    """Time after which a tool returns its results so far, or how to continue."""
    given_up_s: float = 55.0
    """Time after which a call that has not returned fails."""
    look_s: float = 0.5
    """Time between two looks at running work."""


class Call:
    """A tool call in progress; blocking work runs on threads, which are abandoned when the call is cancelled."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._begun = time.monotonic()

    @property
    def left_s(self) -> float:
        """Return the seconds left for the work, 0 at the deadline."""
        return max(0.0, self._begun + self._timing.work_s - time.monotonic())

    async def run(self, work: Callable[[], T]) -> T:
        """Return the result of *work*, run on a thread."""
        return await asyncio.wrap_future(run_in_thread(work, "agent-call"))

    async def look_until(self, look: Callable[[], T], ended: Callable[[T], bool], wait_s: float) -> T:
        """Return the state that *look* returns once *ended* accepts it, or after *wait_s* seconds or at the call's deadline."""
        until = max(0.0, self.left_s - wait_s)
        while True:
            state = await self.run(look)
            if ended(state) or self.left_s <= until:
                return state
            await asyncio.sleep(self._timing.look_s)


logger = logging.getLogger(__name__)

REPLY_CHARS = 12_000
"""Longest reply as JSON. Each is sent twice, as text and as structured content, because some clients pass on only one."""
_LEAST_CHARS = 500
_COVERAGE_CHARS = 800
_NOTE_CHARS = 700
_LINE_CHARS = 200


class Status(StrEnum):
    """Lists how a call of an agent's tool can end."""

    DONE = "done"
    PARTIAL = "partial"
    """Only a part of the result, because time was up or the work was ended early."""
    RUNNING = "running"
    """The work is still running; ask again by its id."""
    FOUND_NONE = "found_none"
    """All services that answered found nothing."""
    BELOW_THRESHOLD = "below_threshold"
    """There are results, but all are below the threshold."""
    COULD_NOT_ASK = "could_not_ask"
    """No web search service answered, so it is unknown what the web has."""
    COULD_NOT_READ = "could_not_read"
    """A page or video exists but could not be read."""
    STOPPED = "stopped"
    BAD_INPUT = "bad_input"
    """The arguments have to be changed."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """The result of a call before it is shortened."""

    status: Status
    note: str
    """The result and the next step, in our own words."""
    coverage: Sequence[str] = ()
    """The services asked and how that ended, what was read and what was not."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Ids and numbers of ours."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """Texts from outside, such as snippets, as plain JSON."""
    long: str = ""
    """Name of the text or list in ``data`` that is cut last, to the room that the others leave."""
    error: bool = False
    """True when the call did not do what it is there for."""


def render(reply: ToolResult) -> CallToolResult:
    """Return *reply* in the protocol's format."""
    data = clean(dict(reply.data))
    whole = data.pop(reply.long, "")
    coverage = fit([one_line(line, _LINE_CHARS) for line in reply.coverage], _COVERAGE_CHARS)
    if len(coverage) < len(reply.coverage):
        coverage.append(f"… {len(reply.coverage) - len(coverage)} more lines")
    ours = {
        "status": reply.status.value,
        "note": one_line(reply.note, _NOTE_CHARS),
        "coverage": coverage,
        **clean(dict(reply.facts)),
    }
    room = max(_LEAST_CHARS, REPLY_CHARS - length_of(ours))
    if data:
        data = fit(data, room // 2 if whole else room)
    if whole:
        beginning = beginning_of(whole, room - length_of(data))
        data = {reply.long: beginning, **data}
        if len(beginning) < len(whole):
            ours["note"] += f" These are the first {len(beginning)} of {len(whole)} {reply.long}."
    text = json.dumps(ours, ensure_ascii=False)
    if data:
        text += f"\n{fence(json.dumps(data, ensure_ascii=False))}"
        ours["data"] = data
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=ours,
        is_error=reply.error or reply.status is Status.BAD_INPUT,
    )


ADVICE = {
    Status.DONE: "Done; what is said names its moments and sources, and what no source bears out is marked.",
    Status.PARTIAL: "This is a part: it ended before its time. What there is stands.",
    Status.FOUND_NONE: "Who was asked and answered has nothing. Try other words.",
    Status.BELOW_THRESHOLD: "All that was found is below the threshold.",
    Status.COULD_NOT_ASK: "No search service of the web answered; that says nothing about what the web has.",
    Status.COULD_NOT_READ: "What was found could not be read; what is said here rests on snippets alone.",
    Status.STOPPED: "Stopped; what there was stands.",
    Status.FAILED: "It failed; ask again.",
}
"""What each status means for an agent, and what to do next."""


def refusal_of(error: MaekrakError | TimeoutError) -> ToolResult:
    """Return an agent's message for an expected *error*; details that it cannot act on are only logged."""
    match error:
        case VideoReadError() | PageReadError():
            status, note = Status.COULD_NOT_READ, f"{error} {error.korean}"
        case NotFoundError() | InputError():
            status, note = Status.BAD_INPUT, f"{error} {error.korean}"
        case MaekrakError():
            logger.warning("A tool failed (%s): %s", type(error).__name__, error)
            status, note = Status.FAILED, f"It failed; the log of the server says why. {error.korean}"
        case TimeoutError():
            status, note = (
                Status.FAILED,
                "The call took too long. Call again; what was prepared meanwhile is kept.",
            )
    return ToolResult(status=status, note=note, error=True)


_SIZES = ((4_000, 40), (2_000, 20), (1_000, 12), (500, 8), (300, 5), (150, 3), (80, 2))
"""Limits to cut texts (characters) and lists (entries) to; the first pair is used with which the reply fits."""
_MAX_ENTRY = (1_000, 5)
"""Limits for texts and lists within one entry of the list named by ``long``."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def length_of(value: Any) -> int:
    """Return the length of *value* as JSON."""
    return len(json.dumps(value, ensure_ascii=False))


def one_line(text: str, most: int) -> str:
    """Return foreign text on one line of at most *most* characters, without hidden characters and marks."""
    return shorten(plain(text), most)


def clean(value: Any) -> Any:
    """Return JSON with cleaned texts and rounded numbers, without empty values."""
    match value:
        case str():
            return without_template_marks(visible(value)).strip()
        case float():
            return round(value, 2)
        case dict():
            return {name: cleaned for name, item in value.items() if (cleaned := clean(item)) not in _EMPTY}
        case list() | tuple():
            return [clean(item) for item in value]
        case _:
            return value


def fit(value: Any, room: int) -> Any:
    """Return JSON of at most *room* characters if possible, with its texts (ending in "…") and lists cut."""
    for chars, entries in _SIZES:
        shorter = _cut(value, chars, entries)
        if length_of(shorter) <= room:
            break
    return shorter


def _cut(value: object, chars: int, entries: int) -> object:
    match value:
        case str():
            return shorten(value, chars)
        case dict():
            return {name: _cut(item, chars, entries) for name, item in value.items()}
        case list():
            return [_cut(item, chars, entries) for item in value[:entries]]
        case _:
            return value


def beginning_of(whole: str | list[Any], room: int) -> str | list[Any]:
    """Return as much of a long text or list as fits into *room* characters, at least one character or entry."""
    if isinstance(whole, str):
        return whole[: max(1, room)]
    entries = [_cut(entry, *_MAX_ENTRY) for entry in whole]
    fitting = [*takewhile(lambda used: used <= room, accumulate(length_of(entry) + len(", ") for entry in entries))]
    return entries[: max(1, len(fitting))]


def fence(text: str) -> str:
    """Return cleaned *text* between two random marks of 128 bits."""
    mark = f"DATA-{secrets.token_hex(16)}"
    return f"{mark}\n{text}\n{mark}"
