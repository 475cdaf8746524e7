"""Every service failing in every way while all the others are well: what it ends in, how long it takes, and whom it touches.

Each case is one search by ``MultiProviderSearchManager`` over real sockets with all played services in one tier.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, Self

import pytest
import trustme

from search_core.domain import ProviderReply, SearchEvent, SearchResult, SearchStatus
from search_core.gathering import MultiProviderSearchManager
from search_core.presenting import ledger
from search_core.provider_kit import SearchProvider
from search_core.providers import build, catalogue
from search_core.settings import Settings
from tests.loopback.played import JSON_TYPE, RETRY_AFTER_S
from tests.loopback.tls_proxy import TlsProxy
from tests.loopback.world import PLAYED, SERVICES, World

QUERY = "메모리 대역폭이란?"
SHORT_S = 0.3
"""What a service that does not answer gets; all others get ``LONG_S``, so that a busy machine fails no healthy one."""
LONG_S = 10.0
SLACK_S = 3.0
"""How late two busy cores may be."""
NEVER_ENDING = ("hang", "drip")

NO_SUCH_HOST = ".".join(["x" * 63] * 4 + ["invalid"])
"""Longer than names can be, so that every resolver refuses it by itself and asks nobody."""
CONNECTIONS = {
    "refused": SearchStatus.NETWORK_ERROR,
    "dns": SearchStatus.NETWORK_ERROR,
    "tls": SearchStatus.NETWORK_ERROR,
}
ANSWERS = {
    "429-date": SearchStatus.RATE_LIMITED,
    "odd": SearchStatus.INVALID_RESPONSE,
    "not-utf8": SearchStatus.INVALID_RESPONSE,
}
NAMES = tuple(name for name in SERVICES if name in catalogue())
CASES = [
    (name, failure, status) for name in NAMES for failure, status in {**PLAYED[name].failures(), **CONNECTIONS, **ANSWERS}.items()
]


class EmptyShelf:
    """A library without documents."""

    def search(self, query: str, limit: int, *, samples: bool = True) -> list[SearchResult]:
        return []

    def count(self, *, samples: bool = True) -> int:
        return 0


class Noted(list[tuple[str, str]]):
    """A list of refusals that can be waited for; the server learns of one a moment after the client."""

    def __init__(self) -> None:
        super().__init__()
        self.came = threading.Event()

    def append(self, refusal: tuple[str, str]) -> None:
        super().append(refusal)
        self.came.set()


class Untrusted:
    """A TLS server on loopback whose certificate nobody trusts."""

    def __init__(self) -> None:
        self.refused = Noted()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert("127.0.0.1").configure_cert(self._context)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, name="untrusted", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(LONG_S)
            try:
                self._context.wrap_socket(connection, server_side=True).close()
            except OSError as error:  # SSLError is one
                self.refused.append(("127.0.0.1", str(error)))
            connection.close()


@dataclass(kw_only=True)
class Stage:
    """Holds the world, one event loop, and all providers as they are when their services can be reached."""

    world: World
    untrusted: Untrusted
    untrusted_proxy: TlsProxy
    runner: asyncio.Runner
    providers: dict[str, SearchProvider] = field(default_factory=dict)
    events: list[SearchEvent] = field(default_factory=list)

    def provider(self, name: str, **changes: Any) -> SearchProvider:
        """Return a provider with settings of its own."""
        settings = {**self.world.settings(web_search_timeout=LONG_S), **changes, "search_providers": name}
        return build(Settings(**settings), EmptyShelf())[name]

    def failing(self, name: str, failure: str) -> SearchProvider:
        """Return the provider *name* such that asking it fails in the way *failure*."""
        for service in NAMES:
            self.world.play(service)
        if failure == "refused":
            with socket.create_server(("127.0.0.1", 0)) as unused:
                port = unused.getsockname()[1]
            return self.provider(name, **PLAYED[name].settings(f"http://127.0.0.1:{port}"))
        if failure == "dns":
            return self.provider(name, **PLAYED[name].settings(f"http://{NO_SUCH_HOST}"))
        if failure == "tls":
            self.refused_by(name).clear()
        if failure == "tls" and PLAYED[name].tls_host:
            return self.provider(name, **PLAYED[name].settings(self.untrusted_proxy.url))
        if failure == "tls":
            return self.provider(name, **PLAYED[name].settings(self.untrusted.url))
        if failure in ANSWERS:
            self.world.play(name, answer=odd_answer(failure))
        else:
            self.world.play(name, failure=failure)
        return self.provider(name, web_search_timeout=SHORT_S) if failure in NEVER_ENDING else self.providers[name]

    def search(self, instead: SearchProvider | None = None) -> dict[str, ProviderReply]:
        """Return the reply of each provider, with *instead* in the place of the one of its name."""
        self.events.clear()
        providers = {**self.providers, **({instead.name: instead} if instead else {})}
        manager = MultiProviderSearchManager(
            providers, [NAMES], timeout_s=LONG_S, deadline_s=2 * LONG_S, record=self.events.append
        )

        async def whole() -> dict[str, ProviderReply]:
            try:
                return {reply.provider: reply for reply in await manager.search(QUERY)}
            finally:
                if instead is not None and instead is not self.providers[instead.name]:
                    await instead.aclose()

        return self.runner.run(whole())

    def refused_by(self, name: str) -> threading.Event:
        """Return what is set once the provider *name* has turned our certificate down."""
        refused = self.untrusted_proxy.refused if PLAYED[name].tls_host else self.untrusted.refused
        assert isinstance(refused, Noted)
        return refused.came


def odd_answer(failure: str) -> tuple[int, dict[str, str], bytes]:
    if failure == "429-date":
        when = datetime.now(UTC) + timedelta(seconds=RETRY_AFTER_S)
        return 429, {"retry-after": format_datetime(when.replace(tzinfo=UTC), usegmt=True)}, b""
    if failure == "odd":
        return 200, {"content-type": JSON_TYPE}, b'{"unexpected": [1, {"a": null}]}'
    return 200, {"content-type": JSON_TYPE}, b'{"results": "\xff\xfe'


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with (
        World() as world,
        Untrusted() as untrusted,
        TlsProxy(world.behind_tls) as untrusted_proxy,
        asyncio.Runner() as runner,
    ):
        untrusted_proxy.refused = Noted()
        stage = Stage(world=world, untrusted=untrusted, untrusted_proxy=untrusted_proxy, runner=runner)
        stage.providers = {name: stage.provider(name) for name in NAMES}
        yield stage

        async def close() -> None:
            for provider in stage.providers.values():
                await provider.aclose()

        runner.run(close())


@pytest.fixture(scope="module")
def healthy(stage: Stage) -> dict[str, ProviderReply]:
    """What everybody says when all are well."""
    return stage.search()


def test_the_matrix_is_complete(healthy: dict[str, ProviderReply]):
    """At least a hundred cases, every provider that asks a service among them, and all of them find something when well."""
    assert len(CASES) >= 100
    assert set(NAMES) == set(catalogue()) - {"library", "browser"}
    assert {name: str(reply.status) for name, reply in healthy.items()} == dict.fromkeys(NAMES, "success")


@pytest.mark.parametrize(("name", "failure", "status"), CASES, ids=lambda value: str(value))
def test_one_failing_service(
    stage: Stage,
    healthy: dict[str, ProviderReply],
    name: str,
    failure: str,
    status: SearchStatus,
    caplog: pytest.LogCaptureFixture,
):
    """The failing service ends in its own status and in time, is named in ledger and events, and the others answer as always."""
    started = time.perf_counter()
    replies = stage.search(stage.failing(name, failure))
    took_s = time.perf_counter() - started
    failed = replies.pop(name)

    assert failed.status is status
    if failure in NEVER_ENDING:
        assert failed.latency_ms / 1000 <= SHORT_S + SLACK_S
    assert took_s <= LONG_S
    assert (failed.error_message is None) == (status is SearchStatus.NO_RESULTS)
    assert not failed.results
    if failure.startswith("429-"):
        assert failed.retry_after_s is not None
        assert RETRY_AFTER_S - SLACK_S < failed.retry_after_s <= RETRY_AFTER_S
    if failure == "tls":
        assert stage.refused_by(name).wait(LONG_S)

    assert {other: (reply.status, reply.results) for other, reply in replies.items()} == {
        other: (reply.status, reply.results) for other, reply in healthy.items() if other != name
    }

    labels = {service: provider.label for service, provider in stage.providers.items()}
    lines = {line.provider: line for line in ledger((failed, *replies.values()), labels)}
    assert lines[name].status is status
    assert lines[name].korean.startswith(f"{labels[name]}: ")
    assert lines[name].answered == (status is SearchStatus.NO_RESULTS)
    assert all(line.answered for other, line in lines.items() if other != name)

    events = {event.provider: event for event in stage.events}
    assert len(stage.events) == len(NAMES)
    assert (events[name].status, events[name].error_message) == (status, failed.error_message)

    planted = [key for service in PLAYED.values() for key in service.keys]
    told = f"{failed.error_message} {failed.advice} {lines[name].korean} {caplog.text}"
    assert not [key for key in planted if key in told]
    assert "메모리" not in told
