"""Which conversation is on the page, and what clicks on the page do to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from pages.parts import services
from pages.parts.page_session import page_session
from pages.parts.visitor import owner
from search_core.domain import MessageState, ResearchRequest
from search_core.errors import ConversationNotFoundError, MaekrakError

if TYPE_CHECKING:
    from search_core.chat import AnswerJob, Chat
    from search_core.domain import Conversation, ConversationEntry
    from search_core.research import ResearchService

INPUT_KEY = "chat-input"
PARAM = "chat"
SHOWN = 30
"""Messages drawn at once; the rest on a click."""
QUICK_S = 0.35
"""An answer that ends within this is shown at once, without progress in between."""


@dataclass(slots=True)
class ChatPageState:
    """Holds which conversation one visitor looks at; lives in the session."""

    id: str = ""
    """Empty before the first question."""
    serial: int = 0
    """Of the video that is open it belongs to."""
    shown: int = SHOWN
    error: str = ""
    """A Korean sentence about what did not work."""
    draft: str = ""
    """A question that could not be sent, on its way back into the box."""
    dialog: Literal["", "rename", "delete"] = ""
    """What is asked about the conversation; kept here so that an answer that ends meanwhile does not close it."""
    research: bool = False
    """True has the next question answered by research."""
    sounds: dict[str, bytes] = field(default_factory=dict)
    """Answers that were read aloud, by message id."""
    mute: dict[str, str] = field(default_factory=dict)
    """Why an answer could not be read aloud, by message id."""


def chat_page() -> ChatPageState:
    """Return which conversation this visit looks at."""
    if "talk" not in st.session_state:
        st.session_state["talk"] = ChatPageState()
    state: ChatPageState = st.session_state["talk"]
    return state


def chat() -> Chat:
    """Return the conversations of this process."""
    return services.core().chat


def attach() -> Conversation | None:
    """Return the conversation of the address or the session with its video that is open; None before the first question."""
    here, at = page_session(), chat_page()
    wanted = st.query_params.get(PARAM, "")
    if wanted and wanted != at.id:
        at.id, at.error, at.dialog, at.shown = wanted, "", "", SHOWN
        conversation = _opened(wanted)
        if conversation is not None:
            if conversation.video != here.found:
                here.open(conversation.video)
            at.serial = here.serial
            if not (conversation.video is not None and conversation.video.sample):
                st.query_params.pop("video", None)
    elif at.id and at.serial != here.serial:  # another video was chosen meanwhile
        leave()
        return None
    else:
        conversation = _opened(at.id) if at.id else None
    if conversation is not None:
        st.query_params[PARAM] = conversation.entry.id
    return conversation


def look() -> Conversation | None:
    """Return the conversation on the page as it stands, or None where it cannot be had any more."""
    try:
        return chat().open(chat_page().id, owner())
    except MaekrakError:
        return None  # the page drawn anew asks again, and says why


def _opened(conversation_id: str) -> Conversation | None:
    try:
        return chat().open(conversation_id, owner())
    except ConversationNotFoundError as error:
        leave()
        chat_page().error = error.korean
    except MaekrakError as error:
        chat_page().error = error.korean
    return None


def entries() -> tuple[ConversationEntry, ...]:
    """Return the conversations about the video that is open, last changed first; all of them without a video.

    None, and said on the page, when they cannot be had.
    """
    from search_core.domain import video_key

    video = page_session().found
    try:
        return chat().conversations(owner(), video_key(video) if video is not None else None)
    except MaekrakError as error:
        chat_page().error = chat_page().error or error.korean
        return ()


def leave() -> None:
    """Put the conversation away; the next question begins a new one."""
    at = chat_page()
    at.id, at.error, at.dialog, at.serial, at.shown = "", "", "", page_session().serial, SHOWN
    st.query_params.pop(PARAM, None)


def open_conversation(conversation_id: str) -> None:
    """Show another conversation; for ``on_click``."""
    st.query_params[PARAM] = conversation_id


def ask(text: str) -> None:
    """Send a question and let the page be drawn anew; what could not be sent goes back into the box."""
    if not _send(lambda conversation_id: _quick(chat().ask(conversation_id, owner(), text))):
        chat_page().draft = text
    st.rerun()


def ask_aloud(audio: bytes, name: str) -> None:
    """Send a spoken question and let the page be drawn anew."""
    _send(lambda conversation_id: _quick(chat().ask_aloud(conversation_id, owner(), audio, name)))
    st.rerun()


def _quick(job: AnswerJob) -> None:
    job.wait(QUICK_S)


def _send(send: Callable[[str], object]) -> bool:
    here, at = page_session(), chat_page()
    at.error, begun = "", ""
    try:
        if not at.id:
            at.id = begun = chat().new(owner(), here.video).id
            at.serial = here.serial
        send(at.id)
    except MaekrakError as error:
        if begun:
            with suppress(MaekrakError):  # an empty conversation in the list does no harm
                chat().delete(begun, owner())
            leave()
        at.error = error.korean
        return False
    st.query_params[PARAM] = at.id
    return True


def switch_research() -> None:
    """Send questions to research, or to the conversation again; for ``on_click``."""
    chat_page().research = not chat_page().research


def research(conversation: Conversation | None, text: str) -> None:
    """Begin research with what was said so far and let the page be drawn anew; what cannot be begun goes back into the box."""
    from search_core.chat import memory_of  # here already, since the conversations are

    memory = memory_of(conversation.messages if conversation is not None else ())

    def begin(conversation_id: str) -> None:
        services.core().research.start(
            ResearchRequest(
                question=text, video=page_session().video, memory=memory, owner=owner(), conversation_id=conversation_id
            )
        )

    if not _send(begin):
        chat_page().draft = text
    st.rerun()


def steer(act: Callable[[ResearchService, str, str], object], run_id: str) -> None:
    """Ask something of a run by *act*, which is given its id and whose it is; for ``on_click``."""
    chat_page().error = ""
    try:
        act(services.core().research, run_id, owner())
    except MaekrakError as error:
        chat_page().error = error.korean
        st.rerun()  # the card redraws itself alone, and the reason stands elsewhere


def check(message_id: str) -> None:
    """Hold an answer against the web and draw the page anew; for ``on_click``."""
    at = chat_page()
    at.error = ""
    try:
        chat().check(at.id, owner(), message_id)
    except MaekrakError as error:
        at.error = error.korean
    st.rerun()


def running(conversation: Conversation | None) -> list[AnswerJob]:
    """Return the answers and checks of the conversation that are under way."""
    messages = conversation.messages if conversation is not None else ()
    jobs = (chat().job(message.id) for message in messages if message.state is MessageState.RUNNING)
    return [job for job in jobs if job is not None and not job.done]


def stop() -> None:
    """Stop all that is under way in the conversation; for ``on_click``."""
    try:
        conversation = chat().open(chat_page().id, owner())
    except MaekrakError as error:
        chat_page().error = error.korean
        return
    for job in running(conversation):
        job.cancel()
        job.wait(QUICK_S)


def show_older() -> None:
    """Show more of the messages that came before; for ``on_click``."""
    chat_page().shown += SHOWN


def sound(message_id: str, text: str) -> None:
    """Have *text* read aloud; the sound, or why there is none, is kept for the message."""
    at = chat_page()
    at.mute.pop(message_id, None)
    try:
        at.sounds[message_id] = chat().speak(text)
    except MaekrakError as error:
        at.mute[message_id] = error.korean
