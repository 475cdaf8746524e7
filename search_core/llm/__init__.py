"""Language models behind endpoints that speak OpenAI's chat completions and audio, and what of their words can be shown."""

from search_core.llm.chat import ChatMessage
from search_core.llm.openai_compatible import OpenAICompatible

__all__ = ["ChatMessage", "OpenAICompatible"]
