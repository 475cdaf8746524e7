"""The one place where protocols meet implementations."""

from search_core.wiring.components import Components, build_components, resolve_options

__all__ = ["Components", "build_components", "resolve_options"]
