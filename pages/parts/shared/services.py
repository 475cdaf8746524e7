"""The one place where pages get the search core, which is loaded at the start of the server without delaying the first visitor.

Loading blocks the server for seconds, so it begins while there is no visitor, or once the first visitor's page is painted.
"""

from __future__ import annotations

import gc
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from search_core.errors import MaekrakError, SettingsError

if TYPE_CHECKING:
    from search_core.core import SearchCore

logger = logging.getLogger(__name__)

QUIET_S = 0.8
"""Seconds without a visitor before the slow parts are loaded."""
PAINT_S = 15.0
"""Seconds after the first request at which loading begins at the latest, painted or not."""
DELIVERY_S = 0.4
"""Seconds that the server needs to deliver a painted page."""
SWITCH_S = 0.0005
"""How long Python lets a thread run before another gets its lock; short, because sending a page needs the lock many times."""
FOR_MACHINES = ("/healthz", "/metrics", "/api")
"""Requests for these paths, or for paths below them, are not from visitors."""
_visited = threading.Event()
_painted = threading.Event()


def secrets() -> Mapping[str, object]:
    """Return the contents of ``secrets.toml``, or nothing."""
    return st.secrets.to_dict() if st.secrets.load_if_toml_exists() else {}


def from_settings() -> SearchCore:
    """Return a core set up by ``secrets.toml`` and the environment.

    Raises SettingsError for a setting that cannot be used.
    """
    from search_core.core import SearchCore  # loads the language tools: not before the first paint
    from search_core.settings import Settings

    return SearchCore.from_settings(Settings.from_env(secrets()))


_make: Callable[[], SearchCore] = from_settings


@st.cache_resource(show_spinner=False)
def core() -> SearchCore:
    """Return the one search core of this process.

    Raises SettingsError for a setting that cannot be used.
    """
    return _make()


def provide(make: Callable[[], SearchCore]) -> None:
    """Let *make* build the core from now on; for tests and other front ends."""
    global _make
    _make = make
    core.clear()


def close() -> None:
    """Close the core when the server ends."""
    core().close()
    core.clear()


def restart() -> None:
    """Rebuild the core after a changed choice; running work ends, and runs are resumed."""
    close()
    made = core()
    made.warm_up()
    made.research.open()


def note_visit(path: str) -> None:
    """Note a visitor, if a request for *path* comes from one."""
    if not f"{path}/".startswith(tuple(f"{prefix}/" for prefix in FOR_MACHINES)):
        _visited.set()


def get_ready() -> None:
    """Build the core and load its slow parts, on a thread of its own."""
    sys.setswitchinterval(SWITCH_S)
    if _visited.wait(QUIET_S) and _painted.wait(PAINT_S):
        time.sleep(DELIVERY_S)
    try:
        made = core()
        made.warm_up()
        made.research.open()
        _ = made.chat, made.stored_searches  # made now, so that the first visitor does not wait for their parts to be imported
        made.wait_until_warm()
        # What is loaded by now is left out of later garbage collections, which hold up all threads.
        # Garbage among it stays: collecting it now would hold up the first visitors for half a second.
        gc.freeze()
    except SettingsError as error:
        logger.error("%s", error)  # the sentence names the setting; each visitor sees it, too
    except MaekrakError as error:
        logger.error("Research is not ready: %s", error)  # said again to each visitor who asks for it


def note_painted() -> None:
    """Record that a visitor's page has been painted."""
    _painted.set()
