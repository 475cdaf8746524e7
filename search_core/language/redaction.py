"""Removes secrets from log lines and errors, by their values.

A key can turn up in an address that a library logs, or in a refusal that repeats it. So nothing is guessed from names or shapes.
Values of earlier settings stay on the list, because a replaced key may still be valid.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, unquote, urlsplit

from pydantic import SecretStr

from search_core.settings import Settings

MARK = "***"
MIN_CHARS = 4
"""Shorter values are not looked for, as they occur in many words; no service hands out such short keys."""
WORD_CHARS = 8
"""Shorter values may occur within words, so they are only matched as whole words."""

CHATTY = (
    *("httpx", "httpx2", "httpcore", "httpcore2", "hpack", "openai", "urllib3", "mcp", "sse_starlette"),
    *("primp", "hyper_util", "rustls", "h2", "hickory_proto", "hickory_resolver"),
)
"""Loggers that log whole addresses or bodies, which contain what users ask."""


class Redactor:
    """Replaces secrets in texts; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: set[str] = set()
        self._pattern = re.compile(r"(?!)")

    def learn(self, values: Iterable[str]) -> None:
        """Replace *values* from now on, too, except those shorter than ``MIN_CHARS``."""
        forms = {form for value in values if len(value) >= MIN_CHARS for form in _forms(value)}
        with self._lock:
            if forms <= self._forms:
                return
            self._forms |= forms
            longest_first = sorted(self._forms, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(_pattern_of, longest_first)))

    def __call__(self, text: str) -> str:
        """Return *text* with ``***`` in place of every secret."""
        return self._pattern.sub(MARK, text)


_redactor = Redactor()
_formatter = logging.Formatter()


def redact(text: str) -> str:
    """Return *text* without the secrets of all installed settings; call it before shortening a text."""
    return _redactor(text)


def install(settings: Settings) -> None:
    """Remove the secrets of *settings* from this process's log records from now on.

    Records are cleaned when they are created: a filter would have to be on every handler, whenever it is added.
    """
    _redactor.learn(secrets_of(settings))
    quiet_libraries()
    logging.setLogRecordFactory(_CleanRecord)


def quiet_libraries() -> None:
    """Let libraries that log their requests log only warnings."""
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def secrets_of(settings: Settings) -> Iterator[str]:
    """Yield each secret in *settings*: keys, and the passwords in addresses."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if name == "api_tokens":  # its names are no secrets
            yield from settings.tokens
            continue
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if not isinstance(text, str):
            continue
        if "://" in text:
            yield from _inside_address(text)
        elif isinstance(value, SecretStr):
            yield text.strip()


def _inside_address(address: str) -> Iterator[str]:
    try:
        parts = urlsplit(address.strip())
    except ValueError:  # no address after all, so all of it may be the secret
        yield address
        return
    # A token may stand before the @ alone, where a user name would be; Redis has a user of the name "default", and PostgreSQL
    # logs users in without a password.
    token = "" if parts.username == "default" or parts.scheme.startswith("postgres") else parts.username
    asked = parse_qs(parts.query)
    login = [parts.password or token or "", *asked.get("password", []), *asked.get("sslpassword", [])]
    for value in login:
        yield value
        yield unquote(value)


def _forms(value: str) -> Iterator[str]:
    """Yield *value* unchanged, and in the encodings of libraries' addresses: SQLAlchemy keeps spaces and plus signs."""
    yield value
    for safe in ("", "/", " +"):
        yield quote(value, safe=safe, errors="surrogatepass")  # a variable of the environment may be no UTF-8
    yield quote_plus(value, errors="surrogatepass")


def _pattern_of(form: str) -> str:
    return re.escape(form) if len(form) >= WORD_CHARS else rf"(?<![^\W_]){re.escape(form)}(?![^\W_])"


class _CleanRecord(logging.LogRecord):
    """A log record without secrets in its message, arguments and exception."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if isinstance(self.args, tuple):  # uvicorn's access log formats them by itself
            self.args = tuple(redact(value) if isinstance(value, str) else value for value in self.args)
        if self.exc_info:
            text = _formatter.formatException(self.exc_info)
            clean = redact(text)
            if clean != text:
                self.exc_text, self.exc_info = clean, None

    def getMessage(self) -> str:  # noqa: N802 - the name logging gave it
        """Return the message without secrets."""
        return redact(super().getMessage())
