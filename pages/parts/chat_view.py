"""The conversation: questions, answers and checks, the ones under way redrawn by themselves; the list of all beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from pages.parts import chat_answer, chat_state, export, research_report, research_view, run_page
from pages.parts.chat_answer import MessageContext
from pages.parts.chat_state import chat_page
from pages.parts.escaping import clean, md
from pages.parts.export import EXPORT
from pages.parts.page_session import page_session
from pages.parts.research_state import ResearchPageState
from pages.parts.run_page import RUN_FINISH, RUN_STOP
from pages.parts.services import core
from pages.parts.visitor import owner
from search_core.domain import Conversation, ConversationEntry, Message, MessageKind, MessageState, ResearchRun, ResearchStatus
from search_core.presenting import relative_time

POLL_S = 0.3
POLL_ELSEWHERE_S = 3.0
"""A look at what another process writes goes to the database."""
TITLE_CHARS = 80
_RESUMABLE = (ResearchStatus.STOPPED, ResearchStatus.FAILED)
UNTITLED = "이름 없는 대화"
DELETE_NOTE = "“{title}”의 질문과 답이 모두 지워지고, 되돌릴 수 없어요. 여기서 한 조사는 딥리서치에 남아요."
BADGE = ":violet-badge[:material/travel_explore: 딥리서치]"


def messages(conversation: Conversation) -> None:
    """Draw the conversation, its last messages first of all."""
    shown = _in_place(conversation.messages)[-chat_page().shown :]
    older = len(conversation.messages) - len(shown)
    context = _context_of(conversation)
    with st.container(key="chat-title"):  # invisible: the conversations are named in the sidebar
        st.markdown(f"## {md(conversation.entry.title, 120) or UNTITLED}", anchors=False)
    if conversation.messages:
        under_way = any(message.state is MessageState.RUNNING for message in conversation.messages)
        chat_page().announce_end(_outcome(conversation.messages[-1]), under_way=under_way)
    with st.container(key="chat"):
        if older:
            st.button(
                f"이전 메시지 {older}개 보기",
                key="older",
                type="tertiary",
                icon=":material/expand_less:",
                on_click=chat_state.show_older,
            )
        for message in shown:
            # A container of its own each: a page under load would otherwise lose what stands after a part that redraws itself.
            with st.container(key=f"say-{message.kind.value}-{message.id}"):
                _message(message, context)


def _in_place(messages_so_far: Sequence[Message]) -> list[Message]:
    """Return messages as they are read: a check stands under its answer, also where other questions were asked in between."""
    checks: dict[str, list[Message]] = {}
    for message in messages_so_far:
        if message.kind is MessageKind.CHECK:
            checks.setdefault(message.about, []).append(message)
    others = [message for message in messages_so_far if message.kind is not MessageKind.CHECK]
    return [each for message in others for each in (message, *checks.get(message.id, ()))]


def _context_of(conversation: Conversation) -> MessageContext:
    chat, messages_so_far = chat_state.chat(), conversation.messages
    texts = {message.id: message.text for message in messages_so_far if message.kind is MessageKind.QUESTION}
    asked = {message.id: texts.get(message.about, "") for message in messages_so_far if message.kind is MessageKind.ANSWER}
    return MessageContext(
        asked=asked,
        last_answer=next(reversed(asked), ""),
        checks={message.about: message.id for message in messages_so_far if message.kind is MessageKind.CHECK},
        awaited=frozenset(message.about for message in messages_so_far if message.state is MessageState.RUNNING),
        can_check=chat.can_check(),
        can_seek=page_session().video is not None,
    )


def _outcome(ended: Message) -> str:
    """Return what an answer or a check came to, in a sentence."""
    check = ended.kind is MessageKind.CHECK
    if ended.state is MessageState.STOPPED and ended.kind in chat_answer.STOPPED:
        return chat_answer.STOPPED[ended.kind]
    failed = ended.state is MessageState.FAILED
    if check and (failed or (ended.record is not None and ended.record.failure is not None)):
        return f"{chat_answer.NOT_CHECKED}."
    return "답변이 끝까지 나오지 못했어요." if failed else "온라인 확인이 끝났어요." if check else "답변이 나왔어요."


def _message(message: Message, context: MessageContext) -> None:
    if message.kind is MessageKind.QUESTION:
        _question(message, awaited=message.id in context.awaited)
        return
    if message.kind is MessageKind.RESEARCH:
        _card(message, can_seek=context.can_seek)
        return
    job = chat_state.chat().job(message.id) if message.state is MessageState.RUNNING else None
    if message.state is not MessageState.RUNNING or (job is not None and job.done):
        _draw(job.snapshot() if job is not None else message, context, live=False)
    else:
        every_s = POLL_ELSEWHERE_S if job is None else POLL_S
        st.fragment(_live, run_every=every_s)(message.id, context)


def _live(message_id: str, context: MessageContext) -> None:
    """Draw a message under way, here or in another process; the page anew when it has ended."""
    page, job = chat_page(), chat_state.chat().job(message_id)
    if job is None:
        conversation = page.find(page.id)
        found = [each for each in conversation.messages if each.id == message_id] if conversation is not None else []
    else:
        found = [job.snapshot()]
    if found and found[0].state is MessageState.RUNNING:
        _draw(found[0], context, live=True)
    else:
        st.rerun()


def _draw(message: Message, context: MessageContext, *, live: bool) -> None:
    draw = chat_answer.check if message.kind is MessageKind.CHECK else chat_answer.answer
    draw(message, context, live=live)


def _question(message: Message, *, awaited: bool) -> None:
    lines = (md(line) for line in message.text.splitlines())
    st.markdown("  \n".join(line for line in lines if line))
    if not awaited:
        st.button(
            "고쳐 묻기",
            key=f"edit-question-{message.id}",
            type="tertiary",
            icon=":material/edit:",
            help="질문을 아래 칸에 옮겨 고친 뒤 다시 물어요",
            on_click=chat_state.edit_question,
            args=(message.text, message.moment_s),
        )


def _card(message: Message, *, can_seek: bool) -> None:
    """Draw the run of *message*, by itself while it goes on."""
    run = message.research
    if run is None:
        st.markdown(f"{BADGE}\n\n:orange[:material/info:] {md(message.missing, 400)}")
        return
    draw = partial(_draw_run, can_seek=can_seek)
    if run.status is ResearchStatus.PLANNED:
        draw(run)
    research_view.watch(run, draw)


def _draw_run(run: ResearchRun, *, can_seek: bool) -> None:
    live = not run.status.ended
    waits = run.status is ResearchStatus.PLANNED
    words = research_view.doing(run) if live else research_view.ending(run)
    with st.container(horizontal=True, vertical_alignment="center", key=f"research-head-{run.id}"):
        with st.container(width="stretch", key=f"now-{run.id}"):
            st.markdown(f"{BADGE} {'**:blue[:material/checklist:] 이렇게 나눠서 조사할까요?**' if waits else words}")
        _buttons(run)
    if run.plan or live:
        label = f"생각의 과정 · 하위 질문 {len(run.plan)}개" if run.plan else research_view.PLANNING
        with st.expander(label, key=f"thoughts-{run.id}", type="compact", icon=":material/account_tree:", expanded=live):
            st.markdown(research_view.steps(run, live=live))
    if not waits:
        research_report.report(run, live=live, key=f"report-text-{run.id}")
    if run.sources:
        with st.expander(research_report.heading(run), key=f"found-{run.id}", type="compact", icon=":material/link:"):
            st.markdown(research_report.source_list(run, can_seek=can_seek))
    if run.coverage:
        with st.expander(research_report.COVERAGE, key=f"coverage-{run.id}", type="compact", icon=":material/fact_check:"):
            st.markdown(research_report.coverage(run))
    st.page_link(
        "pages/research.py",
        label="딥리서치에서 계획 고치기" if waits else "딥리서치에서 보기",
        icon=":material/open_in_new:",
        query_params={"run": run.id},
    )


def _buttons(run: ResearchRun) -> None:
    service = core().research

    def button(name: str, label: str, tip: str, icon: str, act: Callable[[str, str], object], *, off: bool = False) -> None:
        st.button(
            label,
            key=f"{name}-run-{run.id}",
            icon=icon,
            help=tip or None,
            disabled=off,
            on_click=chat_state.steer,
            args=(act, run.id),
        )

    if run.status is ResearchStatus.PLANNED:
        button("agree", research_view.AGREE, "", ":material/travel_explore:", service.agree)
        button("give-up", research_view.GIVE_UP, "", ":material/close:", service.cancel)
    elif not run.status.ended:
        writes = run.status is ResearchStatus.WRITING
        button("finish", RUN_FINISH, ResearchPageState.FINISH_HELP, ":material/task_alt:", service.finish, off=writes)
        button("stop", RUN_STOP, ResearchPageState.STOP_HELP, ":material/stop_circle:", service.cancel)
    elif run.search_failed:
        button("resume", research_view.SEARCH_AGAIN, research_view.SEARCH_AGAIN_HELP, ":material/refresh:", service.resume)
    elif run.status in _RESUMABLE:
        button("resume", research_view.RESUME, research_view.RESUME_HELP, ":material/play_arrow:", service.resume)


def sidebar(conversation: Conversation | None) -> None:
    """Draw the list, newest first, and the tools of the open conversation."""
    run_page.sidebar(chat_page(), conversation, chat_page().entries(), tools=_tools, describe=_describe)


def _describe(entry: ConversationEntry) -> run_page.Line:
    about = md(entry.video_title or "영상 없이", 120)
    facts = f"{relative_time(entry.updated_at)} · 메시지 {entry.messages}개"
    return run_page.Line(md(entry.title, 60) or UNTITLED, facts, tip=None if page_session().video is not None else about)


def _tools(conversation: Conversation) -> None:
    entry = conversation.entry
    with st.container(horizontal=True, key="run-tools"):
        st.button("이름 바꾸기", key="rename", type="tertiary", on_click=chat_page().ask, args=("rename",))
        make = partial(chat_state.chat().export, entry.id, owner())
        stem, made = "maekrak-chat", entry.created_at
        export.button(EXPORT, make, "markdown", stem, made, key="export-conversation", type="tertiary")
        run_page.delete_button(chat_page())


def dialog(conversation: Conversation | None) -> None:
    """Draw what is asked about the conversation, if anything is."""
    if conversation is None:
        return
    entry = conversation.entry
    if chat_page().dialog == "rename":
        st.dialog("대화 이름 바꾸기", on_dismiss=chat_page().close_dialog)(_rename)(entry)
    run_page.deletion_dialog(chat_page(), entry.id, DELETE_NOTE.format(title=md(entry.title, 80) or UNTITLED))


def _rename(entry: ConversationEntry) -> None:
    key = f"title-of-{entry.id}"
    with st.form("rename-form", border=False):
        st.text_input("대화 이름", value=entry.title, max_chars=TITLE_CHARS, key=key)
        st.form_submit_button("저장", type="primary", on_click=_save_title, args=(entry.id, key))


def _save_title(conversation_id: str, key: str) -> None:
    chat_page().close_dialog()
    title = clean(st.session_state[key] or "", TITLE_CHARS)
    if title:
        chat_page().attempt(partial(chat_state.chat().rename, conversation_id, owner(), title))
    st.rerun()
