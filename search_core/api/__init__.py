"""HTTP routes beside the pages: is it alive, numbers for the monitoring, and the API under ``/api``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute, Mount, Route

from search_core.api.allowed_hosts import AllowedHosts
from search_core.api.connections import watch_connections
from search_core.api.late import LazyApp
from search_core.api.monitoring import monitoring_routes
from search_core.api.rules import StreamRules
from search_core.api.stopping import Stopping

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from search_core.core import SearchCore

__all__ = ["ROOT", "AllowedHosts", "Stopping", "StreamRules", "routes", "watch_connections"]

ROOT = "/api"


def routes(core: Callable[[], SearchCore], rules: StreamRules) -> list[BaseRoute]:
    """Return all routes; *core* gives the one search core of the process and may take its time or raise SettingsError."""

    def make() -> ASGIApp:
        from search_core.api.create_api import create_api  # takes the language tools with it: not before the first paint

        return create_api(core, rules)

    api = LazyApp(make)
    return [*monitoring_routes(core), Route(ROOT, api), Mount(ROOT, app=api)]
