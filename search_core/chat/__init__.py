"""Conversations about a video while they are answered: asking, checking online, following, stopping, and what is kept of it."""

from search_core.chat.chat import Chat
from search_core.chat.errors import AlreadyCheckedError, ConversationBusyError, MessageNotFoundError, TooManyAnswersError
from search_core.chat.job import AnswerJob
from search_core.chat.parts import ChatParts
from search_core.chat.turns import memory_of
