"""The page in AppTest, over a core whose world fits in one file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import services
from tests.app.core_double import CoreDouble

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """Put back the module that was run: AppTest leaves its script there, and new processes would run that once more."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


class Visit:
    """One visitor at the page."""

    def __init__(self, core: CoreDouble, params: dict[str, str]) -> None:
        self.core = core
        self.at = AppTest.from_file(str(APP), default_timeout=30)
        for name, value in params.items():
            self.at.query_params[name] = value
        self.look()

    def look(self) -> AppTest:
        """Run the page, and fail on anything that ended in a traceback."""
        self.at.run()
        assert not self.at.exception, [problem.value for problem in self.at.exception]
        return self.at

    def button(self, key: str):
        return self.at.button(key=key)

    def has_button(self, key: str) -> bool:
        return any(button.key == key for button in self.at.button)

    def click(self, key: str) -> AppTest:
        self.button(key).click()
        return self.look()

    def open_health(self) -> AppTest:
        self.at.switch_page("pages/health.py")
        return self.look()

    def open_sample(self) -> AppTest:
        return self.click("open-sample-0")

    def ask(self, text: str) -> AppTest:
        self.at.text_input(key="question").set_value(text)
        next(button for button in self.at.button if button.label == "검색").click()
        return self.look()

    def texts(self) -> str:
        """Return all that is written on the page, Markdown marks included, backslashes taken out."""
        kinds = (self.at.markdown, self.at.caption, self.at.text, self.at.error, self.at.warning, self.at.info)
        written = [str(element.value) for elements in kinds for element in elements]
        written += [f"{tile.label} {tile.value}" for tile in self.at.metric]
        written += [button.label for button in self.at.button] + [expander.label for expander in self.at.expander]
        return "\n".join(written).replace("\\", "")


@pytest.fixture
def visit():
    """Return a function that opens the page in a world of its own."""

    def open_page(world: str = "found", count: int = 12, **params: str) -> Visit:
        core = CoreDouble(world, count)
        services.provide(lambda: core)
        return Visit(core, params)

    yield open_page
    services.provide(services.from_settings)


OpenPage = Callable[..., Visit]
