"""The pauses before second tries are as long as in use: here they are what is looked at."""

import pytest


@pytest.fixture(autouse=True)
def _second_tries_at_once() -> None:
    """Leave the pauses as they are."""
