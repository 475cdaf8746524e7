"""The conversation: questions, answers and checks, redrawn while in progress; the list of conversations beside it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.parts.shared.buttons import quiet
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import page_session
from pages.parts.workspace import chat_answer, chat_state, research_view, results
from pages.parts.workspace.chat_answer import MessageContext
from pages.parts.workspace.chat_state import chat_page
from search_core.domain.conversation import Conversation, Message, MessageKind, MessageState

POLL_S = 0.3
POLL_ELSEWHERE_S = 3.0
"""Seconds between redraws of an answer that another process writes; longer, as each reads the database."""
STEP = 10
"""The first visible message moves in steps of this, so that earlier messages do not move at each question."""


def evidence_place(conversation: Conversation | None) -> str:
    """Return the id of the answer under which to draw the results on the page; empty if none is visible."""
    session, messages = page_session(), conversation.messages if conversation is not None else ()
    asked, in_sight = _questions(messages), {message.id for message in _in_sight(messages)}
    of_search = {question.search: answer for answer, question in asked.items() if answer in in_sight and question.search}
    of_text = {question.text: answer for answer, question in asked.items() if answer in in_sight}
    return of_search.get(session.search_id) or of_text.get(session.asked, "")


def _questions(messages: Sequence[Message]) -> dict[str, Message]:
    """Return the question of each answer, by the answer's id."""
    questions = {message.id: message for message in messages if message.kind is MessageKind.QUESTION}
    answers = (message for message in messages if message.kind is MessageKind.ANSWER)
    return {answer.id: questions[answer.about] for answer in answers if answer.about in questions}


def _in_sight(messages_so_far: Sequence[Message]) -> list[Message]:
    """Return the newest messages: a check comes right after its answer, even when other questions were asked in between."""
    places = {message.id: place for place, message in enumerate(messages_so_far)}

    def place_of(message: Message) -> int:
        return places.get(message.about if message.kind is MessageKind.CHECK else message.id, places[message.id])

    messages = sorted(messages_so_far, key=place_of)
    return messages[max(0, len(messages) - chat_page().shown) // STEP * STEP :]


def messages(conversation: Conversation, evidence_of: str) -> None:
    """Draw the newest messages of a conversation, with the evidence under the answer *evidence_of*, and offer older ones."""
    shown = _in_sight(conversation.messages)
    older = len(conversation.messages) - len(shown)
    listed = results.has_list()
    context = _context_of(conversation, evidence_of if listed else "")
    last_of = {message.about if message.kind is MessageKind.CHECK else message.id: message for message in shown}
    with st.container(key="chat-title"):  # invisible: the conversations are named in the sidebar
        st.markdown(f"## {md(conversation.entry.title, 120) or chat_state.UNTITLED}", anchors=False)
    if conversation.messages:
        under_way = any(message.state is MessageState.RUNNING for message in conversation.messages)
        chat_page().announce_end(_outcome(conversation.messages[-1]), under_way=under_way)
    with st.container(key="chat"):
        if older:
            quiet(f"이전 메시지 {older}개 보기", chat_state.show_older, key="older", icon="expand_less")
        for message in shown:
            # A container of its own each: a page under load would otherwise lose what stands after a part that redraws itself.
            with st.container(key=f"say-{message.kind.value}-{message.id}"):
                _message(message, context)
            # A place of its own for the list, after every message: it is empty at once where the list no longer stands, and what
            # comes below takes over nothing of it for a moment.
            if last_of.get(evidence_of) is not message:
                st.empty()
                continue
            with st.container(key=f"found-place-{evidence_of}"):
                answer = next(candidate for candidate in shown if candidate.id == evidence_of)
                scenes = () if answer.record is None else answer.record.passages
                if not listed:
                    results.gone(scenes)
                results.evidence(scenes, due=not scenes and answer.state is MessageState.RUNNING)


def _context_of(conversation: Conversation, evidence_of: str) -> MessageContext:
    asked = _questions(conversation.messages)
    return MessageContext(
        asked=asked,
        last_answer=next(reversed(asked), ""),
        checks={message.about: message.id for message in conversation.messages if message.kind is MessageKind.CHECK},
        can_check=chat_state.chat().can_check(),
        can_seek=page_session().video is not None,
        evidence_of=evidence_of,
    )


def _outcome(ended: Message) -> str:
    if ended.kind is MessageKind.RESEARCH:
        return research_view.ENDED
    check = ended.kind is MessageKind.CHECK
    if ended.state is MessageState.STOPPED and ended.kind in chat_answer.STOPPED:
        return chat_answer.STOPPED[ended.kind]
    failed = ended.state is MessageState.FAILED
    if check and (failed or (ended.record is not None and ended.record.failure is not None)):
        return f"{chat_answer.NOT_CHECKED}."
    return "답변이 끝까지 나오지 못했어요." if failed else "온라인 확인이 끝났어요." if check else "답변이 나왔어요."


def _message(message: Message, context: MessageContext) -> None:
    if message.kind is MessageKind.QUESTION:
        st.markdown("  \n".join(filter(None, map(md, message.text.splitlines()))))
        return
    if message.kind is MessageKind.RESEARCH:
        if message.research is not None:
            research_view.card(message.research)
        else:
            st.markdown(f"{research_view.BADGE}\n\n:orange[:material/info:] {md(message.missing, 400)}")
        return
    job = chat_state.chat().job(message.id) if message.state is MessageState.RUNNING else None
    if message.state is not MessageState.RUNNING or (job is not None and job.done):
        with st.container():  # as while it redraws itself, so that it is replaced piece by piece and nothing collapses
            _draw(job.snapshot() if job is not None else message, context, live=False)
    else:
        every_s = POLL_ELSEWHERE_S if job is None else POLL_S
        st.fragment(_live, run_every=every_s)(message.id, context)


def _live(message_id: str, context: MessageContext) -> None:
    """Draw a message that is still being written, here or in another process; redraw the page when it has ended."""
    page, job = chat_page(), chat_state.chat().job(message_id)
    if job is None:
        conversation = page.find(page.id)
        messages = [message for message in conversation.messages if message.id == message_id] if conversation is not None else []
    else:
        messages = [job.snapshot()]
    if messages and messages[0].state is MessageState.RUNNING:
        _draw(messages[0], context, live=True)
    else:
        st.rerun()


def _draw(message: Message, context: MessageContext, *, live: bool) -> None:
    draw = chat_answer.check if message.kind is MessageKind.CHECK else chat_answer.answer
    draw(message, context, live=live)
