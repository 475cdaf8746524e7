"""What a session is set up with."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from search_core.provider_kit.playwright_mcp.configuration import (
    FOLDER_PREFIX,
    MAX_TEMP_CHARS,
    Launch,
    RunFolder,
    host_rules,
    origins,
)
from search_core.provider_kit.playwright_mcp.parts import FoundParts

FOUND = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium", screen={"DISPLAY": ":1"})
LAUNCH = Launch(parts=FOUND, address="https://html.duckduckgo.com/html/", timeout_s=15.0, headless=False)


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
        assert (folder.environment["TMPDIR"], folder.environment["DISPLAY"]) == (str(folder.path), ":1")
        browser = json.loads(Path(folder.arguments[2]).read_text(encoding="utf-8"))["browser"]
        assert browser["isolated"] is True
        options = {name: browser["launchOptions"][name] for name in ("headless", "timeout", "chromiumSandbox")}
        assert options == {"headless": False, "timeout": 15_000, "chromiumSandbox": os.geteuid() != 0}
        folder.log.write_text("noise\n" * 2_000 + "last\nwords\n", encoding="utf-8")
        assert folder.last_words().endswith("noise last words")
        assert len(folder.last_words()) == 300
    assert not folder.path.exists()
