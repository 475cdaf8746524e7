"""What a session is set up with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_core.domain.reply import SearchStatus
from search_core.providers.kit.playwright_mcp.configuration import (
    FoundParts,
    Launch,
    Part,
    configuration,
    find_parts,
    host_rules,
    origin,
)

FOUND = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium")


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


def test_the_sandbox_is_off_for_root_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Chromium refuses it to root; no session has a profile of an earlier one."""
    launch = Launch(parts=FOUND, address="https://html.duckduckgo.com/html/", timeout_s=15.0)
    for user, sandbox in ((1000, True), (0, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        browser = configuration(launch, tmp_path, tmp_path / "quiet.js")["browser"]
        assert (browser["isolated"], browser["launchOptions"]["chromiumSandbox"]) == (True, sandbox)


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
