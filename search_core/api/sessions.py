"""``GET /api/sessions`` and ``GET /api/sessions/{id}``: the caller's conversations."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter
from starlette.responses import Response

from search_core.answers.chat import Chat
from search_core.api.bodies import Core, Owner, WithVideo
from search_core.api.problems import ApiError, Json
from search_core.core import SearchCore
from search_core.domain.video import VideoContext, video_key
from search_core.video.mapping import DATES, read_day

router = APIRouter(prefix="/sessions", default_response_class=Response, tags=["sessions"])


@router.get("")
def list_sessions(core: Core, owner: Owner) -> Response:
    """List the caller's sessions, last changed first."""
    return Json({"sessions": core.chat.conversations(owner)})


@router.get("/{session_id}")
def open_session(session_id: str, core: Core, owner: Owner) -> Response:
    """Return one session with its messages, oldest first."""
    return Json(core.chat.open(session_id, owner))


def video_of(core: SearchCore, owner: str, body: WithVideo) -> VideoContext | None:
    """Return the video that *body* names or contains; raises ApiError and errors of reading it."""
    if body.video_id is not None and body.video is not None:
        raise ApiError(400, "two_videos", "Send video_id or video, not both.", "video_id와 video 가운데 하나만 보내 주세요.")
    if body.video_id is not None:
        return known_video(core, owner, body.video_id)
    if body.video is None:
        return None
    for name in DATES:
        read_day(str(body.video.get(name) or ""))
    return replace(VideoContext.from_mapping(body.video), sample=False)


def known_video(core: SearchCore, owner: str, video_id: str) -> VideoContext:
    """Return the video with that id; raises ApiError (404) if neither *owner* nor the samples have it."""
    sample = next((video for video in core.samples() if video.video_id == video_id), None)
    if sample is not None:
        return sample
    own = core.chat.conversations(owner, video_key(VideoContext(video_id=video_id))) if video_id else ()
    video = core.chat.open(own[0].id, owner).video if own else None
    if video is None:
        raise ApiError(404, "unknown_video", "No video of this id is known here.", "이 ID의 영상을 알지 못해요.")
    return video


def hold_to_video(chat: Chat, owner: str, session_id: str, body: WithVideo) -> None:
    """Raise ApiError (409) if *body* contains a video, or names another one than the conversation's."""
    if body.video_id is None and body.video is None:
        return
    video = chat.open(session_id, owner).video
    if video is None or body.video is not None or video.video_id != body.video_id:
        raise ApiError(
            409,
            "other_video",
            "The session is about another video; begin a new one without session_id.",
            "이 대화는 다른 영상에 대한 대화예요. session_id 없이 새 대화를 시작해 주세요.",
        )
