"""The one place where protocols meet concrete things."""

from search_core.wiring.components import Components, build_components, build_embedders, resolve_options
from search_core.wiring.services import build_chat, build_long_runs

__all__ = [
    "Components",
    "build_chat",
    "build_components",
    "build_embedders",
    "build_long_runs",
    "resolve_options",
]
