"""The settings of a deployment."""

from search_core.settings.lists import host_names
from search_core.settings.settings import Settings

__all__ = ["Settings", "host_names"]
