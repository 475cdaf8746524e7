"""What the server answers beside the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts import services
from search_core import api

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

STOPPING = api.Stopping()
"""Tells open streams that the server ends."""


def routes() -> list[BaseRoute]:
    """Return the routes for machines; what is unknown under /api is a 404, where Streamlit would answer with its page."""
    return api.routes(services.core, api.StreamRules(stopping=STOPPING))
