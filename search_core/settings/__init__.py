"""What a deployer can change."""

from search_core.settings.lists import host_names
from search_core.settings.settings import Settings

__all__ = ["Settings", "host_names"]
