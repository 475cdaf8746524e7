"""Prose and names that list code say what the code says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import search_core
from search_core.api.create_api import build_api
from search_core.package import VERSION
from search_core.providers.kit.http import user_agent
from search_core.reading.fetch import USER_AGENT
from search_core.settings import Settings
from tests.house.write_settings import PAGE, START, env_example, replace_table

ROOT = Path(__file__).parents[2]


def test_env_example_lists_every_setting_as_it_is():
    """``.env.example`` holds each setting with its default and meaning; ``make docs`` writes it anew."""
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == env_example()


def test_settings_page_lists_every_setting_as_it_is():
    """The table of docs/settings.md is the one the code gives; ``make docs`` writes it anew."""
    text = PAGE.read_text(encoding="utf-8")
    assert START in text
    assert text == replace_table(text)


def test_secrets_example_names_real_settings_only():
    """Each name in ``secrets.toml.example`` is a setting."""
    names = tomllib.loads((ROOT / ".streamlit/secrets.toml.example").read_text(encoding="utf-8"))
    assert {name.lower() for name in names} <= set(Settings.model_fields)


def test_architecture_names_every_room():
    """ARCHITECTURE.md has a line for each folder of the core."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {path.parent.name for path in (ROOT / "search_core").glob("*/__init__.py")}
    assert {room for room in rooms if f"`{room}/`" not in text} == set()


def test_each_public_name_leads_to_its_class():
    """Every name of ``__all__`` can be taken from the package itself; any other is an attribute error."""
    assert [name for name in search_core.__all__ if getattr(search_core, name).__name__ != name] == []
    with pytest.raises(AttributeError, match="Oracle"):
        _ = search_core.Oracle


def test_one_version_everywhere():
    """The newest version in the changelog is that of the package, the API's description and both user agents."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    newest = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None
    assert newest.group(1) == version == VERSION == build_api(lambda: None).openapi()["info"]["version"]
    assert all(agent.startswith(f"Maekrak/{VERSION} ") for agent in (USER_AGENT, user_agent("")))
