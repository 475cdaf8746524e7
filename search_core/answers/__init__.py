"""Answers about a video, from its transcript or the web, and the detection of answers that are none."""

from search_core.answers.citations import CitationRegistry, NoSourcesError
from search_core.answers.fallback_cues import FallbackReason
from search_core.answers.fallback_detector import FallbackDecision, FallbackDetector
from search_core.answers.flow import AnswerFlow
from search_core.answers.question_scorer import QuestionScorer
