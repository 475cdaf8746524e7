"""Language models behind endpoints that speak OpenAI's chat completions."""

from search_core.llm.openai_compatible import OpenAICompatible

__all__ = ["OpenAICompatible"]
