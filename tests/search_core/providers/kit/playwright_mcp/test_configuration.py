"""What a session is set up with."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from search_core.domain import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.playwright_mcp.configuration import (
    FOLDER_PREFIX,
    MAX_TEMP_CHARS,
    FoundParts,
    Launch,
    Part,
    Parts,
    RunFolder,
    host_rules,
    origins,
)

FOUND = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium")
LAUNCH = Launch(parts=FOUND, address="https://html.duckduckgo.com/html/", timeout_s=15.0)


@pytest.mark.parametrize(
    ("address", "rules", "allowed"),
    [
        (
            "HTTPS://Html.DuckDuckGo.com:443/html/",
            "MAP html.duckduckgo.com:443 html.duckduckgo.com:443 , MAP * ~NOTFOUND",
            ["https://html.duckduckgo.com"],
        ),
        (
            "https://duckduckgo.com/?kl=kr-kr",
            "EXCLUDE *.duckduckgo.com , MAP duckduckgo.com:443 duckduckgo.com:443 , MAP * ~NOTFOUND",
            ["https://duckduckgo.com", "https://*.duckduckgo.com"],
        ),
        ("http://[::1]:8080/", "MAP [::1]:8080 [::1]:8080 , MAP * ~NOTFOUND", ["http://[::1]:8080"]),
        ("http://localhost/", "MAP localhost:80 localhost:80 , MAP * ~NOTFOUND", ["http://localhost"]),
    ],
)
def test_only_the_search_page_has_an_address(address: str, rules: str, allowed: list[str]):
    """One host and port are reachable; the hosts below a bare domain are, too."""
    assert host_rules(address) == rules
    assert origins(address) == allowed


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
    """Each missing part has its own sentence, and a search that finds it out says the same."""
    (machine / gone).unlink()
    parts = Parts()
    assert parts.missing() is part
    assert advice in part.advice
    with pytest.raises(ProviderError) as caught:
        parts.found()
    assert caught.value.status is SearchStatus.API_KEY_MISSING
    assert caught.value.advice == part.advice
    assert part.english in str(caught.value)


def test_what_is_installed_meanwhile_needs_no_restart(machine: Path):
    """A part that was missing is found once it is there."""
    (machine / "cli.js").rename(machine / "elsewhere.js")
    parts = Parts()
    assert parts.missing() is Part.SERVER
    (machine / "elsewhere.js").rename(machine / "cli.js")
    assert parts.missing() is None


def test_what_is_on_the_path_is_found(machine: Path):
    """Node, the server and a browser, each by its whole path."""
    found = Parts().found()
    assert (found.node, found.cli, found.chromium) == tuple(str(machine / name) for name in ("node", "cli.js", "chromium"))
