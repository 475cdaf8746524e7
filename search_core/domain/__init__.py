"""The nouns that cross room borders, all frozen."""

from search_core.domain.answer import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerPart,
    AnswerToken,
    FallbackDecided,
    OwnDocument,
    OwnDocumentsFound,
    PageOutcome,
    PagesRead,
    PassagesChosen,
    QuestionTranscribed,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebFailure,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from search_core.domain.claim import (
    Claim,
    ClaimCheck,
    ClaimMoment,
    ClaimOrigin,
    ClaimsBudget,
    ClaimsEnded,
    ClaimsEntry,
    ClaimsEvent,
    ClaimsFailed,
    ClaimsMetrics,
    ClaimSource,
    ClaimsRequest,
    ClaimsRun,
    ClaimsStatus,
    ClaimsStatusChanged,
    ClaimState,
    ClaimUpdated,
    FoundClaims,
)
from search_core.domain.conversation import AnswerRecord, Conversation, ConversationEntry, Message, MessageKind, MessageState
from search_core.domain.query import (
    ConstructedQuery,
    ConversationMemory,
    PartOrigin,
    QueryPart,
    Reference,
    ReferenceKind,
    Referent,
    SearchIntent,
    SearchType,
    Turn,
)
from search_core.domain.ranking import (
    AVERAGED,
    DEFAULT_THRESHOLD,
    SCALING,
    HiddenReason,
    RankingOptions,
    RankingWeights,
    ScoreCalculation,
    WeighedPart,
    calculate_score,
)
from search_core.domain.reply import ProviderReply, SearchEvent, SearchStatus, StoredReply, web_answered
from search_core.domain.report import (
    MAX_QUESTION_CHARS,
    Degradation,
    DegradedPart,
    Label,
    Question,
    SearchOptions,
    SearchReport,
    StoredSearch,
    StoredSearchEntry,
    result_key,
)
from search_core.domain.research import (
    SEARCH_FAILED,
    STOPPED_KOREAN,
    STOPPED_MARKER,
    CoverageKind,
    CoverageLine,
    PlanOrigin,
    ResearchMetrics,
    ResearchRequest,
    ResearchSource,
    ResearchStatus,
    Subtask,
    SubtaskState,
)
from search_core.domain.research_event import (
    ContentChunk,
    PlanMade,
    ReportWritten,
    ResearchEnded,
    ResearchEvent,
    ResearchFailed,
    SourceRead,
    SourcesComplete,
    SourcesUpdated,
    StatusChanged,
    SubtaskPlanned,
)
from search_core.domain.research_run import ResearchEntry, ResearchRun
from search_core.domain.result import SAMPLE_COLLECTION, USER_COLLECTION, Moment, ScoreParts, SearchResult
from search_core.domain.scorer import DownloadState, DownloadStep, LibraryPhase, LibraryState, ScorerPhase, ScorerState
from search_core.domain.stance import Comparison, Judge, JudgingCost, Stance, StanceRow, Statement
from search_core.domain.transcription import (
    Recogniser,
    RecogniserKind,
    RecognizedPiece,
    RecognizedSegment,
    SoundForm,
    Transcription,
    TranscriptionPhase,
    TranscriptionProgress,
    UncertainReason,
    UncertainStretch,
)
from search_core.domain.video import (
    Chapter,
    TranscriptOrigin,
    TranscriptPassage,
    TranscriptSegment,
    VideoContext,
    video_key,
)
