"""What a session with a real browser is set up with, and what is read from its tools; the texts are @playwright/mcp 0.0.83's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit import playwright
from search_core.providers.kit.playwright import (
    FoundParts,
    Launch,
    PageMovedOn,
    Part,
    check_result,
    configuration,
    find_parts,
    host_rules,
    origin,
    result_value,
)


@pytest.mark.parametrize(
    ("address", "rules", "allowed"),
    [
        (
            "HTTPS://Html.DuckDuckGo.com:443/html/",
            "MAP html.duckduckgo.com:443 html.duckduckgo.com:443 , MAP * ~NOTFOUND",
            "https://html.duckduckgo.com",
        ),
        ("http://[::1]:8080/", "MAP [::1]:8080 [::1]:8080 , MAP * ~NOTFOUND", "http://[::1]:8080"),
    ],
)
def test_only_the_search_page_has_an_address(address: str, rules: str, allowed: str):
    """One host and port are reachable."""
    assert (host_rules(address), origin(address)) == (rules, allowed)


def test_the_sandbox_is_off_for_root_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Chromium refuses it to root; no session has a profile of an earlier one."""
    parts = FoundParts(node="/bin/node", cli="/opt/cli.js", chromium="/bin/chromium")
    launch = Launch(parts=parts, address="https://html.duckduckgo.com/html/", timeout_s=15.0)
    for user, sandbox in ((1000, True), (0, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        browser = configuration(launch, tmp_path, tmp_path / "quiet.js")["browser"]
        assert (browser["isolated"], browser["launchOptions"]["chromiumSandbox"]) == (True, sandbox)


@pytest.mark.parametrize(
    ("gone", "part", "advice"),
    [("node", Part.NODE, "Node.js 20"), ("cli.js", Part.SERVER, "make browser"), ("chromium", Part.CHROMIUM, "Chromium")],
)
def test_a_missing_part_is_named_with_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str, part: Part, advice: str
):
    """Each part has its own sentence while it is missing, and what is installed meanwhile needs no restart."""
    places = [tmp_path / name for name in ("node", "cli.js", "chromium")]
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(playwright, "INSTALLED_CLI", tmp_path / "cli.js")
    for place in places:
        place.touch(mode=0o700)
    (tmp_path / gone).unlink()
    assert find_parts() is part
    error = part.error()
    assert (error.status, error.advice, advice in part.advice) == (SearchStatus.API_KEY_MISSING, part.advice, True)
    (tmp_path / gone).touch(mode=0o700)
    found = find_parts()
    assert isinstance(found, FoundParts)
    assert (found.node, found.cli, found.chromium) == tuple(map(str, places))


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("### Error\nError: net::ERR_NAME_NOT_RESOLVED at https://x.example/?q=비밀", SearchStatus.NETWORK_ERROR),
        ("### Error\nTimeoutError: page.goto: Timeout 9000ms exceeded.", SearchStatus.TIMEOUT),
        ('### Error\nError: "input[name=q] >> nth=0" does not match any elements.', SearchStatus.INVALID_RESPONSE),
        ("### Error\nError: Target page, context or browser has been closed", SearchStatus.UNKNOWN_ERROR),
        ("### Error\nError: Failed to launch chromium because executable doesn't exist at /x", SearchStatus.API_KEY_MISSING),
        ("### Error\nsomething new about 비밀", SearchStatus.UNKNOWN_ERROR),
    ],
)
def test_every_failure_has_its_status_and_repeats_nothing(said: str, status: SearchStatus):
    """What a tool says of its failure decides the status, and no word of a query gets into the error."""
    with pytest.raises(ProviderError) as caught:
        check_result("browser_navigate", said, is_error=True)
    assert (caught.value.status, "비밀" in str(caught.value)) == (status, False)
    assert bool(caught.value.advice) is (status is SearchStatus.API_KEY_MISSING)


def test_a_page_that_gives_way_is_no_failure():
    """A script that was interrupted by the next page may be run again there."""
    with pytest.raises(PageMovedOn):
        check_result("browser_evaluate", "### Error\nError: Execution context was destroyed, most likely …", is_error=True)


@pytest.mark.parametrize("said", ["### Page\n- x", "### Result\nundefined", "### Result\n" + "[" * 100_000])
def test_what_is_no_value_is_unreadable(said: str):
    """A script that returned nothing readable is an unreadable answer, not an empty one."""
    with pytest.raises(ProviderError) as caught:
        result_value(said)
    assert caught.value.status is SearchStatus.INVALID_RESPONSE
