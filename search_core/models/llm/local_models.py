"""Model servers on this machine at their usual ports, and their context sizes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import httpx2

from search_core.settings import Settings

PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
"""Default ports of model servers."""
_LOOPBACK = "http://127.0.0.1:"
_LOOK_S = 0.3
_SIZE_S = 1.0
_MAX_CHARS = 1_000_000
_VERSION = re.compile(r"/v\d+$")
_NO_CHAT = re.compile(r"embed|rerank|whisper|\bbge\b|\be5\b", re.IGNORECASE)
_OWN_PATHS = {"llamacpp": "/props", "library": "/api/ps", "organization_owner": "/api/v0/models"}
"""Paths where llama.cpp, Ollama and LM Studio report a loaded model's size, by the owner in their lists."""
_OLLAMA_DEFAULT = 4_096
"""Context size of Ollama where none is stated; it cuts longer requests silently."""
_SIZES = ("n_ctx", "context_length", "loaded_context_length", "max_model_len")


class LocalModel(NamedTuple):
    """A model on a server of this machine."""

    server: str
    base_url: str
    name: str


def may_offer(settings: Settings) -> bool:
    """Return whether to look for models on this machine: not if an endpoint is set or LOCAL_MODELS forbids it."""
    own = settings.openai_base_url or settings.openai_model or settings.openai_api_key.get_secret_value()
    return settings.local_models == "ask" and not own


def choose_model(settings: Settings, model: LocalModel | None) -> None:
    """Store a visitor's choice of *model*, or of none."""
    file = settings.local_model_file
    if model is None:
        file.unlink(missing_ok=True)
    else:
        file.write_text(json.dumps(model._asdict(), ensure_ascii=False), encoding="utf-8")


def chosen_model(settings: Settings) -> LocalModel | None:
    """Return the chosen model if it may be used; None for an unreadable choice."""
    try:
        choice = json.loads(settings.local_model_file.read_text(encoding="utf-8"))
        chosen = LocalModel(*(str(choice[name]) for name in LocalModel._fields))
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return chosen if may_offer(settings) and chosen.base_url.startswith(_LOOPBACK) else None


class ModelSize(NamedTuple):
    """An endpoint's context size."""

    context: int | None = None
    """Tokens of question and answer together, where it says so."""
    one_at_a_time: bool = False
    final: bool = True
    """False where the model is not loaded yet, so that its server is to be looked at again."""


def find_local_models(ports: dict[str, int] | None = None) -> tuple[LocalModel, ...]:
    """Return the first chat model of each server that answers on loopback, at its usual port or *ports*."""
    places = PORTS if ports is None else ports

    def look(server: str) -> LocalModel | None:
        base_url = f"{_LOOPBACK}{places[server]}/v1"
        with httpx2.Client(timeout=_LOOK_S, trust_env=False) as client:
            names = [str(entry.get("id", "")) for entry in _entries(_read(client, f"{base_url}/models"))]
        name = next((name for name in names if name and not _NO_CHAT.search(name)), "")
        return LocalModel(server, base_url, name) if name else None

    with ThreadPoolExecutor(len(places)) as pool:
        return tuple(filter(None, pool.map(look, places)))


def read_model_size(base_url: str, key: str, model: str) -> ModelSize:
    """Return the context size of *model* that the server at *base_url* reports."""
    root = _VERSION.sub("", base_url)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with httpx2.Client(timeout=_SIZE_S, headers=headers) as client:
        listed = _entries(_read(client, f"{root}/v1/models"))
        own = [entry for entry in listed if _is_of(entry, model)] or listed[:1]
        path = _OWN_PATHS.get(str(own[0].get("owned_by"))) if own else None
        report = _read(client, root + path) if path else None
    if path == "/props":
        slots = report.get("total_slots") if isinstance(report, dict) else None
        return ModelSize(_size_in(report), slots == 1)
    loaded = [entry for entry in _entries(report) if _is_of(entry, model)]
    context = _size_in([*loaded, *own])
    return ModelSize(context or (_OLLAMA_DEFAULT if path == "/api/ps" else None), bool(path), bool(context or not path))


def _is_of(entry: dict[str, object], model: str) -> bool:
    """Return whether *entry* is *model*, whose name may lack its tag."""
    return any(model in (name, name.partition(":")[0]) for name in (entry.get("id"), entry.get("name")) if isinstance(name, str))


def _read(client: httpx2.Client, url: str) -> Any:
    """Return the JSON at *url*; None if nobody answers there."""
    try:
        answer = client.get(url)
        return json.loads(answer.text) if answer.status_code == 200 and len(answer.text) <= _MAX_CHARS else None
    except (httpx2.HTTPError, ValueError, RecursionError):
        return None


def _entries(listed: object) -> list[dict[str, object]]:
    """Return the list of models, whatever its key is."""
    entries = (listed.get("data") or listed.get("models")) if isinstance(listed, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _size_in(report: object) -> int | None:
    """Return the first number in *report* whose name says it counts tokens."""
    return next((value for name, value in _named(report) if name in _SIZES), None)


def _named(report: object) -> Iterator[tuple[str, int]]:
    if isinstance(report, list):
        for item in report[:10]:
            yield from _named(item)
    elif isinstance(report, dict):
        for name, value in report.items():
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                yield name, value
            elif isinstance(value, dict):
                yield from _named(value)
