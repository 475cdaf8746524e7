"""The face of research: runs are started, followed, steered and looked up again; all of it synchronous but ``follow``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from search_core.domain import ResearchEntry, ResearchEvent, ResearchRequest, ResearchRun, ResearchStatus
from search_core.durable_runs.control import CommandKind
from search_core.durable_runs.durable_runs import DurableRuns
from search_core.durable_runs.run_service import RunService
from search_core.intent import validate_question
from search_core.research.errors import ResearchStateError, ResearchUnavailableError
from search_core.research.plan_answer import MAX_SUBTASKS
from search_core.research.steering import (
    EDITABLE,
    replace_plan,
    replace_text,
    subtasks_of,
    too_late_error,
    waiting_plan,
    workflows_to_continue,
    workflows_to_edit,
)

if TYPE_CHECKING:
    from search_core.durable_runs.run_kind import RunKind
    from search_core.research.parts import ResearchParts
    from search_core.research.store import ResearchStore
    from search_core.runtime import LoopThread
    from search_core.storage import Database

KIND = "research"
QUEUE = "maekrak-research"
_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FINISHED_EARLY, ResearchStatus.FAILED)


class ResearchService(RunService[ResearchRequest, ResearchRun, ResearchEvent, "ResearchStore"]):
    """Researches, or starts and follows what other processes research; safe to call from many threads.

    Every method raises StorageError when the database cannot be used; those that name a run raise ResearchNotFoundError when
    *owner* has no such run, and all of them ResearchUnavailableError when this process cannot research at all.
    """

    name = KIND
    unavailable = ResearchUnavailableError

    def __init__(
        self,
        parts: ResearchParts,
        database: Database,
        loop: LoopThread,
        *,
        works: bool = True,
        runs: DurableRuns | None = None,
    ) -> None:
        """Take what runs are done with, where they are stored and the loop on which *parts* run.

        A service that does not work only starts and follows runs, for other processes to work on. *runs* are those of the
        process where there are other kinds, too; then they say where, and whether the process works.
        """
        super().__init__(runs or DurableRuns(database, loop, works=works))
        self._parts = parts

    def start(self, request: ResearchRequest) -> ResearchRun:
        """Start a run and return at once; raises InputError for an empty or overlong question."""
        self._parts.get_ready()
        return self._start(replace(request, question=validate_question(request.question)))

    def cancel(self, run_id: str, owner: str) -> None:
        """Stop a run: what is under way ends within half a second, what there is stays. One that has ended is left as it is."""
        self._halt(run_id, owner, CommandKind.STOP)

    def finish(self, run_id: str, owner: str) -> None:
        """End searching and reading, and let the report be written from what there is. One that has ended is left as it is."""
        super().finish(run_id, owner)

    def edit(self, run_id: str, owner: str, number: int, text: str) -> None:
        """Change a subtask; when it was searched for already, it alone is searched for again.

        Raises InputError for an empty or overlong text and ResearchStateError when there is no such subtask, or when the report
        is being written.
        """
        text = validate_question(text)
        stored = self._store.load(run_id, owner)
        if stored.status is ResearchStatus.PLANNED:
            self._store.replan(run_id, owner, lambda run: replace_plan(run, replace_text(waiting_plan(run), number, text)))
            return
        run = self.get(run_id, owner)
        if run.status not in EDITABLE:
            raise too_late_error()
        _ = replace_text(run.plan, number, text)
        body = {"number": number, "text": text}
        self._store.add_command(run_id, owner, CommandKind.EDIT, body, workflows=workflows_to_edit)
        self._engine.check_commands(self._kind, run_id)

    def agree(self, run_id: str, owner: str, plan: Sequence[str] | None = None) -> None:
        """Let a run that waits with its plan go on, its subtasks replaced by *plan* when it is given.

        Raises InputError for a plan of none or too many parts or with an empty one, ResearchStateError when the run waits not.
        """
        if plan is not None:
            texts = [validate_question(text) for text in plan]
            if not 1 <= len(texts) <= MAX_SUBTASKS:
                raise ResearchStateError(
                    f"A plan has between 1 and {MAX_SUBTASKS} parts.",
                    korean=f"하위 질문은 1개에서 {MAX_SUBTASKS}개까지 둘 수 있어요.",
                )
            self._store.replan(run_id, owner, lambda run: replace_plan(run, subtasks_of(texts, waiting_plan(run))))
        agreed = self._store.add_command(run_id, owner, CommandKind.AGREE, workflows=workflows_to_continue)
        self._engine.start(self._kind, run_id, agreed.workflow_ids[-1])

    def resume(self, run_id: str, owner: str, *, own_only: bool | None = None) -> ResearchRun:
        """Start a run that continues another: searches and pages that one has finished are not repeated.

        *own_only* says whether it is the library alone that is searched; None leaves that as it was.
        Raises ResearchStateError when that run has not ended, or is complete.
        """
        stored = self._store.load(run_id, owner)
        if stored.status not in _RESUMABLE:
            raise ResearchStateError(
                "Only a run that was stopped, finished early or failed can go on.",
                korean="멈췄거나 서둘러 마무리했거나 실패한 조사만 이어서 할 수 있어요.",
            )
        alone = stored.request.own_only if own_only is None else own_only
        return self.start(replace(stored.request, continues=run_id, plan_first=False, own_only=alone))

    def list(self, owner: str, video_key: str | None = None, conversation_id: str | None = None) -> tuple[ResearchEntry, ...]:
        """Return the runs of *owner*, newest first; only those about one video, or asked in one conversation, that is named."""
        entries = self._store.entries(owner, video_key, conversation_id)
        return tuple(self._with_unsaved_end(entry) for entry in entries)

    def _undeletable_error(self) -> ResearchStateError:
        return ResearchStateError("A run that goes on cannot be deleted.", korean="진행 중인 조사예요. 멈춘 뒤에 지워 주세요.")

    def _make_store(self) -> ResearchStore:
        from search_core.research.store import ResearchStore

        return ResearchStore(self._runs.database)

    def _make_kind(self) -> RunKind[ResearchParts, ResearchStore]:
        from search_core.durable_runs.run_kind import RunKind
        from search_core.research.workflow import WORKFLOW, research

        return RunKind(
            name=KIND,
            workflow=research,
            workflow_name=WORKFLOW,
            queue=QUEUE,
            runs_at_once=self._parts.limits.runs_at_once,
            runs_everywhere=self._parts.limits.runs_everywhere,
            store=self._store,
            parts=self._parts,
            loop=self._runs.loop,
            now=self._parts.now,
            on_event=self._notify,
            on_end=self._save_end,
        )
