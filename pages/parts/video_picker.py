"""Choosing a video: samples as cards, an address, a file, or typed by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import address, frame, labels, services, transcription_panel
from pages.parts.escaping import clean, md
from pages.parts.page_session import page_session
from pages.parts.services import explain_absence, find_recogniser
from pages.parts.visitor import owner
from search_core.domain import RecogniserKind, VideoContext
from search_core.errors import MaekrakError, TranscriptionError
from search_core.presenting.wording import UNTITLED_VIDEO
from search_core.video import VideoUpload
from search_core.video.facts import VideoFacts
from search_core.video.limits import MAX_TRANSCRIPT_CHARS

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from search_core.speech.service import TranscriptionService
    from search_core.video import FileReading

URL_KEY = "video-url"
MAX_FILE_MB = 20
SAMPLE_CHARS = 40
POLL_S = 0.4
_UPLOADS_KEY = "uploads"
"""Counts uploads, so that each gets an empty box."""
_AT_ONCE_S = 0.4
_CHUNK_BYTES = 1 << 20
NOTES = {
    RecogniserKind.ENDPOINT: "MP4, WebM, MKV, MP3, M4A, WAV, OGG 파일은 소리를 음성 인식({model}) 서버로 보내서 받아 적어요.",
    RecogniserKind.LOCAL: "MP4, WebM, MKV, MP3, M4A, WAV, OGG 파일은 음성 인식({model})으로 이 서버 안에서 받아 적어요.",
}
TAB_URL, TAB_FILE, TAB_TYPED = "YouTube", "파일", "직접 입력"
FILE_LABEL = "자막 파일 (SRT, VTT, JSON, TXT 등 · {megabytes}MB까지)"
SOUND_FILE_LABEL = "자막 (SRT, VTT, JSON, TXT 등 · {megabytes}MB까지) 또는 영상·소리 ({sound}, {hours:g}시간까지)"
FILE_REFUSED = "올리지 못한 파일이 있어요. 파일 하나는 {megabytes}MB까지 올릴 수 있어요."
SOUND_FILE_REFUSED = "올리지 못한 파일이 있어요. 자막은 {megabytes}MB, 영상과 소리는 {sound}까지 하나씩 올릴 수 있어요."
OR_FILE = "자막 파일이 있으면 파일 탭에서 열 수 있어요."
ONE_SOUND = "영상이나 소리 파일은 하나만 올려 주세요."
UNDER_WAY = "이미 받아 적고 있는 파일이 있어요. 끝나거나 멈춘 뒤에 올려 주세요."


def examples(prefix: str, ask: Callable[[str], None], *, tip: str | None = None) -> None:
    """Offer example questions about the video that is open; *prefix* begins the keys of the buttons."""
    questions = services.core().example_questions(page_session().video)
    if not questions:
        return
    with st.container(horizontal=True, key="examples", vertical_alignment="center"):
        st.caption("예시", width="content")
        for index, question in enumerate(questions):
            st.button(md(question, 80), key=f"{prefix}-{index}", help=tip, on_click=ask, args=(question,))


def welcome(
    name: str, title: str, what_it_does: Iterable[str], *, note: str = "", examples: Callable[[], None] | None = None
) -> None:
    """Say what the page of that *name* does; offer the sample videos, or *examples* of questions about the one that is open."""
    with st.container(key=f"{name}-welcome"):
        st.markdown(f"## {title}", anchors=False)
        st.markdown("\n\n".join(what_it_does))
        if note:
            st.caption(note)
        if page_session().video is None:
            _samples()
        elif examples is not None:
            examples()


def _samples() -> None:
    with st.container(horizontal=True, key="examples-samples", vertical_alignment="center"):
        st.caption("예시 영상", width="content")
        for index, video in enumerate(services.core().samples()):
            st.button(
                md(clean(video.title, SAMPLE_CHARS), SAMPLE_CHARS),
                key=f"open-sample-{index}",
                icon=":material/play_circle:",
                on_click=_open_sample,
                args=(index,),
            )


def _open_sample(index: int) -> None:
    """Put the sample of that place that is open."""
    page_session().open(services.core().samples()[index])
    st.rerun()


def own_video() -> None:
    """Offer the ways to open a video of one's own."""
    _way_back()
    st.markdown(f"### {labels.OPEN_TITLE}", anchors=False)
    ways = [TAB_URL, TAB_FILE, TAB_TYPED]
    by_url, by_file, by_hand = st.tabs(ways, key="open-ways", on_change=_forget_error)
    with by_url:
        _url_form()
    with by_file:
        _upload()
    with by_hand:
        _typed_form()
    with st.container(key="opening-state"):
        if page_session().reading is not None:
            st.fragment(_progress, run_every=POLL_S)()
        elif page_session().open_error:
            st.error(md(page_session().open_error), icon=":material/error:")


def _forget_error() -> None:
    """Drop what was said of another way to open a video."""
    page_session().open_error = ""


def _way_back() -> None:
    """Offer the video that was put away last, with its search, and those opened before it."""
    session, core = page_session(), services.core()
    with st.container(key="recent-videos"):
        if session.left is not None:
            st.button("이전 영상으로 돌아가기", key="back-to-video", icon=":material/undo:", width="stretch", on_click=_go_back)
        recent = core.videos.recent(owner())
        if recent:
            st.markdown("**최근에 연 영상**")
        for video in recent:
            st.button(
                md(video.title, 60) or UNTITLED_VIDEO,
                key=f"recent-{video.key}",
                type="tertiary",
                icon=":material/history:",
                on_click=_open_recent,
                args=(video.key,),
            )


def _go_back() -> None:
    session = page_session()
    if session.left is None:
        return
    video, search = session.left
    job = services.core().job(search, owner()) if search else None
    if job is not None and job.question.video == video:
        address.restore(job)
    else:
        session.open(video)
    st.rerun()


def _open_recent(key: str) -> None:
    session = page_session()
    video = services.core().videos.open(key, owner())
    if video is not None:
        session.open(video)
    else:
        session.open_error = address.VIDEO_GONE
    st.rerun()


def _url_form() -> None:
    with st.form("open-url", border=False):
        url = st.text_input("YouTube 주소", key=URL_KEY, placeholder="https://www.youtube.com/watch?v=…", max_chars=500)
        sent = st.form_submit_button("열기", icon=":material/play_circle:", width="stretch")
    if sent and url:
        open_address(url)


def open_address(url: str) -> None:
    """Open the video at *url*, or say why that is not possible, and draw the page anew."""
    with st.spinner("영상 정보와 자막을 가져오고 있어요"):
        _open_result(lambda: services.core().open_video(url), instead=OR_FILE)


def _typed_form() -> None:
    with st.form("open-typed", border=False):
        title = st.text_input("영상 제목", key="typed-title", placeholder="예: 3분기 실적 발표", max_chars=300)
        text = st.text_area("내용이나 자막 (붙여 넣기)", key="typed-text", height=140, max_chars=MAX_TRANSCRIPT_CHARS)
        sent = st.form_submit_button("이 내용으로 시작", icon=":material/edit_note:", width="stretch")
    if not sent:
        return
    title, text = str(title or "").strip(), str(text or "").strip()
    if not title and not text:
        page_session().open_error = "제목이나 내용을 적어 주세요."
        st.rerun()
    _start(VideoUpload(f"{labels.TYPED_NAME}.txt", (text or title).encode()), title)


def _upload() -> None:
    recogniser = find_recogniser()
    count = st.session_state.setdefault(_UPLOADS_KEY, 0)
    service = services.core().transcription
    most = 0 if recogniser is None else service.max_bytes
    sizes = {"megabytes": MAX_FILE_MB, "sound": f"{most >> 30}GB", "hours": service.max_s / 3600}
    with st.container(key="upload-place"):
        files = st.file_uploader(
            (FILE_LABEL if recogniser is None else SOUND_FILE_LABEL).format(**sizes),
            key=f"upload-{count}",
            accept_multiple_files=True,
            max_upload_size=max(MAX_FILE_MB, most >> 20),
            help="yt-dlp의 .info.json은 자막 파일과 함께 올리면 둘을 합쳐서 읽어요.",
        )
        with st.container(key="upload-refused"):  # in sight while the browser holds a file back, which never reaches the server
            refused = FILE_REFUSED if recogniser is None else SOUND_FILE_REFUSED
            st.error(refused.format(**sizes), icon=":material/error:")
    if recogniser is None:
        st.caption(md(explain_absence(), 300))
    else:
        st.caption(NOTES[recogniser.kind].format(model=md(recogniser.model, 60)))
    if files:
        st.session_state[_UPLOADS_KEY] = count + 1  # an empty box next time: what lies in it is held in memory
        sound = any(PurePath(file.name).suffix.lower() in service.suffixes for file in files)
        outcome = _listen_to(files, service) if sound else _join_files(files)
        _forget(files)
        if isinstance(outcome, VideoUpload):
            _start(outcome)
        else:
            page_session().open_error = outcome
            st.rerun()


def _listen_to(files: Sequence[UploadedFile], service: TranscriptionService) -> str:
    """Start to transcribe the recording in *files* and return an empty text, or a sentence about why not."""
    if find_recogniser() is None:
        return explain_absence()
    if len(files) > 1:
        return ONE_SOUND
    if transcription_panel.under_way():
        return UNDER_WAY
    file = files[0]
    try:
        sound = service.receive(file.name, iter(lambda: file.read(_CHUNK_BYTES), b""))
    except TranscriptionError as error:
        return error.korean
    transcription_panel.start(sound)
    return ""


def _join_files(files: Sequence[UploadedFile]) -> VideoUpload | str:
    """Return what *files* are together, or a sentence about why they are nothing to read."""
    if len(files) == 1:
        return VideoUpload(files[0].name, files[0].getvalue())
    records = [file for file in files if file.name.lower().endswith(".json")]
    subtitles = [file for file in files if file not in records]
    if len(records) != 1 or len(subtitles) != 1:
        return "파일은 하나만, 또는 .info.json과 자막 파일 하나를 함께 올려 주세요."
    return VideoUpload(records[0].name, records[0].getvalue(), (subtitles[0].name, subtitles[0].getvalue()))


def _forget(files: Sequence[UploadedFile]) -> None:
    """Drop the bytes that Streamlit would hold until the visit is over."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _start(given: VideoUpload, title: str = "") -> None:
    """Start to read *given*, and open it at once when that is a moment's work; *title* takes the place of its own."""
    session = page_session()
    session.drop_reading()
    session.open_error = ""
    session.reading = services.core().start_reading_file(given.name, given.data, given.companion)
    session.reading_title = title
    if session.reading.wait(_AT_ONCE_S):
        _finish(session.reading)
    st.rerun()


def _finish(reading: FileReading) -> None:
    session = page_session()
    title = session.reading_title
    session.drop_reading()
    _open_result(lambda: VideoFacts(title=title).added_to(reading.result()))


def _progress() -> None:
    """Draw the reading under way, with a button that ends it; redrawn by itself until the file is read."""
    reading = page_session().reading
    if reading is None:
        return
    if reading.done:
        _finish(reading)
    frame.under_way("**파일을 읽고 있어요**", "읽기 그만두기", "cancel-reading", page_session().drop_reading)


def _open_result(read: Callable[[], VideoContext], *, instead: str = "") -> None:
    """Open what *read* returns, or note why there is nothing to open, and what to do *instead*, and draw the page anew."""
    session = page_session()
    try:
        video = read()
    except MaekrakError as error:
        session.open_error = f"{error.korean} {instead}".rstrip()
    else:
        session.open(video)
    st.rerun()
