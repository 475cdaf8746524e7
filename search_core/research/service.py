"""The face of research: runs are started, followed, steered and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import (
    PlanOrigin,
    ResearchEvent,
    ResearchRequest,
    ResearchRun,
    ResearchStatus,
    Subtask,
    SubtaskState,
)
from search_core.research.parts import RESEARCH, ResearchParts, StoredResearch
from search_core.research.planning import MAX_SUBTASKS, Plan
from search_core.runs.control import CommandKind
from search_core.runs.run_kind import RunStateError, new_workflow_id
from search_core.runs.run_service import RunService
from search_core.search.intent import validate_question

if TYPE_CHECKING:
    from search_core.research.store import ResearchStore

_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FINISHED_EARLY, ResearchStatus.FAILED)
_EDITABLE = (ResearchStatus.PLANNING, ResearchStatus.SEARCHING, ResearchStatus.READING)
"""While a run is so far, its plan can be changed under way."""


class ResearchService(RunService[ResearchRequest, ResearchRun, ResearchEvent, "ResearchStore", ResearchParts]):
    """Researches, or starts and follows what other processes research."""

    kind = RESEARCH

    def cancel(self, run_id: str, owner: str) -> None:
        """Stop a run, as ``stop`` does."""
        self.stop(run_id, owner)

    def edit(self, run_id: str, owner: str, number: int, text: str) -> None:
        """Change a subtask; when it was searched for already, it alone is searched for again.

        Raises InputError for an empty or overlong text and RunStateError when there is no such subtask, or when the report
        is being written.
        """
        text = validate_question(text)
        stored = self.store.load(run_id, owner)
        if stored.status is ResearchStatus.PLANNED:
            self.store.replan(run_id, owner, lambda run: _replace_plan(run, _replace_text(_waiting_plan(run), number, text)))
            return
        run = self.get(run_id, owner)
        if run.status not in _EDITABLE:
            raise _too_late_error()
        _ = _replace_text(run.plan, number, text)
        body = {"number": number, "text": text}
        self.store.add_command(run_id, owner, CommandKind.EDIT, body, workflows=_workflows_to_edit)
        self._engine.check_commands(self, run_id)

    def agree(self, run_id: str, owner: str, plan: Sequence[str] | None = None) -> None:
        """Let a run that waits with its plan go on, its subtasks replaced by *plan* when it is given.

        Raises InputError for a plan of none or too many parts or with an empty one, RunStateError when the run waits not.
        """
        if plan is not None:
            texts = [validate_question(text) for text in plan]
            if not 1 <= len(texts) <= MAX_SUBTASKS:
                raise RunStateError(
                    f"A plan has between 1 and {MAX_SUBTASKS} parts.",
                    korean=f"하위 질문은 1개에서 {MAX_SUBTASKS}개까지 둘 수 있어요.",
                )
            self.store.replan(run_id, owner, lambda run: _replace_plan(run, _subtasks_of(texts, _waiting_plan(run))))
        agreed = self.store.add_command(run_id, owner, CommandKind.AGREE, workflows=_workflows_to_continue)
        self._engine.start(self, run_id, agreed.workflow_ids[-1])

    def resume(self, run_id: str, owner: str, *, own_only: bool | None = None) -> ResearchRun:
        """Start a run that continues another: searches and pages that one has finished are not repeated.

        *own_only* says whether it is the library alone that is searched; None leaves that as it was.
        Raises RunStateError when that run has not ended, or is complete.
        """
        stored = self.store.load(run_id, owner)
        if stored.status not in _RESUMABLE:
            raise RunStateError(
                "Only a run that was stopped, finished early or failed can go on.",
                korean="멈췄거나 서둘러 마무리했거나 실패한 조사만 이어서 할 수 있어요.",
            )
        alone = stored.request.own_only if own_only is None else own_only
        return self.start(replace(stored.request, continues=run_id, plan_first=False, own_only=alone))

    def _validate(self, request: ResearchRequest) -> ResearchRequest:
        return replace(request, question=validate_question(request.question))

    def _make_store(self) -> ResearchStore:
        from search_core.research.store import ResearchStore

        return ResearchStore(self._runs.database)

    @property
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return what works on research, given the run's id and its own."""
        from search_core.research.workflow import research

        return research


def _workflows_to_continue(run: StoredResearch) -> tuple[str, ...]:
    """Return the workflows of a run that goes on with its plan; raises RunStateError when it does not wait with one."""
    _ = _waiting_plan(run)
    return (*run.workflow_ids, new_workflow_id(run.id))


def _workflows_to_edit(run: StoredResearch) -> tuple[str, ...]:
    """Return the workflows of a run, as they are, for a change of its plan; raises RunStateError when it is too late."""
    if run.status not in _EDITABLE:
        raise _too_late_error()
    return run.workflow_ids


def _too_late_error() -> RunStateError:
    """Return the error for a change to the plan of a run that has no plan yet, or writes its report already."""
    return RunStateError(
        "A part of the plan can be changed until the report is written.",
        korean="하위 질문은 계획이 나온 뒤부터 보고서를 쓰기 전까지만 고칠 수 있어요.",
    )


def _waiting_plan(run: StoredResearch) -> tuple[Subtask, ...]:
    """Return the plan of a run that waits with it; raises RunStateError when it does not."""
    if run.status is not ResearchStatus.PLANNED or run.record is None:
        raise RunStateError("The run does not wait for its plan to be agreed to.", korean="계획을 기다리는 조사가 아니에요.")
    return run.record.plan


def _replace_plan(run: StoredResearch, subtasks: tuple[Subtask, ...]) -> tuple[ResearchRun, Plan]:
    """Return a run that waits with its plan, its subtasks replaced by *subtasks*."""
    assert run.record is not None
    record = replace(run.record, plan=subtasks)
    return record, Plan(subtasks=subtasks, origin=record.plan_origin or PlanOrigin.USER, note=record.plan_note)


def _replace_text(plan: Sequence[Subtask], number: int, text: str) -> tuple[Subtask, ...]:
    """Return *plan* with *text* for one subtask; raises RunStateError when there is none of that number."""
    if not any(subtask.number == number for subtask in plan):
        raise RunStateError("The plan has no such part.", korean="계획에 없는 하위 질문이에요.")
    return tuple(replace(each, text=text, origin=PlanOrigin.USER) if each.number == number else each for each in plan)


def _subtasks_of(texts: Sequence[str], plan: Sequence[Subtask]) -> tuple[Subtask, ...]:
    """Return *texts* as subtasks; those that stood in *plan* before keep their origin."""
    origins = {subtask.text: subtask.origin for subtask in plan}
    return tuple(
        Subtask(number=number, text=text, origin=origins.get(text, PlanOrigin.USER), state=SubtaskState.WAITING)
        for number, text in enumerate(texts, start=1)
    )
