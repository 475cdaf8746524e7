"""Language models behind OpenAI-compatible endpoints, and which of their words can be shown."""

from search_core.llm.markdown import safe_markdown
from search_core.llm.openai_compatible import OpenAICompatible
from search_core.llm.prompt import ChatMessage

__all__ = ["ChatMessage", "OpenAICompatible", "safe_markdown"]
