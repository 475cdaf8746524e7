"""What steering a run makes of its legs and of its plan, and when it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from search_core.domain import PlanOrigin, ResearchRun, ResearchStatus, Subtask, SubtaskState
from search_core.research.errors import ResearchStateError
from search_core.research.kept_findings import plan_values
from search_core.research.kept_run import new_leg
from search_core.research.planning import Plan

if TYPE_CHECKING:
    from search_core.research.kept_run import KeptRun

EDITABLE = (ResearchStatus.PLANNING, ResearchStatus.SEARCHING, ResearchStatus.READING)
"""While a run is so far, its plan can be changed under way."""


def legs_to_halt(run: KeptRun) -> tuple[str, ...]:
    """Return the legs of a run that is to end: one that waits for its turn, or for the user, gets another that begins at once."""
    if run.begun < len(run.legs):
        return (*run.legs[:-1], new_leg(run.id))
    return (*run.legs, new_leg(run.id)) if run.status is ResearchStatus.PLANNED else run.legs


def legs_to_go_on(run: KeptRun) -> tuple[str, ...]:
    """Return the legs of a run that goes on with its plan; raises ResearchStateError when it does not wait with one."""
    _ = waiting(run)
    return (*run.legs, new_leg(run.id))


def legs_to_edit(run: KeptRun) -> tuple[str, ...]:
    """Return the legs of a run of which the plan changes under way, as they are; raises ResearchStateError when it is too far."""
    if run.status not in EDITABLE:
        raise too_late()
    return run.legs


def too_late() -> ResearchStateError:
    """Return the error of who wants to change the plan of a run that has none yet, or is too far."""
    return ResearchStateError(
        "A part of the plan can be changed until the report is written.",
        korean="하위 질문은 계획이 나온 뒤부터 보고서를 쓰기 전까지만 고칠 수 있어요.",
    )


def waiting(run: KeptRun) -> tuple[Subtask, ...]:
    """Return the plan of a run that waits with it; raises ResearchStateError when it does not."""
    if run.status is not ResearchStatus.PLANNED or run.record is None:
        raise ResearchStateError("The run does not wait for its plan to be agreed to.", korean="계획을 기다리는 조사가 아니에요.")
    return run.record.plan


def replanned(run: KeptRun, subtasks: tuple[Subtask, ...]) -> tuple[ResearchRun, dict[str, Any]]:
    """Return a run that waits with its plan, and that plan, with *subtasks* in the place of those it had."""
    assert run.record is not None
    record = replace(run.record, plan=subtasks)
    plan = Plan(subtasks=subtasks, origin=record.plan_origin or PlanOrigin.USER, note=record.plan_note)
    return record, plan_values(plan)


def with_text(plan: Sequence[Subtask], number: int, text: str) -> tuple[Subtask, ...]:
    """Return *plan* with *text* for one subtask; raises ResearchStateError when there is none of that number."""
    if not any(subtask.number == number for subtask in plan):
        raise ResearchStateError("The plan has no such part.", korean="계획에 없는 하위 질문이에요.")
    return tuple(replace(each, text=text, origin=PlanOrigin.USER) if each.number == number else each for each in plan)


def of_texts(plan: Sequence[Subtask], texts: Sequence[str]) -> tuple[Subtask, ...]:
    """Return a plan of *texts*; those that stood in *plan* before stay whose they were."""
    origins = {subtask.text: subtask.origin for subtask in plan}
    return tuple(
        Subtask(number=number, text=text, origin=origins.get(text, PlanOrigin.USER), state=SubtaskState.WAITING)
        for number, text in enumerate(texts, start=1)
    )
