"""The one place where protocols meet concrete things."""

from search_core.wiring.chat import build_chat
from search_core.wiring.components import Components, build_components, build_embedders, resolve_options
from search_core.wiring.long_runs import build_long_runs
from search_core.wiring.options import default_options

__all__ = [
    "Components",
    "build_chat",
    "build_components",
    "build_embedders",
    "build_long_runs",
    "default_options",
    "resolve_options",
]
