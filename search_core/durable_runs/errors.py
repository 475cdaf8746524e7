"""The errors of runs; each kind of run words them for itself."""

from __future__ import annotations

from search_core.errors import InputError, MaekrakError, NotFoundError


class RunNotFoundError(NotFoundError):
    """Says that the caller has no such run; another owner's counts as missing."""

    def __init__(
        self, message: str = "There is no such run.", *, korean: str = "찾을 수 없어요. 지워졌거나 다른 사람의 것일 수 있어요."
    ) -> None:
        super().__init__(message, korean=korean)


class RunStateError(InputError):
    """Says that a command does not fit the state of its run."""


class RunsUnavailableError(MaekrakError):
    """Says why this process can neither work on runs nor follow them; ``of`` names their kind."""

    of = "runs"

    def __init__(self, cause: str, *, korean: str = "지금은 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.") -> None:
        super().__init__(cause, korean=korean)
