"""``mcp``: the tools for agents over standard input and output, started by MCP clients."""

from __future__ import annotations

import argparse
import logging
from contextlib import closing

from search_core.core import SearchCore
from search_core.errors import MaekrakError
from search_core.settings import Settings

logger = logging.getLogger(__name__)


def run(_: argparse.Namespace, settings: Settings) -> int:
    """Serve until the end of standard input, SIGTERM or an interrupt; running research continues at the next start."""
    from search_core.agents.server import serve_stdio  # the protocol takes a second to import, which no other command needs

    with closing(SearchCore.from_settings(settings)) as core:
        serve_stdio(core, lambda: _get_ready(core))
    return 0


def _get_ready(core: SearchCore) -> None:
    """Load what is slow, and resume research that an ended process left."""
    core.warm_up()
    try:
        core.research.open()
    except MaekrakError as error:
        logger.error("Research is not ready: %s", error)  # said again to whoever asks for it
