"""What checking the claims of a video refuses to do, and why."""

from __future__ import annotations

from search_core.durable_runs.errors import RunNotFoundError, RunStateError, RunsUnavailableError
from search_core.errors import InputError


class ClaimsNotFoundError(RunNotFoundError):
    """Says that the caller has no such run; another owner's counts as missing."""

    def __init__(self) -> None:
        super().__init__(
            "There is no such check of claims.", korean="영상 확인을 찾을 수 없어요. 지워졌거나 다른 사람의 것일 수 있어요."
        )


class ClaimsStateError(RunStateError):
    """Says that a command does not fit the state of its run."""


class ClaimsRequestError(InputError):
    """Says why claims cannot be checked as they were given."""


class ClaimsUnavailableError(RunsUnavailableError):
    """Says why this process cannot check claims at all."""

    of = "claims"

    def __init__(self, cause: str) -> None:
        super().__init__(cause, korean="영상 확인을 시작하지 못했어요. 잠시 뒤에 다시 시도해 주세요.")
