"""Requests that are longer than a model's context, and servers of which that is known before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

from search_core.errors import LanguageModelError
from search_core.errors import LanguageModelFailure as Kind
from search_core.models.llm.local_models import LocalModel, ModelSize, find_local_models, read_model_size
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.models.llm.prompt import ChatMessage, data_and_question, estimate_tokens, fit_messages
from search_core.models.llm.thoughts import append_piece
from tests.loopback import language_model as play
from tests.loopback.language_model import Asked, LanguageModelServer, Stream, Whole

from .conftest import ModelOf

SAID = "2026년에 나온다고 해요 [1]."
LINES = [f"[{number}] 자료 {number}번이 말하는 것은 이렇습니다. " + "내용이 이어집니다. " * 12 for number in range(1, 21)]
"""Some 80 tokens each by the estimate."""
LONG = (
    ChatMessage("system", "한국어로 답해요."),
    ChatMessage("user", "앞의 질문이에요."),
    ChatMessage("assistant", "앞의 답이에요."),
    data_and_question(LINES, "HBM4는 언제 나오나요?"),
)


def chat(model: OpenAICompatible, messages: tuple[ChatMessage, ...] = LONG) -> str:
    async def pieces() -> list[str]:
        return [piece async for piece in model.chat(messages)]

    return reduce(append_piece, asyncio.run(pieces()), "")


def context_of(size: int, letters: float, refuse: Callable[[int], Whole]) -> play.Personality:
    """Return a model that takes *size* tokens, each *letters* letters, and refuses more by *refuse*."""

    def answer(asked: Asked) -> Whole | Stream:
        needs = round(len(asked.prompt) / letters)
        return refuse(needs) if needs + asked.body["max_tokens"] > size else play.saying(SAID)(asked)

    return answer


REFUSALS: dict[str, Callable[[int], Whole]] = {
    "llama.cpp": lambda needs: play.refusal(
        400, type="exceed_context_size_error", message="x", n_prompt_tokens=needs, n_ctx=2048
    ),
    "vLLM": lambda _: play.refusal(400, message="maximum context length is 2048 tokens. However, you requested too much."),
    "no number": lambda _: play.refusal(400, message="context length", code="context_length_exceeded"),
    "in the stream": lambda _: Whole(
        200, "text/event-stream", play.data({"error": {"message": "n_ctx: 2048", "type": "exceed_context_size_error"}})
    ),
}


@pytest.mark.parametrize("letters", [1.6, 0.9])
@pytest.mark.parametrize("refuse", REFUSALS.values(), ids=REFUSALS)
def test_a_request_is_made_to_fit(
    endpoint: LanguageModelServer, model_of: ModelOf, refuse: Callable[[int], Whole], letters: float
):
    """It is asked anew with less: first without earlier turns, then without the last lines; the question always stays.

    What fits is remembered.
    """
    endpoint.answer = context_of(2048, letters, refuse)
    model = model_of()
    assert chat(model) == SAID
    sent = endpoint.asked[-1].prompt
    assert LINES[0][:20] in sent
    assert LINES[19] not in sent
    assert sent.endswith("질문: HBM4는 언제 나오나요?")
    assert "앞의 답이에요" not in sent
    tries = len(endpoint.asked)
    assert tries <= 5
    assert (chat(model), len(endpoint.asked)) == (SAID, tries + 1)


def test_what_cannot_be_made_to_fit_says_what_is_missing(endpoint: LanguageModelServer, model_of: ModelOf):
    """Where hardly anything of the data would be left, the refusal stands with its numbers."""
    endpoint.answer = lambda _: play.refusal(400, type="exceed_context_size_error", n_prompt_tokens=4567, n_ctx=256)
    with pytest.raises(LanguageModelError) as caught:
        chat(model_of(), (ChatMessage("system", "규칙이에요. " * 80), LONG[-1]))
    assert caught.value.kind is Kind.TOO_LONG
    assert caught.value.korean.startswith("이 모델의 문맥은 256토큰인데 4,567토큰이 필요해요.")
    assert len(endpoint.asked) == 1


def test_a_shorter_request_keeps_its_best_lines():
    """Data goes from the end on, as a whole line where that leaves most of it, and none where too little would be left."""
    whole = sum(estimate_tokens(each.content) + 8 for each in LONG)
    assert fit_messages(LONG, whole) == LONG
    shorter = fit_messages(LONG, 900)
    assert shorter is not None
    assert [each.role for each in shorter] == ["system", "user"]
    assert sum(estimate_tokens(each.content) + 8 for each in shorter) <= 900
    assert [line in shorter[-1].content for line in (LINES[0], LINES[19])] == [True, False]
    assert shorter[-1].content.splitlines()[0] == shorter[-1].content.splitlines()[-2]
    assert fit_messages(LONG, 40) is None
    assert fit_messages(LONG[-1:], whole) == LONG[-1:]


LLAMA = {"data": [{"id": "m", "owned_by": "llamacpp", "meta": {"n_ctx_train": 32768}}]}
OLLAMA = {"object": "list", "data": [{"id": "m:latest", "owned_by": "library"}]}
STUDIO = {"data": [{"id": "m", "owned_by": "organization_owner"}, {"id": "n", "owned_by": "organization_owner"}]}


@pytest.mark.parametrize(
    ("listed", "size"),
    [
        (
            {"/v1/models": LLAMA, "/props": {"total_slots": 1, "default_generation_settings": {"n_ctx": 4096}}},
            ModelSize(4096, True),
        ),
        ({"/v1/models": OLLAMA, "/api/ps": {"models": [{"name": "m:latest", "context_length": 8192}]}}, ModelSize(8192, True)),
        ({"/v1/models": OLLAMA, "/api/ps": {"models": []}}, ModelSize(4096, True, final=False)),
        ({"/v1/models": STUDIO, "/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 7000}]}}, ModelSize(7000, True)),
        ({"/v1/models": {"data": [{"id": "m", "owned_by": "vllm", "max_model_len": 16384}]}}, ModelSize(16384, False)),
        ({}, ModelSize()),
    ],
    ids=["llama.cpp", "Ollama", "Ollama before loading", "LM Studio", "vLLM", "nothing"],
)
def test_a_server_is_asked_for_the_size_of_its_model(endpoint: LanguageModelServer, listed: dict[str, Any], size: ModelSize):
    """Each kind of server says it in its list of models, or where it tells of loaded ones."""
    endpoint.listed = listed
    assert read_model_size(endpoint.url, "", "m") == size


def test_what_is_known_of_a_server_before_spares_a_refusal(endpoint: LanguageModelServer, model_of: ModelOf):
    """A long request goes out in the size that its model takes, the first one already."""
    endpoint.listed = {"/v1/models": LLAMA, "/props": {"total_slots": 1, "default_generation_settings": {"n_ctx": 2048}}}
    endpoint.answer = context_of(2048, 1.6, lambda _: play.refusal(400, message="no"))
    assert chat(model_of()) == SAID
    assert len(endpoint.asked) == 1


def test_models_on_this_machine_are_found(endpoint: LanguageModelServer):
    """The first model that chats is named; a port where nobody, or something else, listens has none."""
    port = int(endpoint.url.split(":")[2].split("/")[0])
    endpoint.listed = {"/v1/models": {"data": [{"id": "nomic-embed-text"}, {"id": "qwen3:4b"}]}}
    assert find_local_models({"Ollama": port, "vLLM": 9}) == (LocalModel("Ollama", endpoint.url, "qwen3:4b"),)
    endpoint.listed = {"/v1/models": {"data": []}}
    assert find_local_models({"llama.cpp": port}) == ()
