"""Reading what the server's tools say; the texts are those of @playwright/mcp 0.0.83."""

from __future__ import annotations

import pytest

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.playwright_mcp.tab import PageMovedOn, check_result, result_value


def broken_by(said: str, *, tool: str = "browser_navigate", is_error: bool = True) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        check_result(tool, said, is_error=is_error)
    assert caught.value.korean
    return caught.value


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
    error = broken_by(said)
    assert error.status is status
    assert "비밀" not in str(error)
    assert bool(error.advice) is (status is SearchStatus.API_KEY_MISSING)


def test_a_page_that_gives_way_is_no_failure():
    """A script that was interrupted by the next page may be run again there."""
    with pytest.raises(PageMovedOn):
        check_result("browser_evaluate", "### Error\nError: Execution context was destroyed, most likely …", is_error=True)


@pytest.mark.parametrize("said", ["", "### Page\n- x", "### Result\nundefined", "### Result\n", "### Result\n" + "[" * 100_000])
def test_what_is_no_value_is_unreadable(said: str):
    """A script that returned nothing readable is an unreadable answer, not an empty one."""
    with pytest.raises(ProviderError) as caught:
        result_value(said)
    assert caught.value.status is SearchStatus.INVALID_RESPONSE
