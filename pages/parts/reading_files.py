"""Files that become videos: read in the background, or listened to where they hold speech and no words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import labels, services, sound_labels, transcription_panel
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.received_sounds import RECEIVED, is_sound
from pages.parts.speech_availability import explain_absence, find_recogniser
from pages.parts.words import weight
from search_core.domain import Recogniser, VideoContext
from search_core.errors import MaekrakError, TranscriptionError
from search_core.video import VideoUpload

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from search_core.core import FileReading
    from search_core.transcription.service import TranscriptionService

KINDS = ("srt", "vtt", "json", "txt")
MAX_FILE_MB = 20
POLL_S = 0.4
_UPLOADS_KEY = "uploads"
"""Counts uploads, so that each gets an empty box."""
_AT_ONCE_S = 0.4
_CHUNK_BYTES = 1 << 20


def upload() -> None:
    """Offer a box for subtitles, and for videos and recordings where speech recognition is set up."""
    recogniser = find_recogniser()
    count = st.session_state.setdefault(_UPLOADS_KEY, 0)
    service = services.core().transcription
    most = 0 if recogniser is None else service.max_bytes
    sizes = {"megabytes": MAX_FILE_MB, "sound": weight(most), "hours": service.max_s / 3600}
    with st.container(key="upload-place"):
        files = st.file_uploader(
            (labels.FILE_LABEL if recogniser is None else sound_labels.FILE_LABEL).format(**sizes),
            key=f"upload-{count}",
            accept_multiple_files=True,
            max_upload_size=max(MAX_FILE_MB, most >> 20),
            help=labels.FILE_HELP,
        )
        with st.container(key="upload-refused"):  # in sight while the browser holds a file back, which never reaches the server
            refused = labels.FILE_REFUSED if recogniser is None else sound_labels.FILE_REFUSED
            st.error(refused.format(**sizes), icon=":material/error:")
    st.caption(_note(recogniser))
    if files:
        st.session_state[_UPLOADS_KEY] = count + 1  # an empty box next time: what lies in it is held in memory
        _read_files(files, services.core().transcription)


def _note(recogniser: Recogniser | None) -> str:
    """Return what becomes of a video or a recording here, and where its sound goes."""
    if recogniser is None:
        return md(explain_absence(), 300)
    return sound_labels.NOTE[recogniser.kind].format(model=md(recogniser.model, 60))


def _read_files(files: Sequence[UploadedFile], service: TranscriptionService) -> None:
    """Begin to read *files*, or to listen to the one that is a recording, or say why they are nothing to open."""
    sound = any(is_sound(file.name, service.suffixes) for file in files)
    outcome = _listen_to(files, service) if sound else _join_files(files)
    _forget(files)
    if isinstance(outcome, VideoUpload):
        start(outcome)
    else:
        page_session().open_error = outcome
        st.rerun()


def _listen_to(files: Sequence[UploadedFile], service: TranscriptionService) -> str:
    """Start to transcribe the recording in *files* and return an empty text, or a sentence about why not."""
    file, visit = files[0], _visit()
    try:
        sound = RECEIVED.claim(visit, file.getvalue()) if len(file.getvalue()) < _CHUNK_BYTES else None
        if find_recogniser() is None:
            return explain_absence()
        if sound is None and len(files) == 1:
            sound = service.receive(file.name, iter(lambda: file.read(_CHUNK_BYTES), b""))
    except TranscriptionError as error:
        return error.korean
    problem = sound_labels.ONE_SOUND if len(files) > 1 else sound_labels.UNDER_WAY if transcription_panel.under_way() else ""
    if sound is not None and problem:
        service.discard(sound)
    elif sound is not None:
        transcription_panel.start(sound)
    return problem


def _join_files(files: Sequence[UploadedFile]) -> VideoUpload | str:
    """Return what *files* are together, or a sentence about why they are nothing to read."""
    for file in files:
        if PurePath(file.name).suffix.lower().lstrip(".") not in KINDS:
            return _unknown_kind(file.name)
    if len(files) == 1:
        return VideoUpload(files[0].name, files[0].getvalue())
    records = [file for file in files if file.name.lower().endswith(".json")]
    subtitles = [file for file in files if file not in records]
    if len(records) != 1 or len(subtitles) != 1:
        return labels.FILE_TOO_MANY
    return VideoUpload(records[0].name, records[0].getvalue(), (subtitles[0].name, subtitles[0].getvalue()))


def _unknown_kind(name: str) -> str:
    words = labels.FILE_KIND if find_recogniser() is None else sound_labels.FILE_KIND
    return words.format(name=clean(name, 80))


def _visit() -> str:
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


def _forget(files: Sequence[UploadedFile]) -> None:
    """Drop the bytes that Streamlit would hold until the visit is over."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def start(given: VideoUpload, title: str = "") -> None:
    """Start to read *given*, and open it at once when that is a moment's work; *title* takes the place of its own."""
    session = page_session()
    session.drop_reading()
    session.open_error, session.offer_file = "", False
    session.reading = services.core().start_reading_file(given.name, given.data, given.companion)
    session.reading_title = title
    if session.reading.wait(_AT_ONCE_S):
        _finish(session.reading)
    st.rerun()


def _finish(reading: FileReading) -> None:
    session = page_session()
    title = session.reading_title
    session.drop_reading()

    def read() -> VideoContext:
        video = reading.result()
        return replace(video, title=title or video.title)

    open_result(read)


def progress() -> None:
    """Draw the reading under way, with a button that ends it; redrawn by itself until the file is read."""
    reading = page_session().reading
    if reading is None:
        return
    if reading.done:
        _finish(reading)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f":shimmer[**{labels.FILE_BUSY}**]", width="content")
        st.button(labels.FILE_CANCEL, key="cancel-reading", icon=":material/close:", on_click=page_session().drop_reading)


def open_result(read: Callable[[], VideoContext], *, offer_file: bool = False) -> None:
    """Open what *read* returns, or note its sentence about why there is nothing to open, and draw the page anew.

    With *offer_file* the way by a file is offered beside that sentence.
    """
    session = page_session()
    try:
        video = read()
    except MaekrakError as error:
        session.open_error, session.offer_file = error.korean, offer_file
    else:
        session.open(video)
    st.rerun()
