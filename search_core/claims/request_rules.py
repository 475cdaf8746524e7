"""Which claims can be asked to be checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from search_core.domain import Claim
from search_core.domain.text_limits import CLAIM, CLAIM_QUOTE, CLAIM_SPEAKER
from search_core.errors import InputError, check_length
from search_core.visible import visible

MAX_CLAIMS = 60
"""Claims of one run."""
MAX_CLAIM_CHARS = CLAIM.most


class ClaimsRequestError(InputError):
    """Says why claims cannot be checked as they were given."""


def validate_claims(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return *claims* by their numbers, their texts trimmed.

    Raises ClaimsRequestError for none, for more than ``MAX_CLAIMS``, for two of one number, and for an empty or overlong text;
    TooLongError for an overlong quote or speaker.
    """
    if not claims:
        raise ClaimsRequestError("There is no claim to check.", korean="확인할 주장을 하나 이상 골라 주세요.")
    if len(claims) > MAX_CLAIMS:
        raise ClaimsRequestError(
            f"At most {MAX_CLAIMS} claims are checked at once.",
            korean=f"한 번에 {MAX_CLAIMS}개까지 확인할 수 있어요. 몇 개를 빼고 다시 시도해 주세요.",
        )
    if len({claim.number for claim in claims}) != len(claims):
        raise ClaimsRequestError(
            "Two claims have one number.", korean="번호가 같은 주장이 있어요. 번호를 서로 다르게 붙여 주세요."
        )
    ordered = sorted(claims, key=lambda claim: claim.number)
    return tuple(replace(claim, text=_validate_text(claim)) for claim in ordered)


def _validate_text(claim: Claim) -> str:
    text = claim.text.strip()
    if not visible(text).strip():
        raise ClaimsRequestError("A claim is empty.", korean=f"{claim.number}번 주장이 비어 있어요. 확인할 내용을 적어 주세요.")
    if len(text) > MAX_CLAIM_CHARS:
        raise ClaimsRequestError(
            f"Claim {claim.number} has {len(text)} characters; at most {MAX_CLAIM_CHARS} can be checked.",
            korean=f"{claim.number}번 주장이 너무 길어요({len(text):,}자). {MAX_CLAIM_CHARS}자 이내로 줄여 주세요.",
        )
    check_length(CLAIM_SPEAKER, claim.speaker)
    for moment in claim.moments:
        check_length(CLAIM_QUOTE, moment.quote)
    return text
