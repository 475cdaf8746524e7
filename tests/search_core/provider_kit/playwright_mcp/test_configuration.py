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
    origin,
    origins,
)
from search_core.provider_kit.playwright_mcp.parts import FoundParts

FOUND = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium", screen={"DISPLAY": ":1"})
LAUNCH = Launch(parts=FOUND, address="https://html.duckduckgo.com/html/", timeout_s=15.0, headless=False)


@pytest.mark.parametrize(
    ("address", "rules", "allowed"),
    [
        (
            "https://html.duckduckgo.com/html/",
            "MAP html.duckduckgo.com:443 html.duckduckgo.com:443 , MAP * ~NOTFOUND",
            ["https://html.duckduckgo.com"],
        ),
        (
            "https://duckduckgo.com/?kl=kr-kr",
            "EXCLUDE *.duckduckgo.com , MAP duckduckgo.com:443 duckduckgo.com:443 , MAP * ~NOTFOUND",
            ["https://duckduckgo.com", "https://*.duckduckgo.com"],
        ),
        (
            "http://a.localhost:8080/",
            "EXCLUDE *.a.localhost , MAP a.localhost:8080 a.localhost:8080 , MAP * ~NOTFOUND",
            ["http://a.localhost:8080", "http://*.a.localhost:8080"],
        ),
        ("http://127.0.0.1:8080/html/", "MAP 127.0.0.1:8080 127.0.0.1:8080 , MAP * ~NOTFOUND", ["http://127.0.0.1:8080"]),
        ("http://[::1]:8080/", "MAP [::1]:8080 [::1]:8080 , MAP * ~NOTFOUND", ["http://[::1]:8080"]),
        ("http://localhost/", "MAP localhost:80 localhost:80 , MAP * ~NOTFOUND", ["http://localhost"]),
    ],
)
def test_only_the_search_page_has_an_address(address: str, rules: str, allowed: list[str]):
    """One host and port are reachable; the hosts below a bare domain are, too."""
    assert host_rules(address) == rules
    assert origins(address) == allowed


def test_an_origin_is_written_as_browsers_do():
    """Lower case, and without the port that goes without saying."""
    assert origin("HTTPS://Html.DuckDuckGo.com:443/html/") == "https://html.duckduckgo.com"
    assert origin("http://example.org:443/") == "http://example.org:443"


def test_the_folder_of_a_session_is_private_and_goes_with_it():
    """The configuration is in a folder that no other user can read; all its processes put their files there."""
    with RunFolder(LAUNCH) as folder:
        assert folder.path.name.startswith(FOLDER_PREFIX)
        assert folder.path.stat().st_mode & 0o777 == 0o700
        assert folder.arguments[:2] == ["/opt/cli.js", "--config"]
        assert folder.environment["TMPDIR"] == str(folder.path)
        assert folder.environment["DISPLAY"] == ":1"
        written = json.loads(Path(folder.arguments[2]).read_text(encoding="utf-8"))
        assert written["browser"]["isolated"] is True
        assert written["browser"]["launchOptions"]["headless"] is False
        assert written["browser"]["launchOptions"]["timeout"] == 15_000
        assert written["browser"]["launchOptions"]["chromiumSandbox"] is (os.geteuid() != 0)
        assert Path(written["browser"]["initScript"][0]).is_file()
        folder.log.write_text("noise\n" * 2_000 + "last\nwords\n", encoding="utf-8")
        assert folder.last_words().endswith("noise last words")
        assert len(folder.last_words()) == 300
    assert not folder.path.exists()


def test_the_folder_is_near_the_root_though_temporary_files_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Paths of sockets are short, so a deep temporary folder is not used."""
    deep = tmp_path / ("deep" * 20)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with RunFolder(LAUNCH) as folder:
        assert len(str(folder.path.parent)) <= MAX_TEMP_CHARS
