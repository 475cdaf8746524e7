"""Discovery: the files of a folder are the catalogue, and a wrong file stops the start."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from search_core.provider_kit.discovery import discover

ONE = """
from search_core.provider_kit import SearchProvider
class {kind}(SearchProvider):
    name = "{name}"
    label = "x"
"""
FIRST, SECOND = ONE.format(kind="First", name="first"), ONE.format(kind="Second", name="second")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "made_up_providers"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.startswith("made_up_providers")]:
        del sys.modules[name]


def found_in(folder: Path, **sources: str) -> dict[str, type]:
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    importlib.invalidate_caches()
    return discover(importlib.import_module("made_up_providers"))


def test_a_file_more_is_a_provider_more(folder: Path):
    """Nothing but the file is needed."""
    found = found_in(folder, first=FIRST, second=SECOND)
    assert {name: kind.__name__ for name, kind in found.items()} == {"first": "First", "second": "Second"}


@pytest.mark.parametrize(
    ("source", "error", "said"),
    [(SECOND, ValueError, "'first'"), ("X = 1", TypeError, "exactly one"), (FIRST + SECOND, TypeError, "exactly one")],
)
def test_a_file_without_exactly_one_provider_of_its_name_is_an_error(
    folder: Path, source: str, error: type[Exception], said: str
):
    """Another name, none and two are all wrong; an imported provider does not count."""
    with pytest.raises(error, match=said):
        found_in(folder, first=source)
