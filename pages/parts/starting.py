"""Getting slow parts ready at the start of the server, without standing in the way of the first visitor.

Loading the language tools holds Python's lock for seconds, and the server can send nothing meanwhile. So it begins at once while
nobody is there, and otherwise when the first visitor's page has been painted.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from pages.parts import services
from search_core.errors import MaekrakError, SettingsError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

logger = logging.getLogger(__name__)

QUIET_S = 0.8
"""So long without a visitor, and the slow parts are loaded right away."""
PAINT_S = 15.0
"""Not later than this after the first request, painted or not."""
DELIVERY_S = 0.4
"""What the server needs to hand a painted page over."""

_visited = threading.Event()
_painted = threading.Event()


FOR_MACHINES = ("/healthz", "/metrics", "/api", "/mcp")
"""Who asks for these, or for what is under them, is no visitor."""


class NoticeVisits:
    """Notes that somebody is there; pure ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http" and not f"{scope['path']}/".startswith(tuple(f"{path}/" for path in FOR_MACHINES)):
            _visited.set()
        await self._app(scope, receive, send)


def get_ready() -> None:
    """Build the core and load its slow parts; runs on a thread of its own beside the server."""
    if _visited.wait(QUIET_S) and _painted.wait(PAINT_S):
        time.sleep(DELIVERY_S)
    try:
        core = services.core()
        core.warm_up()
        core.research.open()
    except SettingsError as error:
        logger.error("%s", error)  # the sentence names the setting; each visitor sees it, too
    except MaekrakError as error:
        logger.error("Research is not ready: %s", error)  # said again to whoever asks for it


def note_painted() -> None:
    """Say that a visitor has a page before them."""
    _painted.set()
