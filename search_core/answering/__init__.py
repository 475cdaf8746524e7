"""Answers about a video: from its transcript, from the web, and whether one is an answer at all."""

from search_core.answering.citations import CitationRegistry, NoSourcesError
from search_core.answering.decision import FallbackDecision, FallbackReason
from search_core.answering.event_stream import EventStream
from search_core.answering.fallback_detector import FallbackDetector
from search_core.answering.flow import AnswerFlow
from search_core.answering.online_check import CheckRequest, OnlineCheck
from search_core.answering.question_scorer import QuestionScorer
from search_core.stance import stance_table
