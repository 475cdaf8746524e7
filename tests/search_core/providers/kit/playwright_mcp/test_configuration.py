"""What a session is set up with."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from search_core.domain.reply import SearchStatus
from search_core.providers.kit.playwright_mcp.configuration import (
    FOLDER_PREFIX,
    MAX_TEMP_CHARS,
    FoundParts,
    Launch,
    Part,
    RunFolder,
    find_parts,
    host_rules,
    origin,
)

FOUND = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium")
LAUNCH = Launch(parts=FOUND, address="https://html.duckduckgo.com/html/", timeout_s=15.0)


@pytest.mark.parametrize(
    ("address", "rules", "allowed"),
    [
        (
            "HTTPS://Html.DuckDuckGo.com:443/html/",
            "MAP html.duckduckgo.com:443 html.duckduckgo.com:443 , MAP * ~NOTFOUND",
            "https://html.duckduckgo.com",
        ),
        ("http://[::1]:8080/", "MAP [::1]:8080 [::1]:8080 , MAP * ~NOTFOUND", "http://[::1]:8080"),
        ("http://localhost/", "MAP localhost:80 localhost:80 , MAP * ~NOTFOUND", "http://localhost"),
    ],
)
def test_only_the_search_page_has_an_address(address: str, rules: str, allowed: str):
    """One host and port are reachable."""
    assert (host_rules(address), origin(address)) == (rules, allowed)


def test_the_folder_of_a_session_is_private_and_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No other user can read it; all processes put their files there; its path is short, as those of sockets have to be."""
    deep = tmp_path / ("deep" * 20)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with RunFolder(LAUNCH) as folder:
        assert folder.path.name.startswith(FOLDER_PREFIX)
        assert len(str(folder.path.parent)) <= MAX_TEMP_CHARS
        assert folder.path.stat().st_mode & 0o777 == 0o700
        assert folder.arguments[:2] == ["/opt/cli.js", "--config"]
        assert folder.environment["TMPDIR"] == str(folder.path)
        browser = json.loads(Path(folder.arguments[2]).read_text(encoding="utf-8"))["browser"]
        assert browser["isolated"] is True
        options = {name: browser["launchOptions"][name] for name in ("headless", "timeout", "chromiumSandbox")}
        assert options == {"headless": True, "timeout": 15_000, "chromiumSandbox": os.geteuid() != 0}
        folder.log.write_text("noise\n" * 2_000 + "last\nwords\n", encoding="utf-8")
        assert folder.last_words().endswith("noise last words")
        assert len(folder.last_words()) == 300
    assert not folder.path.exists()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with node, Chromium and the package, and without a display; its PATH is the folder returned."""
    for name in ("node", "chromium", "cli.js"):
        (tmp_path / name).write_text("", encoding="utf-8")
        (tmp_path / name).chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("search_core.providers.kit.playwright_mcp.configuration.INSTALLED_CLI", tmp_path / "cli.js")
    return tmp_path


@pytest.mark.parametrize(
    ("gone", "part", "advice"),
    [
        ("node", Part.NODE, "Node.js 20"),
        ("cli.js", Part.SERVER, "make browser"),
        ("chromium", Part.CHROMIUM, "Chromium"),
    ],
)
def test_a_missing_part_is_named_with_how_to_get_it(machine: Path, gone: str, part: Part, advice: str):
    """Each part has its own sentence while it is missing, and what is installed meanwhile needs no restart."""
    (machine / gone).rename(machine / "elsewhere")
    assert find_parts() is part
    assert advice in part.advice
    error = part.error()
    assert (error.status, error.advice, part.english in str(error)) == (SearchStatus.API_KEY_MISSING, part.advice, True)
    (machine / "elsewhere").rename(machine / gone)
    found = find_parts()
    assert isinstance(found, FoundParts)
    assert (found.node, found.cli, found.chromium) == tuple(str(machine / name) for name in ("node", "cli.js", "chromium"))
