"""Secrets are found by their value, plain and percent-encoded, and never reach a log line."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uvicorn.logging import AccessFormatter

from search_core.language import redaction
from search_core.language.redaction import CHATTY, Redactor, install, redact, secrets_of
from search_core.settings import Settings

KEY = 'tvly-q7/Wz+"9pL=kR한글4x'


def knowing(*values: str) -> Redactor:
    redactor = Redactor()
    redactor.learn(values)
    return redactor


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a handler of this test's own writes, one that nobody has prepared."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logging.Formatter("%(name)s %(message)s"))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.mark.parametrize(
    "written",
    [KEY, quote(KEY, safe=""), quote(KEY), quote_plus(KEY), quote(KEY, safe=" +")],
    ids=["plain", "percent", "path", "form", "SQLAlchemy"],
)
def test_a_secret_is_found_plain_and_percent_encoded(written: str):
    """As it is and as libraries encode it in addresses, the value is blanked and the rest kept."""
    assert knowing(KEY)(f"GET /x?key={written}&q=1") == "GET /x?key=***&q=1"


@pytest.mark.parametrize(
    ("secrets", "text", "clean"),
    [
        (("tvly-dev-AAAA", "tvly-dev-AAAABBBB"), "tvly-dev-AAAABBBB, tvly-dev-AAAA!", "***, ***!"),
        (("canary-key", "sk-canary-key-99"), "a sk-canary-key-99 b", "a *** b"),
        (("mars", "abc"), "redis://:mars@host marsh mars abc", "redis://:***@host marsh *** abc"),
    ],
)
def test_alike_and_short_secrets_are_found(secrets: tuple[str, ...], text: str, clean: str):
    """Of two keys, one inside the other, no tail is left; a short one is found as a word alone, under four letters never."""
    assert knowing(*secrets)(text) == clean


@settings(max_examples=40)
@given(st.text(st.characters(exclude_characters="*", codec="utf-8"), min_size=12), st.text(), st.text())
def test_no_surrounding_keeps_a_secret(secret: str, before: str, after: str):
    """For any secret of twelve characters and any text around it, the result does not hold it."""
    text = knowing(secret)(before + secret + after)
    assert secret not in text or secret in before + after


def test_the_secrets_of_settings_are_all_found():
    """Keys, the Naver pair, and passwords inside the Redis address, a proxy and a base address; nothing public."""
    given_settings = Settings(
        tavily_api_key="canary-tavily",
        naver_client_id="canary-naver-id",
        naver_client_secret="canary-naver-secret",
        brave_search_api_key="canary-brave",
        redis_url="redis://:canary%2Fredis@127.0.0.1:6379/0?password=canary-query",
        ddgs_proxy="http://someone:canary-proxy@127.0.0.1:1",
        searxng_url="https://canary-token@searx.example",
        google_custom_search_engine_id="public-engine",
    )
    assert {value for value in secrets_of(given_settings) if value} == {
        "canary-tavily",
        "canary-naver-id",
        "canary-naver-secret",
        "canary-brave",
        "canary%2Fredis",
        "canary/redis",
        "canary-query",
        "canary-proxy",
        "canary-token",
    }
    assert not any(secrets_of(Settings()))


def test_the_passwords_and_tokens_of_lists_and_addresses_are_secrets():
    """Of DATABASE_URL the password is secret, before the host or among the options; of API_TOKENS each token; no name is."""
    addresses = {
        "postgresql://postgres:canary%2Fpg@db.example/maekrak?sslpassword=canary-tls": {"canary%2Fpg", "canary/pg", "canary-tls"},
        "postgresql://postgres@/maekrak?host=/run/postgresql&password=canary-asked": {"canary-asked"},
    }
    for address, secrets in addresses.items():
        assert {value for value in secrets_of(Settings(database_url=address)) if value} == secrets
    tokens = secrets_of(Settings(api_tokens="news-desk:canary-token-00001, night-shift:canary-token-00002"))
    assert knowing(*tokens)("Bearer canary-token-00002 of night-shift") == "Bearer *** of night-shift"


def test_messages_arguments_and_exceptions_are_clean(log: io.StringIO):
    """Whatever part of a record holds a secret, an unprepared handler writes none; other text is written as it was."""
    install(Settings(tavily_api_key="canary-log-key-1", redis_url="redis://:canary-log-pass@127.0.0.1:1"))
    logger = logging.getLogger("some.library")
    logger.info("plain canary-log-key-1")
    logger.info("as argument %s and %r", "canary-log-key-1", {"key": "canary-log-key-1"})
    logger.info("by name %(key)s", {"key": "canary-log-key-1"})
    logger.info("as address %s", httpx.URL("https://example.org/?key=canary-log-key-1"))
    logger.info("split %s%s", "canary-", "log-key-1")
    try:
        try:
            raise ValueError("redis://:canary-log-pass@127.0.0.1:1")
        except ValueError as error:
            raise RuntimeError("key canary-log-key-1") from error
    except RuntimeError:
        logger.exception("failed")
    text = log.getvalue()
    assert "canary-log" not in text
    assert text.splitlines()[:6] == [
        "some.library plain ***",
        "some.library as argument *** and {'key': '***'}",
        "some.library by name ***",
        "some.library as address https://example.org/?key=***",
        "some.library split ***",
        "some.library failed",
    ]
    assert "Traceback (most recent call last)" in text
    assert "ValueError: redis://:***@127.0.0.1:1" in text
    assert "RuntimeError: key ***" in text


def test_arguments_keep_their_places(log: io.StringIO):
    """Uvicorn's access log formats its five arguments by itself; they are clean, and still five."""
    install(Settings(brave_search_api_key="canary-brave-key"))
    told = ("127.0.0.1:1", "GET", "/metrics?token=canary-brave-key", "1.1", 200)
    message = '%s - "%s %s HTTP/%s" %d'
    record = logging.getLogger("uvicorn.access").makeRecord("uvicorn.access", logging.INFO, "x.py", 1, message, told, None)
    line = AccessFormatter('%(client_addr)s "%(request_line)s" %(status_code)s', use_colors=False).format(record)
    assert line == '127.0.0.1:1 "GET /metrics?token=*** HTTP/1.1" 200 OK'


def test_a_rotated_key_stays_out_of_the_log(log: io.StringIO):
    """After a change of settings both the old and the new value are blanked; installing twice changes nothing more."""
    install(Settings(brave_search_api_key="canary-brave-before"))
    install(Settings(brave_search_api_key="canary-brave-after"))
    install(Settings(brave_search_api_key="canary-brave-after"))
    logging.getLogger("x").warning("canary-brave-before canary-brave-after")
    assert log.getvalue() == "x *** ***\n"
    assert redact("canary-brave-before") == "***"


def test_talkative_libraries_are_quiet():
    """No library logs the addresses it is sent to."""
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.DEBUG)
    redaction.quiet_libraries()
    assert not any(logging.getLogger(name).isEnabledFor(logging.INFO) for name in CHATTY)
