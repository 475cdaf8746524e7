"""Opening a video: a sample, a recent one, an address, files, or a pasted transcript."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts.shared import address, own_documents, services, transcription_panel
from pages.parts.shared.buttons import button, quiet
from pages.parts.shared.escaping import clean, md
from pages.parts.shared.page_session import page_session
from pages.parts.shared.visitor import owner
from search_core.domain.transcription import Recogniser, RecogniserKind
from search_core.domain.video import VideoContext, video_key
from search_core.errors import MaekrakError, TranscriptionError
from search_core.search.presenting.wording import UNTITLED_VIDEO
from search_core.speech.sound import MAX_S, SUFFIXES
from search_core.video.mapping import VideoFacts
from search_core.video.upload import VideoUpload

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

MAX_FILE_MB = 20
TYPED_NAME = "직접 입력"
SAMPLE_CHARS = 40
WHAT_IT_DOES = (
    ":material/subtitles: 먼저 **자막**에서 답을 찾아 **장면**과 함께 알려드리고, “이 회사” 같은 말은 풀어서 검색해요",
    ":material/travel_explore: **{sources}**를 한 번에 찾아 영상과 관련 있는 순서로, 출처와 점수의 근거를 붙여 보여드려요",
)
FILES = "YouTube 주소나 자막을 아래에 붙여 넣으면 열려요. 자막 파일은 SRT, VTT, JSON, TXT 등을 {megabytes}MB까지 넣을 수 있어요."
NOTES = {
    RecogniserKind.ENDPOINT: "영상·소리 파일({sound}, {hours:g}시간까지)은 음성 인식({model}) 서버로 보내서 받아 적어요.",
    RecogniserKind.LOCAL: "영상·소리 파일({sound}, {hours:g}시간까지)은 음성 인식({model})으로 이 서버 안에서 받아 적어요.",
}
TAKEN_AS_TRANSCRIPT = "글 파일을 영상의 자막으로 읽었어요."


def upload_limit() -> int:
    """Return the maximum size in megabytes of a file for the box."""
    recogniser, _ = _find_recogniser()
    return MAX_FILE_MB if recogniser is None else services.core().transcription.max_bytes >> 20


def _find_recogniser() -> tuple[Recogniser | None, str]:
    """Return what would transcribe a recording, or a Korean sentence about what is missing; loads nothing that is not set up."""
    core, missing = services.core(), ""
    if core.settings.openai_transcription_model or core.settings.whisper_model:
        if (recogniser := core.transcription.recogniser) is not None:
            return recogniser, ""
        missing = core.transcription.missing
    missing = missing or "관리자가 음성 인식을 켜면 쓸 수 있어요. 그때까지는 자막 파일을 올려 주세요."
    return None, f"자막이 없는 영상과 소리 파일은 지금 받아 적을 수 없어요. {missing}"


def welcome(ask: Callable[[str], None]) -> None:
    """Introduce the app; offer samples and recent videos, or example questions about the open one."""
    video = page_session().video
    with st.container(key="work-welcome"):
        title = "영상을 보다 생긴 질문을, 그 영상의 맥락으로 찾아요" if video is None else "이 영상에 대해 물어보세요"
        st.markdown(f"## {title}", anchors=False)
        sources = "웹과 내 자료" if services.core().chat.can_check() else "내 자료"
        st.markdown("\n\n".join(WHAT_IT_DOES).format(sources=sources))
        if not services.core().settings.openai_model:
            st.caption("AI 모델이 연결되어 있지 않아서, 자막과 자료에서 뽑은 문장으로 답해요.")
        if video is not None:
            services.core().read_ahead(video)
            _examples(ask)
            return
        _samples()
        _recent()
        _what_files()


def _examples(ask: Callable[[str], None]) -> None:
    questions = services.core().example_questions(page_session().video)
    if questions:
        with st.container(horizontal=True, key="examples", vertical_alignment="center"):
            st.caption("예시", width="content")
            for index, question in enumerate(questions):
                button(md(question, 80), ask, question, key=f"example-{index}")


def _samples() -> None:
    first, *others = enumerate(services.core().samples())
    with st.container(horizontal=True, key="examples-samples", vertical_alignment="center"):
        st.caption("예시 영상", width="content")
        _sample(*first)
        with st.popover("다른 예시", key="other-samples", type="tertiary"):
            for index, video in others:
                _sample(index, video)


def _sample(index: int, video: VideoContext) -> None:
    title = md(clean(video.title, SAMPLE_CHARS), SAMPLE_CHARS)
    button(title, _open, video_key(video), key=f"open-sample-{index}", icon="play_circle")


def _recent() -> None:
    recent = services.core().videos.recent(owner())
    with st.container(horizontal=True, vertical_alignment="center", key="recent-videos"):
        if recent:
            st.caption("최근에 연 영상", width="content")
        for video in recent[:2]:
            title = md(clean(video.title, SAMPLE_CHARS), SAMPLE_CHARS) or UNTITLED_VIDEO
            quiet(title, _open, video.key, key=f"recent-{video.key}")


def _what_files() -> None:
    recogniser, missing = _find_recogniser()
    words = FILES.format(megabytes=MAX_FILE_MB)
    if own_documents.may_add():
        words += " PDF, DOCX, HWPX, MD, HTML 문서는 내 자료에 넣어 두고 질문할 때 함께 찾아요."
    if recogniser is None:
        st.caption(f"{words} {md(missing, 300)}")
    else:
        sound = f"{services.core().transcription.max_bytes >> 30}GB"
        sizes = {"sound": sound, "hours": MAX_S / 3600, "model": md(recogniser.model, 60)}
        st.caption(f"{words} {NOTES[recogniser.kind].format(**sizes)}")


def opening() -> None:
    """Draw what is being opened or transcribed, how a file was interpreted, and what failed."""
    session = page_session()
    if session.video is None:
        transcription_panel.transcription()
    if session.open_error:
        st.error(md(session.open_error), icon=":material/error:")
    if session.notice:
        st.info(md(session.notice), icon=":material/info:")


def _open(key: str) -> None:
    session, video = page_session(), address.known_video(key)
    if video is not None:
        session.open(video)
    else:
        session.open_error = address.VIDEO_GONE
    st.rerun()


def open_address(url: str, question: str = "") -> None:
    """Open the video at *url* and ask *question*, or say why not, and redraw the page."""
    with st.spinner("영상 정보와 자막을 가져오고 있어요"):
        _open_result(lambda: services.core().open_video(url), question, instead="자막 파일이 있으면 그 파일을 넣어도 돼요.")


def open_text(text: str, taken_for: str) -> None:
    """Read *text* as a transcript named after its first line, and say what it was *taken_for*."""
    first = next(filter(None, (line.strip() for line in text.splitlines())), "")
    _read(VideoUpload(f"{TYPED_NAME}.txt", text.encode()), clean(first, 60), taken_for)


def take_files(files: Sequence[UploadedFile], question: str) -> None:
    """Put *files* into the library if all are documents, else open them as a video; then ask *question*."""
    if any(PurePath(file.name).suffix.lower() not in own_documents.DOCUMENTS for file in files):
        _open_files(files, question)
        return
    documents = {file.name: file.getvalue() for file in files}
    _forget(files)
    own_documents.add(documents, question)


def _open_files(files: Sequence[UploadedFile], question: str) -> None:
    """Read *files* (subtitles, perhaps with a record) or transcribe a recording; then ask the *question* that came along."""
    sound = any(PurePath(file.name).suffix.lower() in SUFFIXES for file in files)
    outcome = _listen_to(files, question) if sound else _join_files(files)
    _forget(files)
    if isinstance(outcome, VideoUpload):
        _read(outcome, question=question)
        return
    session = page_session()
    session.open_error, session.draft = outcome, question if outcome else session.draft
    st.rerun()


def _listen_to(files: Sequence[UploadedFile], question: str) -> str:
    """Start to transcribe the recording in *files*; return an empty text, or a sentence about why not."""
    recogniser, missing = _find_recogniser()
    if recogniser is None:
        return missing
    if len(files) > 1:
        return "영상이나 소리 파일은 하나만 올려 주세요."
    if transcription_panel.under_way():
        return "이미 받아 적고 있는 파일이 있어요. 끝나거나 멈춘 뒤에 올려 주세요."
    file = files[0]
    try:
        sound = services.core().transcription.receive(file.name, iter(lambda: file.read(1 << 20), b""))
    except TranscriptionError as error:
        return error.korean
    return transcription_panel.start(sound, question)


def _join_files(files: Sequence[UploadedFile]) -> VideoUpload | str:
    """Return *files* as one upload, or a sentence about why they cannot be read."""
    if len(files) == 1:
        return VideoUpload(files[0].name, files[0].getvalue())
    records = [file for file in files if file.name.lower().endswith(".json")]
    subtitles = [file for file in files if file not in records]
    if len(records) != 1 or len(subtitles) != 1:
        return "파일은 하나만, 또는 .info.json과 자막 파일 하나를 함께 올려 주세요."
    return VideoUpload(records[0].name, records[0].getvalue(), (subtitles[0].name, subtitles[0].getvalue()))


def _forget(files: Sequence[UploadedFile]) -> None:
    """Drop the uploaded bytes that Streamlit would keep until the visit ends."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for file in files:
            context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _read(upload: VideoUpload, title: str = "", taken_for: str = "", question: str = "") -> None:
    taken_for = taken_for or (TAKEN_AS_TRANSCRIPT if PurePath(upload.name).suffix.lower() in (".txt", ".text") else "")

    def read() -> VideoContext:
        video = services.core().read_file(upload.name, upload.data, upload.companion)
        return VideoFacts(title=title).added_to(video)

    with st.spinner("파일을 읽고 있어요"):
        _open_result(read, question, taken_for=taken_for)


def _open_result(read: Callable[[], VideoContext], question: str, *, instead: str = "", taken_for: str = "") -> None:
    """Open the video that *read* returns, say how its file was interpreted and ask *question*.

    Where there is nothing to open, say why and what to do *instead*, and put the question back into the box.
    """
    session = page_session()
    try:
        video = read()
    except MaekrakError as error:
        session.open_error, session.notice = f"{error.korean} {instead}".rstrip(), ""
        session.draft = question or session.draft
    else:
        session.open(video, question)
        session.notice = "" if video.timed and taken_for == TAKEN_AS_TRANSCRIPT else taken_for
    st.rerun()
