"""Which conversation and which run of research are on the page, and what clicks do to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import streamlit as st

from pages.parts.shared import services
from pages.parts.shared.page_session import page_session
from pages.parts.shared.page_state import PageState, RunPageState
from pages.parts.shared.visitor import owner
from search_core.domain.conversation import Conversation, ConversationEntry, MessageState
from search_core.domain.research import ResearchEntry, ResearchRequest, ResearchRun

if TYPE_CHECKING:
    from search_core.answers.chat.chat import Chat
    from search_core.answers.chat.job import AnswerJob
    from search_core.core import SearchJob
    from search_core.research.service import ResearchService

INPUT_KEY = "chat-input"
PLAN_FIRST_KEY = "plan-first"
UNTITLED = "이름 없는 대화"
SHOWN = 30
"""Messages drawn at once; older ones are shown on a click."""
QUICK_S = 0.35
"""An answer that ends within this is shown at once, without progress in between."""


@dataclass(slots=True)
class ChatPageState(PageState[Conversation, ConversationEntry]):
    """Holds which conversation a visitor has open; lives in the session."""

    PARAM = "chat"
    NAME = "chat"
    NOUN, OBJECT = "대화", "대화를"
    shown: int = SHOWN
    research: bool = False
    """True if the next question is to be answered by research."""

    def load(self, item_id: str) -> Conversation:
        """Return a conversation in its current state."""
        return chat().open(item_id, owner())

    def listed(self) -> tuple[ConversationEntry, ...]:
        """Return the conversations, last changed first."""
        return chat().conversations(owner())

    def remove_of(self, owner: str, item_id: str) -> None:
        """Delete a conversation, with the searches that were made in it."""
        searches = [message.search for message in chat().open(item_id, owner).messages if message.search]
        chat().delete(item_id, owner)
        for search in searches:
            services.core().delete_search(search, owner)

    def reset(self) -> None:
        """Reset what belonged to the earlier conversation and show only the last messages."""
        PageState.reset(self)
        self.shown = SHOWN


chat_page = ChatPageState.current


def chat() -> Chat:
    """Return the conversations of this process."""
    return services.core().chat


def ask(text: str, moment_s: float | None, search: SearchJob) -> bool:
    """Ask a question beside the list of its *search*; return whether it could be sent."""
    return _send(lambda conversation: chat().ask(conversation, owner(), text, moment_s=moment_s, search=search).wait(QUICK_S))


def _send(send: Callable[[str], object]) -> bool:
    """Call *send* with the id of the open or a new conversation (deleted if *send* fails); return whether it worked."""
    from search_core.answers.chat.chat import start_answer  # here already, since the conversations are

    page = chat_page()

    def send_and_open(conversation_id: str) -> None:
        send(conversation_id)
        if conversation_id != page.id:
            page.switch_to(conversation_id)

    if not page.attempt(lambda: start_answer(chat(), owner(), page.id or None, page_session().video, send_and_open)):
        return False
    page.awaited = True
    page.show(page.id)
    return True


def switch_research() -> None:
    """Switch the box between research and conversation; for ``on_click``."""
    chat_page().research = not chat_page().research


def research(conversation: Conversation | None, text: str) -> None:
    """Start research with the turns so far and redraw the page; if it cannot start, put the question back into the box."""
    from search_core.answers.chat.memory import memory_of  # here already, since the conversations are

    memory = memory_of(conversation.messages if conversation is not None else (), asking=text)
    session = page_session()
    session.searches += 1
    session.notice = ""
    request = ResearchRequest(
        question=text,
        video=session.video,
        memory=memory,
        moment_s=session.moment_s,
        owner=owner(),
        plan_first=bool(st.session_state.get(PLAN_FIRST_KEY)),
    )
    if not _send(lambda conversation: services.core().research.start(replace(request, conversation_id=conversation))):
        session.draft = "" if session.notice else text
    st.rerun()


def check(message_id: str) -> None:
    """Check an answer on the web and redraw the page; for ``on_click``."""
    page = chat_page()
    page.awaited = page.attempt(lambda: chat().check(page.id, owner(), message_id))
    st.rerun()


def running(conversation: Conversation | None) -> list[AnswerJob]:
    """Return the answers and checks of the conversation in progress."""
    messages = conversation.messages if conversation is not None else ()
    jobs = (chat().job(message.id) for message in messages if message.state is MessageState.RUNNING)
    return [job for job in jobs if job is not None and not job.done]


def say_if_busy() -> bool:
    """Say on the page that an answer is in progress, if one is, and return whether it is."""
    from search_core.answers.chat.job import ConversationBusyError  # here already, since the conversations are

    page = chat_page()
    page.error = ConversationBusyError().korean if running(page.item) else ""
    return bool(page.error)


def stop() -> None:
    """Stop everything in progress in the conversation; for ``on_click``."""
    for job in running(chat_page().find(chat_page().id)):
        job.cancel()
        job.wait(QUICK_S)


def show_older() -> None:
    """Show more of the messages that came before; for ``on_click``."""
    chat_page().shown += SHOWN


@dataclass(slots=True)
class ResearchPageState(RunPageState[ResearchRun, ResearchEntry]):
    """Holds which run one visitor looks at; lives in the session."""

    PARAM = "run"
    NAME = "research"
    NOUN, OBJECT = "조사", "조사를"
    EXPORTS = ("markdown", "html")
    FINISH_HELP = "더 찾지 않고, 지금까지 찾은 자료로 보고서를 써요."
    STOP_HELP = "바로 멈춰요. 여기까지의 내용은 남아요."

    @property
    def service(self) -> ResearchService:
        """Return the research service of this process."""
        return services.core().research

    def make_file(self, run_id: str, owner: str, name: str) -> bytes:
        """Return a run of *owner* as a file of that format."""
        from search_core.research.export import ResearchFormat, export_run  # loaded by now: the run came through it

        return export_run(self.service.get(run_id, owner), cast(ResearchFormat, name))


research_page = ResearchPageState.current


def research_again(run: ResearchRun) -> None:
    """Repeat a run's question from the beginning, without the cache; for ``on_click``."""
    request = replace(run.request, video=page_session().video, owner=owner(), plan_first=False, fresh=True)
    page = research_page()
    if not request.conversation_id:
        page.start(request)
    elif not page.attempt(lambda: page.service.start(request)):
        st.rerun()  # the reason is drawn outside the card


def agree_to_plan(run_id: str, key: str) -> None:
    """Continue a run that waits with its plan, with the lines in the text box *key*; for ``on_click``."""
    page = research_page()
    texts = [line.strip() for line in st.session_state[key].splitlines() if line.strip()]
    page.attempt(lambda: page.service.agree(run_id, owner(), texts))
