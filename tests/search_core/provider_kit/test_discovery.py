"""Discovery: the files of a folder are the catalogue, and a wrong file stops the start."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from search_core.provider_kit.discovery import discover

ONE = """
from search_core.provider_kit import SearchProvider
class {kind}(SearchProvider):
    name = "{name}"
    label = "x"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    package = tmp_path / "made_up_providers"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield package
    for name in [name for name in sys.modules if name.startswith("made_up_providers")]:
        del sys.modules[name]


def package() -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module("made_up_providers")


def test_a_file_more_is_a_provider_more(folder: Path):
    """Nothing but the file is needed."""
    (folder / "first.py").write_text(ONE.format(kind="First", name="first"))
    (folder / "second.py").write_text(ONE.format(kind="Second", name="second"))
    assert {name: kind.__name__ for name, kind in discover(package()).items()} == {"first": "First", "second": "Second"}


def test_a_name_unlike_the_file_is_an_error(folder: Path):
    """The name in the class and the name of the file are one."""
    (folder / "first.py").write_text(ONE.format(kind="First", name="other"))
    with pytest.raises(ValueError, match="'first'"):
        discover(package())


@pytest.mark.parametrize("source", ["X = 1", ONE.format(kind="A", name="first") + ONE.format(kind="B", name="first")])
def test_a_file_without_exactly_one_provider_is_an_error(folder: Path, source: str):
    """None and two are both wrong; an imported provider does not count."""
    (folder / "first.py").write_text(source)
    with pytest.raises(TypeError, match="exactly one"):
        discover(package())
