"""The nouns that cross room borders, all frozen."""

from search_core.domain.answer import (
    AnswerDone,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    FallbackDecided,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    QuestionHeard,
    StancesCompared,
    TranscriptPassage,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from search_core.domain.conversation import AnswerRecord, Conversation, ConversationEntry, Message, MessageKind, MessageState
from search_core.domain.event import SearchEvent
from search_core.domain.intent import Reference, ReferenceKind, SearchIntent, SearchType
from search_core.domain.memory import ConversationMemory, Turn
from search_core.domain.query import ConstructedQuery, PartOrigin, QueryPart
from search_core.domain.ranking import DEFAULT_THRESHOLD, RankingOptions, RankingWeights
from search_core.domain.reply import KeptReply, ProviderReply
from search_core.domain.report import Degradation, DegradedPart, Question, SearchOptions, SearchReport
from search_core.domain.result import Moment, ScoreParts, SearchResult
from search_core.domain.stance import Comparison, Stance, StanceRow, Statement
from search_core.domain.status import SearchStatus

__all__ = [
    "DEFAULT_THRESHOLD",
    "AnswerDone",
    "AnswerEvent",
    "AnswerFinished",
    "AnswerOrigin",
    "AnswerPart",
    "AnswerRecord",
    "AnswerToken",
    "Comparison",
    "ConstructedQuery",
    "Conversation",
    "ConversationEntry",
    "ConversationMemory",
    "Degradation",
    "DegradedPart",
    "FallbackDecided",
    "KeptReply",
    "Message",
    "MessageKind",
    "MessageState",
    "Moment",
    "PageOutcome",
    "PagesRead",
    "PartOrigin",
    "PassagesChosen",
    "ProviderReply",
    "QueryPart",
    "Question",
    "QuestionHeard",
    "RankingOptions",
    "RankingWeights",
    "Reference",
    "ReferenceKind",
    "ScoreParts",
    "SearchEvent",
    "SearchIntent",
    "SearchOptions",
    "SearchReport",
    "SearchResult",
    "SearchStatus",
    "SearchType",
    "Stance",
    "StanceRow",
    "StancesCompared",
    "Statement",
    "TranscriptPassage",
    "Turn",
    "WebAnswerFailed",
    "WebAnswerFinished",
    "WebFailure",
    "WebSearching",
    "WebSource",
    "WebSourcesFound",
]
