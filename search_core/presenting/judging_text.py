"""What a language model took to judge sources, in words: the same for an answer and for claims."""

from __future__ import annotations

from search_core.domain import JudgingCost


def judging_text(cost: JudgingCost, failure: str = "") -> tuple[str, ...]:
    """Return in Korean sentences what judging took, what of it was not used, and why it failed; none where nobody was asked."""
    taken = f"언어 모델에 {cost.requests}번 물어 약 {cost.tokens:,}토큰을 썼어요." if cost.requests else ""
    refused = f"언어 모델의 판단 {cost.dropped}건은 글에서 확인되지 않아 쓰지 않았어요." if cost.dropped else ""
    return tuple(filter(None, (taken, refused, failure)))
