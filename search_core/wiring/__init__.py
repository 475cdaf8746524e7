"""The one place where protocols meet concrete things."""

from search_core.wiring.chat import LateChat
from search_core.wiring.components import Components, build_components, chosen_options
from search_core.wiring.options import default_options
from search_core.wiring.research import LateResearch

__all__ = ["Components", "LateChat", "LateResearch", "build_components", "chosen_options", "default_options"]
