"""The one way to an endpoint: second tries, redirects, and answers that are larger than they look."""

from __future__ import annotations

import asyncio
import gzip

import httpx2
import openai
import pytest

from search_core.errors import LanguageModelError, LanguageModelFailure
from search_core.models.llm.endpoint import retry_connect
from tests.loopback.language_model import LanguageModelServer, Whole

from .conftest import ModelOf


def test_a_connection_that_did_not_come_about_is_tried_again():
    """Nothing was sent, so a second try does no harm."""
    refused = openai.APIConnectionError(request=httpx2.Request("POST", "http://127.0.0.1/v1/chat/completions"))
    refused.__cause__ = httpx2.ConnectError("refused")
    outcomes: list[Exception | str] = [refused, "answer"]

    async def ask() -> str:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    assert asyncio.run(retry_connect(ask)) == "answer"


def test_a_redirect_does_not_carry_the_key_away(endpoint: LanguageModelServer, model_of: ModelOf):
    """An endpoint that sends us elsewhere is not followed."""
    with LanguageModelServer() as elsewhere:
        moved = Whole(307, "text/plain", b"", (("Location", f"{elsewhere.url}/chat/completions"),))
        endpoint.answer = lambda _: moved
        with pytest.raises(LanguageModelError):
            asyncio.run(model_of().summarize("title", "snippet", "example.com"))
        assert elsewhere.asked == []


def test_a_packed_answer_is_not_unpacked(endpoint: LanguageModelServer, model_of: ModelOf):
    """We ask for no packing, so a packed answer, which may grow a thousandfold, is not read."""
    endpoint.answer = lambda _: Whole(200, "application/json", gzip.compress(b'{"text": "a"}'), (("Content-Encoding", "gzip"),))
    with pytest.raises(LanguageModelError) as caught:
        asyncio.run(model_of().summarize("title", "snippet", "example.com"))
    assert caught.value.kind is LanguageModelFailure.UNREADABLE
