"""Which providers a set of settings gives."""

from __future__ import annotations

import pytest

from search_core.errors import SettingsError
from search_core.providers import build, catalogue
from search_core.settings import Settings
from tests.search_core.providers.asking import EmptyShelf

SHELF = EmptyShelf()


def test_the_default_settings_build_every_provider():
    """Nothing needs to be configured to start; who is not set up says so."""
    providers = build(Settings(playwright_mcp_cli="/nowhere/cli.js"), SHELF)
    assert set(providers) == set(catalogue())
    assert list(providers)[:2] == ["library", "wikipedia"]
    assert list(providers)[-1] == "browser"
    assert [name for name, provider in providers.items() if provider.is_available()] == ["wikipedia", "duckduckgo"]


def test_the_order_and_choice_of_the_setting_hold():
    """Only who is named is built, in the order named, across tiers."""
    assert list(build(Settings(search_providers="duckduckgo;wikipedia"), SHELF)) == ["duckduckgo", "wikipedia"]


def test_an_unknown_name_stops_the_start_and_names_the_known():
    """A typing error is never a silent default."""
    with pytest.raises(SettingsError, match=r"'wikpedia'.*known are") as caught:
        build(Settings(search_providers="wikpedia,library"), SHELF)
    for name in catalogue():
        assert name in str(caught.value)
        assert name in caught.value.korean


def test_a_name_twice_stops_the_start():
    """One provider in two tiers is a mistake."""
    with pytest.raises(SettingsError, match="more than once"):
        build(Settings(search_providers="library;wikipedia,library"), SHELF)
