"""Which providers there are, which of them a set of settings gives, and what of the settings is part of their cache keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from search_core.errors import SettingsError
from search_core.providers import build, provider_class, provider_names
from search_core.settings import Settings
from tests.search_core.providers.provider_calls import ScriptedLibrary, provider_of

PROXY = "https://me:geheim@proxy.example/api"
SHOWN = "https://proxy.example/api"


def test_the_default_settings_build_every_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Nothing needs to be configured; what is not set up says so, white space is no key; a setting chooses and orders."""
    monkeypatch.setattr("search_core.providers.kit.playwright.INSTALLED_CLI", tmp_path / "cli.js")
    providers = build(Settings(tavily_api_key="  "), ScriptedLibrary)
    assert set(providers) == set(provider_names())
    assert list(providers)[:2] == ["library", "wikipedia"]
    assert list(providers)[-1] == "browser"
    assert [name for name, provider in providers.items() if provider.is_available()] == ["wikipedia", "duckduckgo"]
    assert list(build(Settings(search_providers="duckduckgo;wikipedia"), ScriptedLibrary)) == ["duckduckgo", "wikipedia"]


def test_a_name_that_is_unknown_or_named_twice_stops_the_start():
    """A typing error is never a silent default, and one provider in two tiers is a mistake."""
    with pytest.raises(SettingsError, match=r"'wikpedia'.*known are") as caught:
        build(Settings(search_providers="wikpedia,library"), ScriptedLibrary)
    assert all(name in str(caught.value) and name in caught.value.korean for name in provider_names())
    with pytest.raises(SettingsError, match="more than once"):
        build(Settings(search_providers="library;wikipedia,library"), ScriptedLibrary)


@pytest.mark.parametrize(
    ("name", "settings", "key"),
    [
        ("brave", {"brave_base_url": PROXY}, {"base_url": SHOWN}),
        ("google", {"google_custom_search_base_url": PROXY}, {"base_url": SHOWN, "engine": "e"}),
        ("naver", {"naver_base_url": PROXY}, {"base_url": SHOWN}),
        ("searxng", {"searxng_url": PROXY}, {"base_url": SHOWN}),
        ("tavily", {"tavily_base_url": f"{PROXY}/"}, {"base_url": SHOWN}),
    ],
)  # fmt: skip
def test_the_cache_key_holds_what_changes_the_answer_and_no_secret(name: str, settings: dict[str, str], key: dict[str, str]):
    """Address and engine make another answer; key and password of the address stay out."""
    keys = {"google_custom_search_api_key": "geheim", "google_custom_search_engine_id": "e", "tavily_api_key": "geheim"}
    assert provider_of(name, {**keys, **settings}).cache_key() == key


@pytest.mark.parametrize("wrong", [{"ddgs_proxy": "http://"}, {"proxy_ca_file": "/no/such/file.pem"}])
def test_a_value_that_cannot_be_used_stops_the_start(wrong: dict[str, str]):
    """A wrong proxy or file is a settings error that names the setting, never a silent default."""
    with pytest.raises(SettingsError, match="DDGS_"):
        provider_of("duckduckgo", wrong)


def test_terms_that_forbid_storing_are_kept():
    """Answers of Brave and Naver are never written to disk, and those of the library are not cached at all."""
    kinds = {name: provider_class(name) for name in provider_names()}
    assert {name for name, kind in kinds.items() if not kind.storable} == {"brave", "naver"}
    assert [name for name, kind in kinds.items() if not kind.cacheable] == ["library"]
