"""Only the operator sets where the app connects to: nothing that is sent to it changes an address."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from search_core.settings import Settings
from tests.search_core.api.served import QUESTION, Served, served

ADDRESSES = tuple(
    name
    for name in Settings.model_fields
    if name.endswith(("_url", "_address", "_proxy", "_base", "_allow_private", "_dir", "_file", "_tokens", "_key", "_host"))
)
PLANTED = "http://127.0.0.1:1/planted"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("closed"), api_rate_limit="") as server:
        yield server


def test_no_request_changes_where_the_app_connects_to(server: Served):
    """As a field, a parameter or a header, a setting is refused or ignored; the settings stay as they were."""
    assert {"openai_base_url", "searxng_url", "database_url", "redis_url", "reading_allow_private"} <= set(ADDRESSES)
    before = repr(server.core.settings)
    with server.client() as client:
        paths = ("chat", "web-search", "search", "research")
        for path, name in zip(cycle(paths), (*ADDRESSES, *ADDRESSES[:1] * len(paths)), strict=False):
            body: dict[str, Any] = {"query": QUESTION, name: PLANTED, name.upper(): PLANTED}
            answer = client.post(f"/api/{path}", json=body, params={name: PLANTED}, headers={f"X-{name}": PLANTED})
            assert (answer.status_code, answer.json()["error"]["type"]) == (400, "unknown_field"), (path, name)
            assert PLANTED not in answer.text
    assert repr(server.core.settings) == before
    assert (server.answers.questions, server.checks.requests) == ([], [])


def test_a_page_cannot_open_the_operator_s_network():
    """Access to the operator's network is read from the environment alone, not from what a page hands in."""
    assert Settings.from_env({"reading_allow_private": "127.0.0.1:1"}).reading_allow_private == ""
    assert Settings.from_env({"READING_ALLOW_PRIVATE": "127.0.0.1:1"}).reading_allow_private == ""
