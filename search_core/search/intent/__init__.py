"""What a question asks for: its kind, its words, and whether it needs the video to be understood."""

from search_core.search.intent.analyzer import QueryIntentAnalyzer, validate_question

__all__ = ["QueryIntentAnalyzer", "validate_question"]
