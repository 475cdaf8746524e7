"""Answers of the web: sources, what they say of each statement, the prose, services asked; and checks of an answer."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.parts import chat_labels, chat_moments, chat_state, chat_text, evidence
from pages.parts.escaping import md
from pages.parts.words import span
from search_core.domain import AnswerRecord, Message, MessageState
from search_core.presenting import without_pause_left
from search_core.presenting.claim_text import RULES_ALONE
from search_core.stance.weighing import WeighedStatement, weigh_statements
from search_core.video_time import clock

MAX_STATEMENTS = 12
"""Statements of one check; more would bury the answer."""


def check(message: Message, *, live: bool, can_seek: bool, again: bool, question: str = "") -> None:
    """Draw a check as far as it is: sources first, then the statements, then the prose, then the services asked.

    *again* offers to make one that came to nothing once more; *question* is what was asked where its answer stands further up.
    """
    record = message.record or AnswerRecord()
    head = chat_text.heading(chat_labels.FROM_WEB, record.web_origin, chat_labels.WEB_EXTRACT)
    st.markdown(f"{head} **{_title(message, record, live=live)}**")
    if question:
        st.caption(chat_labels.CHECK_OF.format(question=md(question, 120)))
    sources(message.id, record)
    if record.comparison is not None:
        _comparison(message.id, record, can_seek=can_seek)
    prose(record)
    failure(record, message.created_at)
    notice(record)
    ended(message, record)
    if live:
        st.markdown(f":shimmer[:small[{_phase(record)}]]")
        return
    ledger(message.id, record)
    if again and (record.failure is not None or message.state in (MessageState.FAILED, MessageState.STOPPED)):
        st.button(
            chat_labels.CHECK_AGAIN,
            key=f"check-again-{message.id}",
            type="tertiary",
            icon=":material/refresh:",
            on_click=chat_state.check,
            args=(message.about,),
        )


def _title(message: Message, record: AnswerRecord, *, live: bool) -> str:
    """Return how far the check is, or what it came to."""
    if live:
        return chat_labels.CHECKING if record.sources else chat_labels.SEARCHING
    if message.state is not MessageState.COMPLETE or record.failure is not None:
        return chat_labels.NOT_CHECKED
    return chat_labels.CHECKED if record.comparison is None or record.comparison.rows else chat_labels.NOTHING_TO_CHECK


def failure(record: AnswerRecord, since: datetime) -> None:
    """Say why the web gave no answer; where none could be asked, what each service said and when one can be asked again.

    Pauses that are over, counted from *since*, are passed over.
    """
    if record.failure is not None:
        why, retry_s = record.failure.reason, record.failure.retry_after_s
        if retry_s is not None and (datetime.now(UTC) - since).total_seconds() > retry_s:
            why, retry_s = without_pause_left(why), None
        again = chat_labels.RETRY.format(pause=span(retry_s)) if retry_s is not None else ""
        reason = f"  \n:small[:gray[{md(f'{why} {again}'.strip(), 600)}]]" if why else ""
        st.markdown(f":orange[:material/cloud_off:] {md(record.failure.korean, 400)}{reason}")


def sources(message_id: str, record: AnswerRecord) -> None:
    """Draw the folded list of sources."""
    if record.sources:
        label = chat_labels.SOURCES.format(count=len(record.sources))
        with st.expander(label, key=f"sources-{message_id}", type="compact", icon=":material/link:"):
            st.markdown(chat_text.source_list(record))


def prose(record: AnswerRecord) -> None:
    """Draw what is written from the sources, sentences without support marked."""
    if record.web_text.strip():
        written = chat_text.tell_sources(chat_text.web_markdown(record), record.sources)
        note = f"\n\n:small[:gray[{chat_labels.UNSUPPORTED_NOTE}]]" if chat_text.has_unsupported(record) else ""
        st.markdown(f"{written}{note}")


def ledger(message_id: str, record: AnswerRecord) -> None:
    """Draw who was asked and how many pages were read, a sentence for each service behind a fold."""
    line = chat_text.ledger_line(record)
    if record.ledger:
        label = f"{chat_labels.LEDGER} · {line}" if line else chat_labels.LEDGER
        with st.expander(label, key=f"ledger-{message_id}", type="compact", icon=":material/fact_check:"):
            st.markdown("\n".join(f"- {md(sentence, 300)}" for sentence in record.ledger))
    elif line:
        st.caption(line)


def notice(record: AnswerRecord) -> None:
    """Say what a model could not do, if anything."""
    if record.notice or not record.complete:
        st.markdown(f":orange[:material/info:] {md(record.notice, 300) or chat_labels.BROKEN_OFF}")


def ended(message: Message, record: AnswerRecord) -> None:
    """Say what cut a message short, if anything did."""
    if message.state is MessageState.STOPPED:
        kept = f" {chat_labels.STOPPED_KEPT}" if record.text or record.sources else ""
        words = f"{chat_labels.STOPPED[message.kind]}{kept}"
    elif record.error or message.state is MessageState.FAILED:
        words = md(record.error, 300) or chat_labels.FAILED
    else:
        return
    st.markdown(f":orange[:material/info:] {words}")


def _comparison(message_id: str, record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw what the comparison came to, then a block for each statement."""
    comparison = record.comparison
    assert comparison is not None
    notes = [md(record.summary, 800)] if record.summary else []
    notes += [f":small[:gray[{RULES_ALONE}]]"] if comparison.judged_by_rules_alone else []
    left_out = chat_text.unread(comparison)
    notes += [f":small[:gray[{left_out}]]"] if left_out else []
    if notes:
        st.markdown("\n\n".join(notes))
    statements = weigh_statements(comparison)
    if statements:
        with st.container(key=f"stances-{message_id}"):
            for place, statement in enumerate(statements[:MAX_STATEMENTS]):
                with st.container(border=True, key=f"stance-{message_id}-{place}"):
                    _statement(f"{message_id}-{place}", statement, record, can_seek=can_seek)
            if len(statements) > MAX_STATEMENTS:
                st.caption(chat_labels.MORE_STATEMENTS.format(count=len(statements) - MAX_STATEMENTS))


def _statement(key: str, statement: WeighedStatement, record: AnswerRecord, *, can_seek: bool) -> None:
    """Draw what the web says of one statement: its verdict, the strongest quotations, and the rest behind a fold."""
    found = chat_text.quotations(statement, record.sources)
    shown = evidence.choose_strongest(found, statement.verdict.stance)
    rest = [each for each in found if each not in shown]
    head = f"{evidence.badge(statement.verdict.stance)} {md(statement.verdict.count, 400)}"
    moment = "" if can_seek else clock(statement.moment_s)
    evidence.pair(key, statement.statement, shown, head=head, moment=moment)
    with st.container(horizontal=True, vertical_alignment="center", key=f"do-stance-{key}"):
        if can_seek:
            chat_moments.moment_buttons(key, [int(statement.moment_s)])
        evidence.judges(key, found)
    if rest:
        label = evidence.fold_label(shown, rest)
        with st.expander(label, key=f"others-{key}", type="compact", icon=":material/compare_arrows:"):
            st.markdown(evidence.others_markdown(rest))


def _phase(record: AnswerRecord) -> str:
    """Return what is being done now."""
    if not record.sources:
        return chat_labels.SEARCHING
    if not record.pages:
        return chat_labels.READING
    return chat_labels.COMPARING if record.comparison is None else chat_labels.WRITING
