"""What deep research refuses to do, and why."""

from __future__ import annotations

from search_core.durable_runs.errors import RunNotFoundError, RunStateError, RunsUnavailableError


class ResearchNotFoundError(RunNotFoundError):
    """Says that the caller has no such run; another owner's counts as missing."""

    def __init__(self) -> None:
        super().__init__(
            "There is no such research run.", korean="조사를 찾을 수 없어요. 지워졌거나 다른 사람의 조사일 수 있어요."
        )


class ResearchStateError(RunStateError):
    """Says that a run is too far, or not far enough, for what is asked of it."""


class ResearchUnavailableError(RunsUnavailableError):
    """Says why this process cannot research at all."""

    of = "research"

    def __init__(self, cause: str) -> None:
        super().__init__(cause, korean="심층 조사를 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.")
