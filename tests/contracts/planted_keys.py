"""Planted keys, and how to find a trace of them: whole, cut, percent-encoded, in base64, in hexadecimal, or compressed.

Every planted key holds the word CANARY.
"""

from __future__ import annotations

import base64
import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from tests.loopback.language_model import Asked, Whole, refusal
from tests.loopback.world import PLAYED

MODEL_KEY = "sk-CANARY-llm-e81f0d5b7a"
REDIS_PASSWORD = "CANARY-redis/+=9b3e61"
SERVICE_KEYS = tuple(key for service in PLAYED.values() for key in service.keys)


def in_base64(text: str) -> Iterator[str]:
    """Yield the letters of base64 that *text* alone decides, for its three positions in a group of bytes."""
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + text.encode()).decode().rstrip("=")
        yield encoded[{0: 0, 1: 2, 2: 3}[before] : -1]


def needles_of(keys: Iterable[str]) -> tuple[str, ...]:
    """Return what may be in no text that holds none of *keys*, whole or cut."""
    ends = [key[-8:] for key in keys]
    encoded = [form for end in ends for form in (end, quote(end, safe=""), *in_base64(end))]
    return ("CANARY", b"CANARY".hex(), *in_base64("CANARY"), *encoded)


def traces(sinks: Mapping[str, str], needles: Iterable[str]) -> dict[str, list[str]]:
    """Return by name the texts of *sinks* that hold any of *needles*, with those they hold."""
    return {name: found for name, text in sinks.items() if (found := [needle for needle in needles if needle in text])}


def as_text(value: object) -> str:
    """Return *value* as text; bytes that are compressed are unpacked."""
    if isinstance(value, bytes):
        with contextlib.suppress(zlib.error):
            value = zlib.decompress(value)
        return value.decode("latin-1") + value.decode("utf-8", "replace")
    if isinstance(value, list | tuple):
        return "\n".join(as_text(one) for one in value)
    return str(value)


def on_disk(folder: Path) -> str:
    """Return all files under *folder* as they are, and every value of every table in them."""
    texts = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        texts += [path.name, as_text(path.read_bytes())]
        if path.read_bytes().startswith(b"SQLite format 3"):
            with contextlib.closing(sqlite3.connect(path)) as database:
                for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    texts.append(as_text(database.execute(f'SELECT * FROM "{table}"').fetchall()))
    return "\n".join(texts)


def refuse_and_repeat_key(asked: Asked) -> Whole:
    """Refuse and repeat the key, as language model services do."""
    refused = refusal(401, message=f"Incorrect API key provided: {asked.key}", code="invalid_api_key")
    return refused._replace(headers=(("X-Key", str(asked.key)),))
