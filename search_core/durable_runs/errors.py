"""The errors of runs, in the words of their kind."""

from __future__ import annotations

from search_core.errors import InputError, MaekrakError, NotFoundError


class RunNotFoundError(NotFoundError):
    """Says that the caller has no such run; another owner's counts as missing."""


class RunStateError(InputError):
    """Says that a command does not fit the state of its run."""


class RunsUnavailableError(MaekrakError):
    """Says why this process can neither work on runs nor follow them; ``of`` names their kind."""

    def __init__(
        self, cause: str, *, of: str = "runs", korean: str = "지금은 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요."
    ) -> None:
        super().__init__(cause, korean=korean)
        self.of = of
