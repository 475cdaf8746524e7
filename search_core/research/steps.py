"""The steps of a run: each does one thing, keeps what it found and returns plain values, which DBOS keeps.

A step never raises because of what it does: what failed is in its result. What is wanted no longer is cut off at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from search_core.domain import (
    PlanOrigin,
    ResearchFailed,
    ResearchRequest,
    ResearchSource,
    SearchReport,
    SearchResult,
    SearchStatus,
    Subtask,
)
from search_core.errors import MaekrakError, PageFailure, PageReadError
from search_core.merging import canonical_url
from search_core.research.control import Control, Interrupted, run_until
from search_core.research.coverage import search_ledger
from search_core.research.event_json import encode as kept_event
from search_core.research.failures import failed_plan
from search_core.research.kept_findings import plan_values, result_values
from search_core.research.loops import run_on
from search_core.research.patience import patiently
from search_core.research.planning import Plan
from search_core.research.store import PLAN

if TYPE_CHECKING:
    from search_core.research.engine import Engine

logger = logging.getLogger(__name__)
T = TypeVar("T")

_NOBODY = "어느 웹 검색 서비스에도 물어보지 못했어요."
_NOTHING = "찾은 것이 없어요."
_NOTHING_ON_THE_WEB = "웹에서는 찾은 것이 없어요."
_NOTHING_OWN = "내 자료에서 찾은 것이 없어요."
_NO_LIBRARY = "내 자료를 찾아보지 못했어요."


class Steps:
    """Does the steps of one leg of a run."""

    def __init__(self, engine: Engine, run_id: str, request: ResearchRequest, control: Control) -> None:
        self._parts = engine.parts
        self._limits = engine.parts.limits
        self._store = engine.store
        self._loop = engine.loop
        self._run_id = run_id
        self._request = request
        self._control = control
        self._one_prepared = asyncio.Lock()
        self._preparing: set[asyncio.Task[None]] = set()

    async def begin(self, leg: str) -> dict[str, Any]:
        """Return whether *leg* is to go on, and all that was wished for before."""
        if not await patiently(self._store.begin, self._run_id, leg):
            return {"go": False}
        commands = (await patiently(self._store.commands, [self._run_id]))[self._run_id]
        return {"go": True, "commands": [command.plain() for command in commands], **self._times(self._parts.now())}

    async def plan(self) -> dict[str, Any]:
        """Return the plan: the one that was kept before, or a new one."""
        begun = self._parts.now()
        encode = await self._found(PLAN)
        if encode is not None:
            return {**encode, **self._times(begun)}
        plan: Plan
        try:
            plan = await self._unless_finished(lambda: self._parts.plan(self._request), self._limits.plan_timeout_s)
        except Interrupted:
            cut = "중지했어요" if self._control.stop.is_set() else "마무리했어요"
            values = plan_values(self._question_itself(f"계획을 세우기 전에 {cut}."))
            return {**values, "cut": True, **self._times(begun)}
        except Exception as error:  # noqa: BLE001 - the question itself is a plan, whatever fails
            logger.warning("The plan failed (%s); the question itself is the plan", type(error).__name__)
            plan = self._question_itself("계획을 세우지 못해서 질문을 그대로 조사해요.", failed_plan(error))
        values = plan_values(plan)
        await self._keep(PLAN, values)
        failure = None if plan.failure is None else kept_event(plan.failure)
        return {**values, "failure": failure, **self._times(begun)}

    async def replan(self, plan: dict[str, Any]) -> bool:
        """Keep the plan as the user has changed it."""
        await self._keep(PLAN, plan)
        return True

    async def wishes(self, after: int) -> list[dict[str, Any]]:
        """Return the wishes above a number, waiting for one; none when they are waited for no longer."""
        return [command.plain() for command in await self._control.next_after(after)]

    async def clock(self) -> float:
        """Return the time, in seconds since 1970."""
        return self._parts.now()

    async def search(self, number: int, text: str, since: int) -> dict[str, Any]:
        """Return what the search for a subtask found; cut off when a command above *since* changes the subtask."""
        begun = self._parts.now()
        # Not "search:", as up to 0.3.0: what was kept under it does not say which results are own documents.
        key = f"{'own' if self._request.own_only else 'web'} search:{text}"
        encode = await self._found(key)
        if encode is not None:
            return {"number": number, **encode, **self._times(begun)}
        edited = self._control.edited(number, since=since)
        try:
            report = await self._unless_finished(
                lambda: self._parts.search(text, self._request), self._limits.search_timeout_s, edited
            )
        except Interrupted:
            return {"number": number, "state": "cut", **self._times(begun)}
        except Exception as error:
            logger.warning("The search for a subtask failed: %s", type(error).__name__, exc_info=not _expected(error))
            why = error.korean if isinstance(error, MaekrakError) else _NOBODY
            return {"number": number, "state": "failed", "failure": why, "ledger": [], "results": [], **self._times(begun)}
        found = self._values(report)
        if found["state"] == "done":
            await self._keep(key, found)
        return {"number": number, **found, **self._times(begun)}

    def _values(self, report: SearchReport) -> dict[str, Any]:
        results: tuple[SearchResult, ...] = report.results[: self._limits.results_per_subtask]
        answered, failure = _own_outcome(report) if self._request.own_only else _web_outcome(report, results)
        return {
            "state": "done" if answered else "failed",
            "failure": failure,
            "ledger": list(search_ledger(report, self._parts.labels)),
            "results": result_values(results),
        }

    async def page(self, url: str, own: bool) -> dict[str, Any]:
        """Return whether the page at *url*, or a document of the library, was read; its text is kept."""
        begun = self._parts.now()
        key = page_key(url, own=own)
        found = await self._found(key)
        if found is not None:
            return {"read": True, "failure": "", "shortened": found.get("shortened", False), **self._times(begun)}
        try:
            text = await run_until(self._read(url, own=own), self._control.finish)
        except Interrupted:
            return {"cut": True, **self._times(begun)}
        except (PageReadError, TimeoutError) as error:
            failure = error.kind if isinstance(error, PageReadError) else PageFailure.TIMEOUT
            logger.info("A page of research was not read (%s)", failure)
            return {"read": False, "failure": failure.value, **self._times(begun)}
        except Exception:
            logger.exception("A page of research was not read, unexpectedly")
            return {"read": False, "failure": PageFailure.UNREADABLE.value, **self._times(begun)}
        shortened, text = len(text) > self._limits.content_length, text[: self._limits.content_length]
        await self._keep(key, {"text": text, "shortened": shortened})
        preparing = asyncio.create_task(self._prepare(text))
        self._preparing.add(preparing)
        preparing.add_done_callback(self._preparing.discard)
        return {"read": True, "failure": "", "shortened": shortened, **self._times(begun)}

    async def _prepare(self, text: str) -> None:
        """Let the writer look at a page ahead of the report, one page at a time; nobody waits for it."""
        async with self._one_prepared:
            if not self._control.finish.is_set():
                try:
                    await asyncio.to_thread(self._parts.writer.prepare, text)
                except Exception:
                    logger.exception("A page was not prepared for the report, which only takes longer for it")

    async def _read(self, url: str, *, own: bool) -> str:
        read = self._parts.read_own if own and self._parts.read_own is not None else self._parts.read
        async with asyncio.timeout(self._limits.page_timeout_s):
            page = (await run_on(self._loop, lambda: read(url))).page
        if not page.text[: self._limits.content_length].strip():
            raise PageReadError(PageFailure.UNREADABLE, "The page holds no text.", korean="페이지에서 글을 찾지 못했어요.")
        return page.text

    async def _unless_finished(self, work: Callable[[], Awaitable[T]], patience_s: float, *signals: asyncio.Event) -> T:
        async def bounded() -> T:
            async with asyncio.timeout(patience_s):
                return await run_on(self._loop, work)

        return await run_until(bounded(), self._control.finish, *signals)

    def _question_itself(self, note: str, failure: ResearchFailed | None = None) -> Plan:
        subtask = Subtask(number=1, text=self._request.question, origin=PlanOrigin.RULES)
        return Plan(subtasks=(subtask,), origin=PlanOrigin.RULES, note=note, failure=failure)

    async def _found(self, key: str) -> Any:
        return (await patiently(self._store.find, self._run_id, [key])).get(key)

    async def _keep(self, key: str, body: Any) -> None:
        await patiently(self._store.keep, self._run_id, key, body)

    def _times(self, begun: float) -> dict[str, float]:
        return {"begun": begun, "ended": self._parts.now()}


def _web_outcome(report: SearchReport, results: Sequence[SearchResult]) -> tuple[bool, str]:
    """Return whether a service of the web answered, and what is to be said of it."""
    if report.web_unavailable:
        return False, _NOBODY
    if not results:
        return True, _NOTHING
    return True, _NOTHING_ON_THE_WEB if all(result.own for result in results) else ""


def _own_outcome(report: SearchReport) -> tuple[bool, str]:
    """Return whether the library could be searched, an empty one too, and what is to be said of it."""
    if report.results or any(reply.status.answered for reply in report.replies):
        return True, "" if report.results else _NOTHING_OWN
    empty = [reply.advice for reply in report.replies if reply.status is SearchStatus.API_KEY_MISSING]
    return bool(empty), next(filter(None, empty), _NOTHING_OWN) if empty else _NO_LIBRARY


def key_of(source: ResearchSource) -> str:
    """Return the key under which the text of *source* is kept."""
    return page_key(source.url, own=source.own)


def page_key(url: str, *, own: bool = False) -> str:
    """Return the key under which a text is kept, however its address is written.

    A document of the library is not the page of the web that it may be a copy of: what is told to whom depends on it.
    """
    return f"document:{url}" if own else f"page:{canonical_url(url) or url}"


def _expected(error: Exception) -> bool:
    return isinstance(error, MaekrakError | TimeoutError)
