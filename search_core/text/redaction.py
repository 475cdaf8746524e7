"""Secrets kept out of every log line and error text, by their value.

A key can turn up in unexpected places: in an address a library logs, in the body of a refusal that echoes it, in the text of
an exception three layers down. So nothing is guessed from names or shapes: the values that the settings hold are looked for
themselves, plain and in the forms they travel in. Values of earlier settings stay on the list: a rotated key may still be valid.
"""

from __future__ import annotations

import base64
import html
import json
import logging
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, quote, quote_plus, unquote, urlsplit

from pydantic import SecretStr

from search_core.settings import Settings

MARK = "***"
HEAD_CHARS = 8
"""A cut secret is found when this many of its first characters are left."""
MIN_CHARS = 4
"""Shorter values are in too many words to be looked for; no service hands out keys of this size."""
MAX_VALUES = 256
"""Values remembered; the oldest are forgotten first."""

CHATTY = (
    *("httpx", "httpx2", "httpcore", "httpcore2", "hpack", "openai", "urllib3", "mcp", "sse_starlette"),
    *("primp", "hyper_util", "rustls", "h2", "hickory_proto", "hickory_resolver"),
)
"""Loggers that write down whole addresses or bodies, and with them what users ask."""


class Redactor:
    """Knows secrets and blanks them in texts; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, None] = {}
        self._forms: tuple[str, ...] = ()
        self._heads: tuple[str, ...] = ()
        self._any_head = re.compile(r"(?!)")

    def learn(self, values: Iterable[str]) -> None:
        """Blank *values*, too, from now on; those under ``MIN_CHARS`` are passed over."""
        with self._lock:
            known = self._values | dict.fromkeys(value for value in values if len(value) >= MIN_CHARS)
            if known.keys() == self._values.keys():
                return
            self._values = dict.fromkeys(list(known)[-MAX_VALUES:])
            self._forms = tuple(dict.fromkeys(form for value in self._values for form in _forms(value)))
            heads = sorted({form[:HEAD_CHARS] for form in self._forms}, key=len, reverse=True)
            self._any_head = re.compile("|".join(map(re.escape, heads)))
            self._heads = tuple(heads)

    def __call__(self, text: str) -> str:
        """Return *text* with every secret in it, whole or cut, as ``***``."""
        if not any(head in text for head in self._heads):  # ten times as quick as the pattern, and nearly always enough
            return text
        kept: list[str] = []
        done = 0
        hit = self._any_head.search(text)
        while hit:
            length = max(self._lengths(text, hit.start()), default=0)
            if length:
                kept += (text[done : hit.start()], MARK)
                done = hit.start() + length
            hit = self._any_head.search(text, done if length else hit.start() + 1)
        return "".join((*kept, text[done:]))

    def _lengths(self, text: str, start: int) -> Iterator[int]:
        """Yield how much of each secret is at *start*; keys of one service begin alike, so several can be."""
        for form in self._forms:
            if len(form) < HEAD_CHARS:
                if text.startswith(form, start) and _stands_alone(text, start, start + len(form)):
                    yield len(form)
            elif text.startswith(form[:HEAD_CHARS], start):
                length = HEAD_CHARS
                while length < len(form) and text.startswith(form[length], start + length):
                    length += 1
                yield length


_redactor = Redactor()
_formatter = logging.Formatter()
_hook_lock = threading.Lock()


def redact(text: str) -> str:
    """Return *text* without the secrets of any settings installed so far; call it before cutting a text to size."""
    return _redactor(text)


def install(settings: Settings) -> None:
    """Keep the secrets of *settings* out of log records and printed tracebacks of this process from now on.

    Records are cleaned when they are made, so every handler gets clean ones, whoever set it up and whenever.
    """
    _redactor.learn(secrets_of(settings))
    quiet_libraries()
    with _hook_lock:
        if logging.getLogRecordFactory() is not _CleanRecord:
            logging.setLogRecordFactory(_CleanRecord)
        if not isinstance(sys.excepthook, _CleanHook):
            sys.excepthook = _CleanHook(sys.excepthook)
        if not isinstance(threading.excepthook, _CleanHook):
            threading.excepthook = _CleanHook(threading.excepthook)


def quiet_libraries() -> None:
    """Let libraries that log what they send speak of warnings only."""
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def secrets_of(settings: Settings) -> Iterator[str]:
    """Yield each secret value that *settings* hold: keys, and the passwords inside addresses."""
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if name == "api_tokens":  # the names in it are none
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
    """Yield *value* as it may be written in addresses, JSON, HTML, source code and headers."""
    yield value
    lone = "surrogatepass"  # from an environment that is no UTF-8
    plain_spaces = quote(value, safe=" +", errors=lone)  # as SQLAlchemy writes addresses
    for quoted in (quote(value, safe="", errors=lone), quote(value, errors=lone), quote_plus(value, errors=lone), plain_spaces):
        yield quoted
        yield re.sub(r"%[0-9A-F]{2}", lambda code: code.group().lower(), quoted)
    escaped = json.dumps(value)[1:-1]
    yield from (escaped, escaped.replace("/", "\\/"), json.dumps(value, ensure_ascii=False)[1:-1])
    yield from (html.escape(value), repr(value)[1:-1])
    if len(value) >= HEAD_CHARS:
        yield from _in_base64(value.encode("utf-8", "surrogatepass"))


def _in_base64(secret: bytes) -> Iterator[str]:
    """Yield the letters of base64 that depend on *secret* alone, for each place it can have in a group of three bytes."""
    for before in range(3):
        first, last = -(-before * 8 // 6), (before + len(secret)) * 8 // 6
        letters = base64.b64encode(bytes(before) + secret).decode()[first:last]
        yield letters
        yield letters.replace("+", "-").replace("/", "_")


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _redact_text(value: object) -> object:
    return redact(value) if isinstance(value, str) else value


class _CleanRecord(logging.LogRecord):
    """A log record without secrets in its message, arguments, exception and stack."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.msg = _redact_text(self.msg)
        # Handlers that read the arguments themselves, as the access log of uvicorn does, find them in their places.
        if isinstance(self.args, tuple):
            self.args = tuple(_redact_text(value) for value in self.args)
        elif isinstance(self.args, Mapping):
            self.args = {name: _redact_text(value) for name, value in self.args.items()}
        if self.stack_info:
            self.stack_info = redact(self.stack_info)
        if self.exc_info:
            text = _formatter.formatException(self.exc_info)
            clean = redact(text)
            if clean != text:
                self.exc_text, self.exc_info = clean, None

    def getMessage(self) -> str:  # noqa: N802 - the name logging gave it
        """Return the message; arguments that are no texts, such as addresses, may hold a secret only now."""
        return redact(super().getMessage())


class _CleanHook:
    """Prints the traceback that ends the program, or a thread, without secrets."""

    def __init__(self, before: Callable[..., object]) -> None:
        self._before = before

    def __call__(self, *ended: Any) -> None:
        kind, error, trace = ended if len(ended) == 3 else ended[0][:3]  # a thread's are the fields of one argument
        if error is None or not _print_clean(kind, error, trace):
            self._before(*ended)


def _print_clean(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> bool:
    """Print the traceback if it held a secret, and tell whether it did."""
    text = "".join(traceback.format_exception(kind, error, trace))
    clean = redact(text)
    if clean == text or sys.stderr is None:
        return clean != text
    sys.stderr.write(clean)
    return True
