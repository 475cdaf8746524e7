"""The loopback endpoint, and the real client set to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.settings import Settings
from tests.loopback.language_model import KEY, LanguageModelServer

ModelOf = Callable[..., OpenAICompatible]


@pytest.fixture
def endpoint() -> Iterator[LanguageModelServer]:
    with LanguageModelServer() as server:
        yield server


@pytest.fixture
def model_of(endpoint: LanguageModelServer) -> ModelOf:
    """Return what makes a client of the endpoint, with settings of its own."""

    def made(**settings: Any) -> OpenAICompatible:
        return OpenAICompatible(
            Settings(**{"openai_base_url": endpoint.url, "openai_api_key": KEY, "openai_model": "m", **settings})
        )

    return made
