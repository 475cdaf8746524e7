"""Answers in one piece, held to a schema where the endpoint can do that."""

from __future__ import annotations

import asyncio
import json

import pytest

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.llm import ChatMessage, OpenAICompatible
from search_core.llm.prompt import AnswerSchema, Completion
from tests.loopback.language_model import REFUSALS, Asked, LanguageModelServer, Personality, Whole, completion, refusal

from .conftest import ModelOf

SCHEMA = AnswerSchema("rows", {"type": "object", "properties": {}, "required": [], "additionalProperties": False})


def ask(model: OpenAICompatible) -> Completion:
    return asyncio.run(model.complete([ChatMessage("system", "s"), ChatMessage("user", "u")], SCHEMA, max_tokens=70))


def counted(answer: str, **usage: object) -> Personality:
    """Return a model that says what its answer took."""
    whole = completion(answer)
    return lambda _: Whole(200, whole.kind, json.dumps({**json.loads(whole.body), "usage": usage}).encode())


def test_an_endpoint_is_given_the_schema_and_its_count_is_passed_on(endpoint: LanguageModelServer, model_of: ModelOf):
    """The request holds the schema as OpenAI documents it and no tools; the answer has the tokens the endpoint counted."""
    endpoint.answer = counted("{}", prompt_tokens=31, completion_tokens=2, total_tokens=33)
    assert ask(model_of()) == Completion("{}", 31, 2, requests=1)
    [asked] = endpoint.asked
    assert asked.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "rows", "strict": True, "schema": SCHEMA.schema}},
        "max_tokens": 70,
    }


def test_a_count_that_is_none_is_not_believed(endpoint: LanguageModelServer, model_of: ModelOf):
    """An answer without numbers of tokens, or with odd ones, has none."""
    for usage in ({}, {"prompt_tokens": "31", "completion_tokens": None}, {"prompt_tokens": -1}):
        endpoint.answer = counted("{}", **usage)
        assert ask(model_of()) == Completion("{}", None, None)


def test_an_endpoint_that_refuses_schemas_is_asked_without(endpoint: LanguageModelServer, model_of: ModelOf):
    """It is asked a second time in the same words, and from then on without a schema at once."""

    def answer(asked: Asked) -> Whole:
        return refusal(422, message="no response_format") if "response_format" in asked.body else completion("{}")

    endpoint.answer = answer
    model = model_of()
    assert [ask(model).requests, ask(model).requests] == [2, 1]
    assert ["response_format" in asked.body for asked in endpoint.asked] == [True, False, False]
    assert endpoint.asked[0].body["messages"] == endpoint.asked[1].body["messages"]


def test_a_request_that_is_refused_in_any_form_says_nothing_of_schemas(endpoint: LanguageModelServer, model_of: ModelOf):
    """Where the plain request is refused, too, the next one is made with the schema again."""
    endpoint.answer = lambda _: refusal(400, message="too long", code="context_length_exceeded")
    model = model_of()
    for _ in range(2):
        with pytest.raises(LanguageModelError) as caught:
            ask(model)
        assert caught.value.kind is LanguageModelFailure.REJECTED
    assert ["response_format" in asked.body for asked in endpoint.asked] == [True, False, True, False]


def test_other_refusals_are_not_asked_again(endpoint: LanguageModelServer, model_of: ModelOf):
    """A wrong key, a spent quota or a broken server ends at the first request."""
    for number, answer in enumerate(REFUSALS.values(), start=1):
        endpoint.answer = answer
        with pytest.raises(LanguageModelError):
            ask(model_of())
        assert len(endpoint.asked) == number


def test_an_answer_may_take_as_long_as_a_streamed_one(endpoint: LanguageModelServer, model_of: ModelOf):
    """An endpoint that holds its answer back ends in a typed error once six times the setting are over."""
    endpoint.answer = lambda _: completion("{}")
    endpoint.released.clear()
    with pytest.raises(LanguageModelError) as caught:
        ask(model_of(openai_timeout=0.05))
    assert caught.value.kind is LanguageModelFailure.TIMEOUT
