"""HTTP routes beside the pages: is it alive, and numbers for the monitoring."""

from search_core.api.monitoring import routes

__all__ = ["routes"]
