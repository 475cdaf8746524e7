"""Settings as the environment, secrets and a file have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.errors import SettingsError
from search_core.providers import provider_names
from search_core.settings import Settings, host_names


def test_secrets_win_over_the_environment(monkeypatch: pytest.MonkeyPatch):
    """Documented names are read from the environment; a value handed in (st.secrets) is used before it, in any case."""
    monkeypatch.setenv("WEB_SEARCH_TIMEOUT", "3.5")
    monkeypatch.setenv("WEB_SEARCH_CACHE_TTL", "60")
    monkeypatch.setenv("WEB_SEARCH_MAX_RESULTS", "7")
    settings = Settings.from_env()
    assert (settings.web_search_timeout, settings.web_search_cache_ttl, settings.web_search_max_results) == (3.5, 60, 7)
    assert Settings.from_env({"WEB_SEARCH_TIMEOUT": 4, "unrelated": {"x": 1}}).web_search_timeout == 4


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_dotenv_file_is_read_as_windows_saves_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoding: str):
    """Comments and values in Hangul are read, with a mark of UTF-8 in front or without; a file in another encoding is named."""
    file = tmp_path / ".env"
    file.write_bytes("SEARXNG_URL=http://집:8888/  # 여기\r\n# 연락처\r\nWIKIPEDIA_CONTACT=가나\r\n".encode(encoding))
    monkeypatch.setitem(Settings.model_config, "env_file", str(file))
    settings = Settings.from_env()
    assert (settings.searxng_url, settings.wikipedia_contact) == ("http://집:8888", "가나")
    file.write_bytes("A=가\n".encode("cp949"))
    with pytest.raises(SettingsError) as caught:
        Settings.from_env()
    assert str(file) in caught.value.korean


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_SEARCH_TIMEOUT", "soon"),
        ("SEARXNG_URL", "localhost:8888"),
        ("RELEVANCE_THRESHOLD", "55"),
        ("TAVILY_API_KEY", "planted-열쇠"),
        *(("READING_ALLOW_PRIVATE", value) for value in ("intranet", "intranet:70000", "http://intranet:80")),
        *(("READING_ALLOW_PRIVATE", value) for value in ("::1:80", "a@b:80")),
        *(("DATABASE_URL", value) for value in ("mysql://me:planted@host/name", "planted")),
        ("API_TOKENS", "planted-token-0001"),
        ("API_TOKENS", "desk:planted-short"),
        ("API_TOKENS", "desk:planted-token-0001,desk:planted-token-0002"),
        ("API_TOKENS", "desk:planted-token-0001,night:planted-token-0001"),
        ("API_TOKENS", "desk:planted-토큰-00000001"),
        *(("API_RATE_LIMIT", value) for value in ("60", "0/minute", "60/fortnight", "60/minute;5/second")),
        *(("ALLOWED_HOSTS", value) for value in ("a b.example", "http://a.example/path", "user@a.example", "a.*.example", "**")),
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str):
    """A value that cannot be used ends in a SettingsError that names the setting in both languages, and no secret."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=name) as caught:
        Settings.from_env()
    assert name in caught.value.korean
    assert "planted" not in f"{caught.value} {caught.value.korean}"


@pytest.mark.parametrize(
    ("name", "given", "read", "expected"),
    [
        ("search_providers", "library, wikipedia ;duckduckgo,;", "provider_tiers", (("library", "wikipedia"), ("duckduckgo",))),
        ("web_search_exclude_domains", " A.kr, www.b.kr,,a.kr ", "exclude_domains", ("a.kr", "b.kr")),
        ("api_rate_limit", " 5 / Second ", "api_rate_limit", "5/second"),
        (
            "api_tokens",
            " desk : token-0000000001 ,,night:token:0000000002,",
            "tokens",
            {"token-0000000001": "desk", "token:0000000002": "night"},
        ),
        ("api_tokens", "", "tokens", {}),
    ],
)
def test_lists_are_read_as_operators_write_them(name: str, given: str, read: str, expected: object):
    """Blanks, capitals, empty places and doubles are no matter; a comma joins a tier, a semicolon starts the next."""
    assert getattr(Settings(**{name: given}), read) == expected


def test_secrets_are_taken_without_white_space_and_never_printed():
    """Keys, tokens and logins inside addresses are masked; the rest of the addresses is there."""
    settings = Settings(
        tavily_api_key=" tvly-planted\n",
        searxng_url="https://me:planted@searx.example/x",
        ddgs_proxy="socks5://planted@127.0.0.1:9",
        database_url=" postgres://me:planted@host/name\n",
        api_tokens="desk:planted-token-0001",
    )
    assert settings.tavily_api_key.get_secret_value() == "tvly-planted"
    assert settings.database_url.get_secret_value() == "postgres://me:planted@host/name"
    for printed in (repr(settings), str(settings)):
        assert "planted" not in printed
        assert "https://***@searx.example/x" in printed


def test_every_provider_is_asked_by_default():
    """The default order names each provider there is once."""
    named = [name for tier in Settings().provider_tiers for name in tier]
    assert sorted(named) == sorted(provider_names())


def test_private_hosts_are_read_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch):
    """READING_ALLOW_PRIVATE names hosts with ports; a mapping handed in cannot open one."""
    assert Settings.from_env({"READING_ALLOW_PRIVATE": "127.0.0.1:80"}).private_hosts == frozenset()
    monkeypatch.setenv("READING_ALLOW_PRIVATE", "Intranet.example:8080, [::1]:9000")
    settings = Settings.from_env({"reading_allow_private": "127.0.0.1:80"})
    assert settings.private_hosts == {("intranet.example", 8080), ("::1", 9000)}


@pytest.mark.parametrize(
    ("address", "choice", "may"),
    [
        ("http://localhost:11434/v1", "auto", True),
        ("http://[::1]:8000/v1", "auto", True),
        ("http://ollama:11434/v1", "auto", True),
        ("http://10.1.2.3/v1", "auto", True),
        ("https://api.openai.com/v1", "auto", False),
        ("http://[::ffff:8.8.8.8]/v1", "auto", False),
        ("http://localhost@example.com/v1", "auto", False),
        ("https://api.openai.com/v1", "always", True),
        ("http://localhost:11434/v1", "never", False),
    ],
)
def test_own_documents_go_to_a_private_endpoint_unless_said_otherwise(address: str, choice: str, may: bool):
    """Without a word of the operator, documents of the library go to a model on this machine or in a private network only."""
    settings = Settings(openai_base_url=address, openai_own_documents=choice)
    assert settings.may_send_own_documents is may


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ("", ()),
        (" A.example , b.example.:443,", ("a.example", "b.example")),
        ("https://a.example/", ("a.example",)),
        ("*.example.org,*", ("*.example.org", "*")),
        ("app,:80", ("app",)),
    ],
)
def test_names_of_hosts_are_read_as_deployers_write_them(names, found):
    """Scheme, port, letter case and a dot at the end say nothing; an entry that is only a port is left out."""
    assert host_names(Settings(allowed_hosts=names).allowed_hosts) == found
