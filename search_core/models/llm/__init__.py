"""Language models behind OpenAI-compatible endpoints, and which of their words can be shown."""

from search_core.models.llm.markdown import safe_markdown
from search_core.models.llm.openai_compatible import OpenAICompatible
from search_core.models.llm.prompt import ChatMessage

__all__ = ["ChatMessage", "OpenAICompatible", "safe_markdown"]
