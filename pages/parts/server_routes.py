"""Routes of the server beside the pages."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pages.parts import services
from search_core import api
from search_core.errors import SettingsError

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

logger = logging.getLogger(__name__)

STOPPING = api.Stopping()
"""Tells open streams that the server ends."""


def routes() -> list[BaseRoute]:
    """Return the routes for machines; what is unknown under /api is a 404, where Streamlit would answer with its page."""
    return api.routes(services.core, api.StreamRules(stopping=STOPPING))


def listed_hosts() -> tuple[str, ...]:
    """Return the names of ALLOWED_HOSTS; none where the settings cannot be used, and the log says so."""
    from search_core.settings import Settings, host_names  # not before the first paint, on this machine not at all

    try:
        return host_names(Settings.from_env(services.secrets()).allowed_hosts)
    except SettingsError as error:
        logger.error("%s", error)
        return ()
