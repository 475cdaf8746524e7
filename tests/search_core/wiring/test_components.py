"""What the parts of a running Maekrak are set up with."""

from contextlib import closing

import pytest

from search_core.settings import Settings
from search_core.wiring import build_components


@pytest.mark.parametrize(
    ("providers", "browser_ms", "deadline_s", "expected_s"),
    [
        pytest.param("wikipedia,browser", 15_000, 15, 16, id="as long as the deadline"),
        pytest.param("wikipedia,browser", 15_000, 20, 20, id="shorter than the deadline"),
        pytest.param("wikipedia", 15_000, 15, 15, id="a browser not in use"),
    ],
)
def test_a_search_leaves_the_browser_all_of_its_time(tmp_path, providers, browser_ms, deadline_s, expected_s):
    """The deadline of a search is never less than the longest time that a service in use has for itself, and a second."""
    settings = Settings(
        maekrak_data_dir=tmp_path,
        search_providers=providers,
        playwright_timeout=browser_ms,
        web_search_deadline=deadline_s,
    )
    with closing(build_components(settings, once=True)) as components:
        assert components.stages.manager.deadline_s == expected_s


def test_what_is_set_decides_whether_a_language_model_is_asked(tmp_path):
    """Writing wants a model and an address, or a key for the one everybody knows."""
    model, local = {"openai_model": "m"}, {"openai_base_url": "http://127.0.0.1:1/v1"}
    for settings, asked in (
        ({}, False),
        (model, False),
        (local, False),
        (model | local, True),
        (model | {"openai_api_key": "k"}, True),
    ):
        with closing(build_components(Settings(maekrak_data_dir=tmp_path, **settings), once=True)) as components:
            assert (components.model is not None) is asked
