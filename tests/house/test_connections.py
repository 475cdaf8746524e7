"""Who may open a connection: each room that does so is named here, with what it does it by.

Addresses that strangers write are fetched by ``reading/`` alone, behind its guard; all others lead where the operator says or
where a service lives. A new way out is a decision, so it fails here first.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.test_rules import Source, sources

CLIENTS = frozenset(
    {
        *(
            "socket",
            "httpx",
            "httpx2",
            "httpcore",
            "httpcore2",
            "requests",
            "urllib3",
            "urllib.request",
            "http.client",
            "aiohttp",
        ),
        *("primp", "ddgs", "openai", "mcp", "redis", "psycopg", "curl_cffi", "websockets", "youtube_transcript_api", "yt_dlp"),
        "huggingface_hub",
        *("ftplib", "smtplib", "telnetlib", "xmlrpc", "pycurl", "grpc"),
    }
)
ALLOWED = {
    "search_core/reading/": {"socket", "httpx2", "httpcore2"},  # pages of strangers, guarded at the connection
    "search_core/provider_kit/http.py": {"httpx"},  # search services
    "search_core/provider_kit/impersonation.py": {"primp"},
    "search_core/provider_kit/playwright_mcp/": {"mcp"},
    "search_core/agents/": {"mcp"},  # serves agents: opens no connection
    "search_core/api/agents.py": {"mcp"},
    "search_core/providers/duckduckgo.py": {"ddgs"},
    "search_core/llm/": {"openai", "httpx2"},  # the endpoint that the operator names
    "search_core/storage/": {"redis"},
    "search_core/api/limiting.py": {"redis"},
    "search_core/relevance/server_embedder.py": {"httpx"},  # the server of the embedding model that the operator names
    "search_core/relevance/model_hub.py": {"httpx2", "huggingface_hub"},  # the hub of models, when a visitor wants one
    "search_core/relevance/model_worker.py": {"huggingface_hub"},  # what it has on this machine
    "search_core/durable_runs/worker_registry.py": {"socket"},  # the name of this machine
    "search_core/video/youtube_page.py": {"httpx"},  # YouTube
    "search_core/video/youtube_captions.py": {"requests", "urllib3", "youtube_transcript_api"},  # the errors of urllib3
}
CALLS = frozenset({"open_connection", "create_connection", "fetch_url", "urlopen", "urlretrieve", "fetch_response"})
"""What opens connections under other names: ``asyncio.open_connection``, ``trafilatura.fetch_url``."""


def imported(source: Source) -> Iterator[str]:
    """Yield the modules that a file imports, anywhere in it, types that are only checked included."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def clients(source: Source) -> set[str]:
    """Return the packages that open connections and that a file imports."""
    return {client for module in imported(source) for client in CLIENTS if f"{module}.".startswith(f"{client}.")}


def test_only_named_rooms_open_connections():
    """No module reaches the network but through the rooms made for it, and each of them does."""
    found, used = [], {room: set[str]() for room in ALLOWED}
    for source in sources():
        rooms = [room for room in ALLOWED if source.path.as_posix().startswith(room)]
        imports = clients(source)
        for room in rooms:
            used[room] |= imports
        if imports - {client for room in rooms for client in ALLOWED[room]}:
            found.append(source.path.as_posix())
        for node in source.nodes:
            func = node.func if isinstance(node, ast.Call) else None
            if (func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")) in CALLS:
                found.append(source.at(node))
    assert found == []
    assert used == ALLOWED


def test_certificates_are_checked_and_redirects_not_followed():
    """No client accepts any certificate, and none follows redirects by itself."""
    found = []
    for source in sources():
        for node in source.nodes:
            if isinstance(node, ast.keyword) and isinstance(node.value, ast.Constant):
                wrong = (node.arg in ("verify", "check_hostname") and node.value.value is False) or (
                    node.arg in ("follow_redirects", "allow_redirects") and node.value.value is True
                )
                found += [source.at(node.value)] if wrong else []
    assert found == []
