"""Korean summaries of search results, asked for and checked."""

from __future__ import annotations

from search_core.llm.completion import complete
from search_core.llm.endpoint import Endpoint
from search_core.llm.prompt import ChatMessage, messages
from search_core.llm.summary_check import check_summary


async def summarize(endpoint: Endpoint, model: str, result_title: str, snippet: str, source: str) -> str:
    """Return one or two Korean sentences on a search result; see ``OpenAICompatible.summarize``."""
    prompt = messages(result_title, snippet, source)
    answer = await complete(endpoint, model, (ChatMessage("system", prompt.system), ChatMessage("user", prompt.user)))
    return check_summary(answer.text, f"{result_title} {snippet} {source}", prompt.fence)
