"""What a command needs of the workflows of a run, what it makes of the plan, and when it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from search_core.domain import PlanOrigin, ResearchRun, ResearchStatus, Subtask, SubtaskState
from search_core.durable_runs.stored_run import new_workflow_id
from search_core.research.errors import ResearchStateError
from search_core.research.planning import Plan
from search_core.research.stored_research import StoredResearch

EDITABLE = (ResearchStatus.PLANNING, ResearchStatus.SEARCHING, ResearchStatus.READING)
"""While a run is so far, its plan can be changed under way."""


def workflows_to_continue(run: StoredResearch) -> tuple[str, ...]:
    """Return the workflows of a run that goes on with its plan; raises ResearchStateError when it does not wait with one."""
    _ = waiting_plan(run)
    return (*run.workflow_ids, new_workflow_id(run.id))


def workflows_to_edit(run: StoredResearch) -> tuple[str, ...]:
    """Return the workflows of a run, as they are, for a change of its plan; raises ResearchStateError when it is too late."""
    if run.status not in EDITABLE:
        raise too_late_error()
    return run.workflow_ids


def too_late_error() -> ResearchStateError:
    """Return the error for a change to the plan of a run that has no plan yet, or writes its report already."""
    return ResearchStateError(
        "A part of the plan can be changed until the report is written.",
        korean="하위 질문은 계획이 나온 뒤부터 보고서를 쓰기 전까지만 고칠 수 있어요.",
    )


def waiting_plan(run: StoredResearch) -> tuple[Subtask, ...]:
    """Return the plan of a run that waits with it; raises ResearchStateError when it does not."""
    if run.status is not ResearchStatus.PLANNED or run.record is None:
        raise ResearchStateError("The run does not wait for its plan to be agreed to.", korean="계획을 기다리는 조사가 아니에요.")
    return run.record.plan


def replace_plan(run: StoredResearch, subtasks: tuple[Subtask, ...]) -> tuple[ResearchRun, Plan]:
    """Return a run that waits with its plan, its subtasks replaced by *subtasks*."""
    assert run.record is not None
    record = replace(run.record, plan=subtasks)
    return record, Plan(subtasks=subtasks, origin=record.plan_origin or PlanOrigin.USER, note=record.plan_note)


def replace_text(plan: Sequence[Subtask], number: int, text: str) -> tuple[Subtask, ...]:
    """Return *plan* with *text* for one subtask; raises ResearchStateError when there is none of that number."""
    if not any(subtask.number == number for subtask in plan):
        raise ResearchStateError("The plan has no such part.", korean="계획에 없는 하위 질문이에요.")
    return tuple(replace(each, text=text, origin=PlanOrigin.USER) if each.number == number else each for each in plan)


def subtasks_of(texts: Sequence[str], plan: Sequence[Subtask]) -> tuple[Subtask, ...]:
    """Return *texts* as subtasks; those that stood in *plan* before keep their origin."""
    origins = {subtask.text: subtask.origin for subtask in plan}
    return tuple(
        Subtask(number=number, text=text, origin=origins.get(text, PlanOrigin.USER), state=SubtaskState.WAITING)
        for number, text in enumerate(texts, start=1)
    )
