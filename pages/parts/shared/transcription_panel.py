"""Speech recognition on the page: its progress, its stop button, and its result after a reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.shared import frame, services
from pages.parts.shared.buttons import button
from pages.parts.shared.escaping import md
from pages.parts.shared.page_session import PageSession, page_session
from pages.parts.shared.visitor import owner
from search_core.errors import MaekrakError, TranscriptionError, TranscriptionFailure
from search_core.language.dates import clock
from search_core.speech.sound import SoundFile
from search_core.video.upload import transcribed_video

if TYPE_CHECKING:
    from search_core.speech.service import TranscriptionJob

POLL_S = 1.0
GONE = "서버가 다시 시작되어 받아 적기가 멈췄어요. 파일을 다시 올리면 끝낸 데까지는 건너뛰고 이어서 해요."


def start(source: SoundFile, question: str) -> str:
    """Start to transcribe *source* and ask the *question* afterwards; return a sentence if it cannot start, else nothing."""
    session, service = page_session(), services.core().transcription
    try:
        job = service.start(source, owner())
    except TranscriptionError as error:
        service.discard(source)
        return error.korean
    session.transcription, session.transcription_after = job.id, session.searches
    session.transcription_question = question
    return ""


def under_way() -> bool:
    """Return whether this visitor's transcription is running."""
    job = _job(page_session())
    return job is not None and not job.done


def restore(job_id: str) -> None:
    """Resume the transcription in the address, or say that it is gone."""
    session = page_session()
    if job_id and job_id != session.transcription:
        exists = services.core().transcription.job(job_id, owner()) is not None
        session.transcription = job_id if exists else ""
        session.open_error = session.open_error if exists else GONE


def transcription() -> None:
    """Draw the visitor's transcription, running or ready to open; say so if it failed."""
    session = page_session()
    if (job := _job(session)) is not None and job.done:
        _settle(session, job)
        job = _job(session)
    with st.container(key="transcription"):
        if job is not None and job.done:
            st.success(f"“{md(job.name, 80)}” 받아 적기를 마쳤어요.", icon=":material/subtitles:")
            button("받아 적은 영상 열기", _open, job.id, key="open-transcribed", width="stretch")
        elif job is not None:
            st.fragment(_under_way, run_every=POLL_S)()


def _job(session: PageSession) -> TranscriptionJob | None:
    return services.core().transcription.job(session.transcription, owner()) if session.transcription else None


def _settle(session: PageSession, job: TranscriptionJob) -> None:
    busy = session.searches != session.transcription_after or any(name in st.query_params for name in ("chat", "run", "claims"))
    if job.error is not None:
        _give_up(session, job.error)
    elif not busy and session.video is None:
        _open(job.id)


def _open(job_id: str) -> None:
    session, job = page_session(), services.core().transcription.job(job_id, owner())
    session.transcription = ""
    if job is None:
        return
    try:
        video = transcribed_video(job.result(), name=job.name)
    except MaekrakError as error:
        _give_up(session, error)
        return
    question, session.transcription_question = session.transcription_question, ""
    session.open(video, question)
    st.rerun()


def _give_up(session: PageSession, error: MaekrakError) -> None:
    """Say why there is no transcript, and put the question that came with the recording back into the box."""
    cancelled = isinstance(error, TranscriptionError) and error.kind is TranscriptionFailure.CANCELLED
    session.notice, session.open_error = (error.korean, "") if cancelled else ("", error.korean)
    session.draft = session.transcription_question or session.draft
    session.transcription = session.transcription_question = ""
    st.rerun()


def _under_way() -> None:
    """Draw the progress of the transcription, redrawn by itself until the end."""
    job = _job(page_session())
    if job is None or job.done:
        st.rerun()
        return
    progress = job.snapshot()
    st.markdown(f"**“{md(job.name, 80)}”**")
    words = "받아 적고 있어요" if progress.listening else "차례를 기다리고 있어요"
    frame.under_way(words, "받아 적기 멈추기", "cancel-transcription", job.cancel)
    if progress.listening:
        total = f" / {clock(progress.total_s)}" if progress.total_s else "까지"
        st.progress(progress.share or 0.0, text=f"{clock(progress.done_s)}{total}")
    st.caption("다른 페이지에 다녀와도 계속 받아 적어요.")
