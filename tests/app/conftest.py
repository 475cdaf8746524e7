"""A visitor of the pages in AppTest, over a core whose world fits in one file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.shared import services
from tests.app.core_double import CoreDouble

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """Put back the module that was run: AppTest leaves its script there, and new processes would run that once more."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


class Visit:
    """One visitor of the pages, who begins on the first page or on another ``page``."""

    def __init__(self, core: CoreDouble, params: dict[str, str], page: str = "") -> None:
        self.core = core
        self.at = AppTest.from_file(str(APP), default_timeout=30)
        if page:
            self.at.switch_page(f"pages/{page}.py")
        for name, value in params.items():
            self.at.query_params[name] = value
        self.look()

    def look(self) -> AppTest:
        """Run the page, and fail on anything that ended in a traceback."""
        self.at.run()
        assert not self.at.exception, [problem.value for problem in self.at.exception]
        return self.at

    def open(self, page: str) -> AppTest:
        self.at.switch_page(f"pages/{page}.py")
        return self.look()

    def button(self, key: str):
        return self.at.button(key=key)

    def has_button(self, key: str) -> bool:
        return any(button.key == key for button in self.at.button)

    def keys(self, start: str = "") -> list[str]:
        """Return the keys of the buttons that begin with *start*, in the order of the page."""
        return [str(button.key) for button in self.at.button if str(button.key).startswith(start)]

    def click(self, key: str) -> AppTest:
        self.button(key).click()
        return self.look()

    def set(self, kind: str, key: str, value: object) -> AppTest:
        getattr(self.at, kind)(key=key).set_value(value)
        return self.look()

    def enter(self, key: str, text: str) -> AppTest:
        return self.set("text_input", key, text)

    def fold(self, key: str) -> AppTest:
        self.at.session_state[key] = True
        return self.look()

    def turn_to(self, tab: str) -> AppTest:
        """Open a tab of the video: ``thread`` or ``claims``."""
        self.at.get_by_key("work-tab").set_value(tab)
        return self.look()

    def open_sample(self) -> AppTest:
        return self.click("open-sample-0")

    def open_address(self, url: str = "https://www.youtube.com/watch?v=dQw4w9WgXcQ") -> AppTest:
        return self.ask(url)

    def upload(self, *files: tuple[str, bytes], text: str = "") -> AppTest:
        for name, data in files:
            self.at.chat_input[0].upload(name, data)
        if text:
            self.at.chat_input[0].set_value(text)
        return self.look()

    def ask(self, text: str = "대역폭은요?") -> AppTest:
        self.at.chat_input[0].set_value(text)
        return self.look()

    @property
    def draft(self) -> str:
        """Return what the page has put into the box."""
        return self.at.chat_input[0].proto.value

    @property
    def session(self) -> Any:
        return self.at.session_state["page-session"]

    def param(self, name: str) -> str:
        """Return a value of the page's address; empty where it has none."""
        value = self.at.query_params.get(name, "")
        return value if isinstance(value, str) else value[0]

    def markdown(self) -> str:
        """Return the Markdown of the page as it is, backslashes included."""
        return "\n".join(str(element.value) for element in self.at.markdown)

    def errors(self) -> str:
        return "\n".join(str(box.value) for box in self.at.error).replace("\\", "")

    def folds(self) -> list[str]:
        return [fold.label for fold in self.at.expander]

    def texts(self) -> str:
        """Return all that is written on the page, Markdown marks included, backslashes taken out."""
        kinds = (self.at.markdown, self.at.caption, self.at.text, self.at.error, self.at.warning, self.at.info)
        written = [str(element.value) for elements in kinds for element in elements]
        written += [f"{tile.label} {tile.value}" for tile in self.at.metric]
        written += [button.label for button in self.at.button] + self.folds()
        return "\n".join(written).replace("\\", "")


@pytest.fixture
def visit():
    """Return a function that opens a page: in a world of its own, or over *core*; with a sample video where *video* is set."""

    def open_page(
        world: str = "found",
        count: int = 12,
        *,
        page: str = "",
        video: bool = False,
        core: Any = None,
        kind: type[Visit] = Visit,
        **params: str,
    ) -> Visit:
        core = CoreDouble(world, count) if core is None else core
        services.provide(lambda: core)
        here = kind(core, params, page)
        if video:
            here.open_sample()
        return here

    yield open_page
    services.provide(services.from_settings)


OpenPage = Callable[..., Visit]
