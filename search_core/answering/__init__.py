"""Answers of a language model: whether one is an answer at all."""

from search_core.answering.citations import CitationRegistry, CitedAnswer, CitedSentence, NoSourcesError, Source, Support
from search_core.answering.decision import FallbackDecision, FallbackReason
from search_core.answering.fallback_detector import FallbackDetector

__all__ = [
    "CitationRegistry",
    "CitedAnswer",
    "CitedSentence",
    "FallbackDecision",
    "FallbackDetector",
    "FallbackReason",
    "NoSourcesError",
    "Source",
    "Support",
]
