"""What a file of ``services/`` says about the service it plays, and the parts all of them share."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl

from search_core.domain.reply import SearchStatus

Answer = tuple[int, Mapping[str, str], bytes]
"""Status, headers and body."""

HTML_TYPE = "text/html; charset=utf-8"
JSON_TYPE = "application/json; charset=utf-8"

RETRY_AFTER_S = 7
PLAIN_HTML = "<!doctype html><title>안내</title><p>점검 중이에요.</p>".encode()
FAILURES: dict[str, tuple[SearchStatus, Answer | None]] = {
    "hang": (SearchStatus.TIMEOUT, None),
    "drip": (SearchStatus.TIMEOUT, None),
    "reset": (SearchStatus.NETWORK_ERROR, None),
    "401": (SearchStatus.BLOCKED, (401, {"content-type": JSON_TYPE}, b"{}")),
    "403": (SearchStatus.BLOCKED, (403, {"content-type": "text/plain"}, b"Forbidden")),
    "blocked": (SearchStatus.BLOCKED, (403, {"content-type": "text/plain"}, b"Forbidden")),
    "422": (SearchStatus.INVALID_RESPONSE, (422, {"content-type": JSON_TYPE}, b'{"detail": [{"loc": ["body"], "msg": "odd"}]}')),
    "429": (SearchStatus.RATE_LIMITED, (429, {"content-type": "text/plain"}, b"Too Many Requests")),
    "429-after": (SearchStatus.RATE_LIMITED, (429, {"retry-after": str(RETRY_AFTER_S)}, b"Too Many Requests")),
    "500": (SearchStatus.NETWORK_ERROR, (500, {"content-type": JSON_TYPE}, b'{"error": "search error"}')),
    "503": (SearchStatus.NETWORK_ERROR, (503, {"content-type": "text/plain"}, b"unavailable")),
    "html": (SearchStatus.INVALID_RESPONSE, (200, {"content-type": HTML_TYPE}, PLAIN_HTML)),
    "empty": (SearchStatus.INVALID_RESPONSE, (200, {"content-type": JSON_TYPE}, b"")),
    "broken-json": (SearchStatus.INVALID_RESPONSE, (200, {"content-type": JSON_TYPE}, b'{"results": [{"url": "https://exam')),
    "nothing": (SearchStatus.NO_RESULTS, None),
}
"""Every failure any service can play: the status it ends in and what is sent, where the service does not say otherwise."""
KEYED_OUTCOMES: dict[str, SearchStatus] = {
    "401": SearchStatus.INVALID_API_KEY,
    "echo-key": SearchStatus.BLOCKED,
}
"""The same for services with a key; ``echo-key`` is a 403 that repeats the keys it was sent."""
OWN_OUTCOMES: dict[str, SearchStatus] = {
    "bad-key": SearchStatus.INVALID_API_KEY,
    "quota": SearchStatus.QUOTA_EXHAUSTED,
}
"""The same for failures that only services with an answer of their own for them can play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the played web; ``{query}`` in its texts becomes the query."""

    title: str
    url: str
    snippet: str
    published: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request a service was sent."""

    method: str = "GET"
    path: str = "/"
    """Below the address of the service, without the query string."""
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""

    @property
    def json(self) -> Any:
        """Return the body read as JSON; raises ValueError when it is none."""
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        """Return the fields of a body that is a form."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    def holds(self, words: str) -> bool:
        """Return whether *words* are anywhere in what was sent."""
        sent = [self.path, self.body.decode("utf-8", "replace"), *self.params.values(), *self.headers.values()]
        return any(words in part for part in sent)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedService:
    """Plays one search service; a JSON service says ``entry`` and ``envelope``, any other one ``render``."""

    name: str
    """That of the provider, and of the file."""
    settings: Callable[[str], dict[str, Any]]
    """Returns the settings under which the provider reaches the service at a base address, its planted ``keys`` included."""
    query: Callable[[Asked], str] = lambda asked: asked.params.get("q", "")
    """Returns what is searched for."""
    entry: Callable[[Mapping[str, Any]], Any] = dict
    """Returns one entry of the list; of ``title``, ``url``, ``snippet``, ``published`` any may be missing or odd."""
    envelope: Callable[[Any, Asked], Any] = lambda entries, _: {"results": entries}
    """Returns the payload around the entries, which need not be a list."""
    render: Callable[[tuple[Page, ...], Asked], Answer] | None = None
    """Returns the whole answer with these pages, for services whose answers are no JSON or no list of pages."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """Own answers for failures; those in ``OWN_OUTCOMES`` can be played only when they are here."""
    outcomes: Mapping[str, SearchStatus] = field(default_factory=dict)
    """Statuses of failures where they are not the general ones."""
    keys: tuple[str, ...] = ()
    """Planted keys, long and found by searching for ``CANARY``; they may turn up nowhere."""
    dated: bool = False
    """Whether the results of a plain search carry dates."""
    tls_host: str = ""
    """The host of a service spoken to over https; its base address is then that of a proxy."""

    def failures(self) -> dict[str, SearchStatus]:
        """Return every failure this service can play with the status it must end in."""
        keyed = KEYED_OUTCOMES if self.keys else {}
        own = {failure: status for failure, status in OWN_OUTCOMES.items() if failure in self.answers}
        return {**{failure: status for failure, (status, _) in FAILURES.items()}, **keyed, **own, **self.outcomes}

    def answer(self, failure: str | None, pages: tuple[Page, ...], asked: Asked) -> Answer:
        """Return what is sent for *pages*, or instead of them."""
        if failure in self.answers:
            return self.answers[failure]
        if failure == "echo-key":
            return self._echo(asked)
        if failure in FAILURES and (sent := FAILURES[failure][1]) is not None:
            return sent
        if self.render is not None:
            return self.render(pages, asked)
        return json_answer(self.envelope([self.entry(asdict(page)) for page in pages], asked))

    def _echo(self, asked: Asked) -> Answer:
        sent = " ".join(key for key in self.keys if asked.holds(key))
        assert sent, f"{self.name} was asked without its key"
        body = {"error": {"code": 403, "message": f"{sent} may not do this"}, "detail": sent, "message": sent}
        return 403, {"content-type": JSON_TYPE, "www-authenticate": f"Bearer {sent}", "x-key": sent}, json.dumps(body).encode()


def json_answer(payload: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Return *payload* as a JSON answer."""
    return status, {"content-type": JSON_TYPE, **(headers or {})}, json.dumps(payload).encode()


def discover(package: ModuleType) -> dict[str, PlayedService]:
    """Return the ``SERVICE`` of each file of *package* by name; raises ValueError when its name is not the file's."""
    found: dict[str, PlayedService] = {}
    for info in pkgutil.iter_modules(package.__path__):
        service = importlib.import_module(f"{package.__name__}.{info.name}").SERVICE
        if service.name != info.name:
            raise ValueError(f"The service of {info.name}.py must have its name, not {service.name!r}.")
        found[info.name] = service
    return found


def about(pages: Sequence[Page], query: str) -> tuple[Page, ...]:
    """Return *pages* with *query* in their texts."""
    texts = ((page.title.replace("{query}", query), page.snippet.replace("{query}", query)) for page in pages)
    return tuple(replace(page, title=title, snippet=snippet) for page, (title, snippet) in zip(pages, texts, strict=True))
