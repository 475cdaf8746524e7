"""The service of research: runs are started, followed, steered and read; synchronous except ``follow``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from search_core.domain.research import (
    PlanOrigin,
    ResearchEntry,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    Subtask,
)
from search_core.errors import check_moment
from search_core.research.parts import RESEARCH, ResearchParts, StoredResearch
from search_core.research.planning import MAX_SUBTASKS, Plan
from search_core.runs.run_kind import RunStateError
from search_core.runs.run_service import RunService
from search_core.search.understanding.question import validate_question

if TYPE_CHECKING:
    from search_core.research.store import ResearchStore

_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FINISHED_EARLY, ResearchStatus.FAILED)


class ResearchService(RunService[ResearchRequest, ResearchRun, ResearchEvent, ResearchEntry, ResearchParts]):
    """Researches, or starts and follows what other processes research."""

    kind = RESEARCH

    def agree(self, run_id: str, owner: str, plan: Sequence[str] | None = None) -> None:
        """Continue a run that waits with its plan, with *plan* as its subtasks if given.

        Raises InputError for a plan with no, too many or empty parts, and RunStateError if the run is not waiting.
        """
        if plan is not None:
            texts = [validate_question(text) for text in plan]
            if not 1 <= len(texts) <= MAX_SUBTASKS:
                raise RunStateError(
                    f"A plan has between 1 and {MAX_SUBTASKS} parts.",
                    korean=f"하위 질문은 1개에서 {MAX_SUBTASKS}개까지 둘 수 있어요.",
                )
            self.store.replan(run_id, owner, lambda run: _replace_plan(_waiting_run(run), texts))
        self._go_on(run_id, owner, _waiting_run)

    def _check_resumable(self, run: StoredResearch) -> None:
        if run.status not in _RESUMABLE:
            raise RunStateError(
                "Only a run that was stopped, finished early or failed can go on.",
                korean="멈췄거나 서둘러 마무리했거나 실패한 조사만 이어서 할 수 있어요.",
            )

    def _validate(self, request: ResearchRequest) -> ResearchRequest:
        check_moment(request.moment_s)
        return replace(request, question=validate_question(request.question))

    @cached_property
    def store(self) -> ResearchStore:
        """The store of the runs."""
        from search_core.research.store import ResearchStore

        return ResearchStore(self._runs.database)

    @property
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return the workflow that researches, given the run's id and its own."""
        from search_core.research.workflow import research

        return research


def _waiting_run(run: StoredResearch) -> ResearchRun:
    """Return a run that waits for agreement to its plan; raises RunStateError otherwise."""
    if run.status is not ResearchStatus.PLANNED or run.record is None:
        raise RunStateError("The run does not wait for its plan to be agreed to.", korean="계획을 기다리는 조사가 아니에요.")
    return run.record


def _replace_plan(run: ResearchRun, texts: Sequence[str]) -> Plan:
    """Return the plan of *run* with *texts* as subtasks; unchanged ones keep their origin."""
    origins = {subtask.text: subtask.origin for subtask in run.plan}
    subtasks = tuple(
        Subtask(number=number, text=text, origin=origins.get(text, PlanOrigin.USER)) for number, text in enumerate(texts, start=1)
    )
    return Plan(subtasks=subtasks, origin=run.plan_origin or PlanOrigin.USER, note=run.plan_note)
