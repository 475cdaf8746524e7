"""The service of checks: runs are started, followed, halted and read; synchronous except ``follow``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from search_core.checking.parts import CLAIMS, ClaimsParts
from search_core.domain.claim import (
    Claim,
    ClaimsBudget,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsRequest,
    ClaimsRun,
    ClaimState,
    FoundClaims,
    Settlement,
    by_score,
)
from search_core.domain.text_limits import CLAIM, CLAIM_QUOTE
from search_core.errors import InputError, check_length
from search_core.language.sentences import visible
from search_core.runs.run_kind import RunStateError, StoredRun
from search_core.runs.run_service import RunService

if TYPE_CHECKING:
    from search_core.checking.claims.workflow import ClaimsStore

MAX_CLAIMS = 60
MAX_CLAIM_CHARS = CLAIM.most


class ClaimsService(RunService[ClaimsRequest, ClaimsRun, ClaimsEvent, ClaimsEntry, ClaimsParts]):
    """Checks the claims of videos, or starts and follows what other processes check."""

    kind = CLAIMS

    def budget(self, claims: Sequence[Claim]) -> ClaimsBudget:
        """Return the cost of checking *claims*, without a request; raises InputError if they cannot be checked."""
        return self.parts.budget(len(validate_claims(claims)))

    def get(self, run_id: str, owner: str) -> ClaimsRun:
        """Return a check so far, with its owner's own verdicts."""
        run = super().get(run_id, owner)
        return run.with_settled(self.store.settled(run))

    def settle(self, run_id: str, owner: str, number: int, settled: Settlement | None) -> None:
        """Store the owner's own verdict on a claim, None to remove it; raises InputError for an unknown claim."""
        stored = self.store.load(run_id, owner)
        if number not in {claim.number for claim in stored.request.claims}:
            raise InputError(f"There is no claim {number} in this check.", korean=f"이 확인에는 {number}번 주장이 없어요.")
        self.store.settle(run_id, number, settled)

    def _check_resumable(self, run: StoredRun[ClaimsRequest, ClaimsRun]) -> None:
        if not run.status.ended or (
            run.record is not None and all(check.state is ClaimState.CHECKED for check in run.record.checks)
        ):
            raise RunStateError(
                "Only a run that has ended, and not with all its claims checked, can go on.",
                korean="끝났지만 아직 확인하지 못한 주장이 남은 것만 이어서 할 수 있어요.",
            )

    def _validate(self, request: ClaimsRequest) -> ClaimsRequest:
        return replace(request, claims=validate_claims(request.claims))

    @cached_property
    def store(self) -> ClaimsStore:
        """The store of the runs."""
        from search_core.checking.claims.workflow import ClaimsStore

        return ClaimsStore(self._runs.database)

    @property
    def workflow(self) -> Callable[[str, str], Awaitable[None]]:
        """Return the workflow that checks claims, given the run's id and its own."""
        from search_core.checking.claims.workflow import check_claims

        return check_claims


def validate_claims(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return *claims* sorted by number, with trimmed texts.

    Raises InputError if there are no claims or more than ``MAX_CLAIMS``, if two have the same number, or if a text is empty or
    too long, and TooLongError if a quote or a speaker is too long.
    """
    if not claims:
        raise InputError("There is no claim to check.", korean="확인할 주장을 하나 이상 골라 주세요.")
    if len(claims) > MAX_CLAIMS:
        raise InputError(
            f"At most {MAX_CLAIMS} claims are checked at once.",
            korean=f"한 번에 {MAX_CLAIMS}개까지 확인할 수 있어요. 몇 개를 빼고 다시 시도해 주세요.",
        )
    if len({claim.number for claim in claims}) != len(claims):
        raise InputError("Two claims have one number.", korean="번호가 같은 주장이 있어요. 번호를 서로 다르게 붙여 주세요.")
    ordered = sorted(claims, key=lambda claim: claim.number)
    return tuple(replace(claim, text=_validate_text(claim)) for claim in ordered)


def _validate_text(claim: Claim) -> str:
    text = claim.text.strip()
    if not visible(text).strip():
        raise InputError("A claim is empty.", korean=f"{claim.number}번 주장이 비어 있어요. 확인할 내용을 적어 주세요.")
    if len(text) > MAX_CLAIM_CHARS:
        raise InputError(
            f"Claim {claim.number} has {len(text)} characters; at most {MAX_CLAIM_CHARS} can be checked.",
            korean=f"{claim.number}번 주장이 너무 길어요({len(text):,}자). {MAX_CLAIM_CHARS}자 이내로 줄여 주세요.",
        )
    for moment in claim.moments:
        check_length(CLAIM_QUOTE, moment.quote)
    return text


def claims_by_id(found: FoundClaims, ids: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims with these *ids*, each once, by number; raises InputError naming unknown ids."""
    by_id = {claim.id: claim for claim in reversed(found.known)}
    if unknown := [claim_id for claim_id in ids if claim_id not in by_id]:
        named = ", ".join(visible(text)[:40] for text in unknown[:10])
        raise InputError(
            f"No claim of this video has the id {named}; give ids as the list of claims has them.",
            korean=f"이 영상에는 ID가 {named}인 주장이 없어요. 주장 목록에 있는 ID를 그대로 넣어 주세요.",
        )
    return tuple(sorted((by_id[claim_id] for claim_id in dict.fromkeys(ids)), key=lambda claim: claim.number))


def top_claims(claims: Sequence[Claim], count: int) -> tuple[Claim, ...]:
    """Return the *count* most check-worthy claims, by number; earlier ones win ties."""
    best = sorted(claims, key=by_score)[:count]
    return tuple(sorted(best, key=lambda claim: claim.number))
