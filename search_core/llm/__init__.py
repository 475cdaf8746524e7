"""Language models behind endpoints that speak OpenAI's chat completions and audio, and what of their words can be shown.

The client takes half a second to import, so it is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from search_core.llm.markdown import safe_markdown
from search_core.llm.prompt import ChatMessage

if TYPE_CHECKING:
    from search_core.llm.openai_compatible import OpenAICompatible

__all__ = ["ChatMessage", "OpenAICompatible", "safe_markdown"]


def __getattr__(name: str) -> Any:
    if name == "OpenAICompatible":
        from search_core.llm.openai_compatible import OpenAICompatible

        return OpenAICompatible
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
