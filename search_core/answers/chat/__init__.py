"""Conversations about a video: asking, checking online, following, stopping and storing answers."""

from search_core.answers.chat.chat import Chat, ChatParts, start_answer
from search_core.answers.chat.job import (
    AlreadyCheckedError,
    AnswerJob,
    ConversationBusyError,
    MessageNotFoundError,
    TooManyAnswersError,
)
from search_core.answers.chat.memory import memory_of
