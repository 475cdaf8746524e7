"""The one place where protocols meet concrete things."""

from search_core.wiring.chat import LateChat
from search_core.wiring.house import House, build_house, chosen_options
from search_core.wiring.options import default_options
from search_core.wiring.research import LateResearch

__all__ = ["House", "LateChat", "LateResearch", "build_house", "chosen_options", "default_options"]
