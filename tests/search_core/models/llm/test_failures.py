"""What refusals of language models say, service by service."""

from __future__ import annotations

from typing import Any

import pytest

from search_core.errors import LanguageModelFailure as Kind
from search_core.models.llm.failures import read_refusal

LONG = "이 모델의 문맥은 {:,}토큰인데 {:,}토큰이 필요해요."
GEMINI = "You exceeded your current quota, please check your plan and billing details."


def google(status: int, message: str, **details: object) -> list[dict[str, Any]]:
    """Return a refusal of Gemini's compatible endpoint, whose body is a list."""
    return [{"error": {"code": status, "message": message, "status": "X", "details": [details]}}]


@pytest.mark.parametrize(
    ("status", "body", "kind", "korean"),
    [
        (402, {"message": "Insufficient Balance", "code": "invalid_request_error"}, Kind.QUOTA, "다 썼어요"),
        (429, google(429, GEMINI, violations=[{"quotaId": "RequestsPerDayPerProject"}]), Kind.QUOTA, "다 썼어요"),
        (429, google(429, GEMINI, violations=[{"quotaId": "RequestsPerMinutePerProject"}]), Kind.RATE_LIMITED, "한도를"),
        (400, google(400, "API key not valid. Please pass one.", reason="API_KEY_INVALID"), Kind.REFUSED_KEY, "키가 맞지"),
        (403, {"message": "Forbidden"}, Kind.REFUSED_KEY, "이 키로는 쓸 수 없다고"),
        (503, {"code": 503, "message": "Loading model", "type": "unavailable_error"}, Kind.UNAVAILABLE, "불러오고 있어요"),
        (503, {"message": "server busy, please try again. maximum pending requests exceeded"}, Kind.UNAVAILABLE, "다른 요청에"),
        (503, {"code": 503, "message": "slot unavailable"}, Kind.UNAVAILABLE, "다른 요청에"),
        (404, {"message": 'model "qwen9" not found, try pulling it first'}, Kind.NO_MODEL, "모델이 없어요"),
        (404, "404 page not found", Kind.NO_MODEL, "/v1로 끝나는지"),
        (500, {"message": "boom"}, Kind.UNAVAILABLE, "문제가 생겼어요"),
        (422, {"detail": ["messages: field required", "model: field required"]}, Kind.REJECTED, "받아들이지 않았어요"),
    ],
)
def test_a_refusal_is_told_for_what_it_is(status: int | None, body: object, kind: Kind, korean: str):
    """Empty accounts, spent days, wrong keys, models that load and missing paths, whatever status and form they come in."""
    error = read_refusal(status, body)
    assert (error.kind, korean in error.korean, error.status) == (kind, True, status)


@pytest.mark.parametrize(
    ("body", "fits", "needs"),
    [
        ({"type": "exceed_context_size_error", "message": "exceeds", "n_prompt_tokens": 9000, "n_ctx": 4096}, 4096, 9000),
        ({"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"}, 8192, None),
        ("maximum context length is 1280 tokens. However, you requested 700 output tokens and your prompt has 600", 1280, None),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200000, 208310),
        ({"code": 400, "message": "the request exceeds the available context size, try increasing it"}, None, None),
    ],
)
def test_the_size_of_a_context_is_read_from_its_refusal(body: object, fits: int | None, needs: int | None):
    """llama.cpp, OpenAI, vLLM, LM Studio, SGLang, Anthropic, Gemini and TGI each say it in their own words."""
    error = read_refusal(400, body)
    assert (error.kind, error.fits, error.needs) == (Kind.TOO_LONG, fits, needs)
    assert not (fits and needs) or error.korean.startswith(LONG.format(fits, needs))


def test_a_refusal_nested_without_end_is_read_as_far_as_any_service_nests():
    """Ten thousand lists in lists are no error of ours, and what stands eight deep is read."""
    endless: object = "boom"
    for _ in range(10_000):
        endless = [endless]
    assert read_refusal(500, {"detail": endless}).kind is Kind.UNAVAILABLE
    deep: object = {"message": "Insufficient Balance"}
    for _ in range(6):
        deep = [deep]
    assert read_refusal(402, deep).kind is Kind.QUOTA
    assert read_refusal(500, deep).kind is Kind.QUOTA
