"""``GET /api/sessions`` and ``GET /api/sessions/{id}``: the caller's conversations."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from search_core.answers.chat import Chat
from search_core.api.dependencies import Core, Owner
from search_core.api.openapi import answer, refusals
from search_core.api.problems import NO_STORE, ApiError
from search_core.api.serializers import conversation_body, entry_body
from search_core.core import SearchCore
from search_core.domain import VideoContext, video_key

router = APIRouter(prefix="/sessions", default_response_class=Response)


@router.get("", operation_id="sessions", responses={200: answer("All.", "Sessions")})
def list_sessions(core: Core, owner: Owner) -> Response:
    """List the caller's sessions, last changed first."""
    return JSONResponse({"sessions": [entry_body(entry) for entry in core.chat.conversations(owner)]}, headers=NO_STORE)


@router.get("/{session_id}", operation_id="session", responses={200: answer("The session.", "Session"), **refusals(404)})
def open_session(session_id: str, core: Core, owner: Owner) -> Response:
    """Return one session with its messages, oldest first."""
    return JSONResponse(conversation_body(core.chat.open(session_id, owner)), headers=NO_STORE)


def known_video(core: SearchCore, owner: str, video_id: str) -> VideoContext:
    """Return the video of that id; raises ApiError (404) when *owner* has none of it and no sample has it."""
    sample = next((video for video in core.samples() if video.video_id == video_id), None)
    if sample is not None:
        return sample
    own = core.chat.conversations(owner, video_key(VideoContext(video_id=video_id))) if video_id else ()
    video = core.chat.open(own[0].id, owner).video if own else None
    if video is None:
        raise ApiError(404, "unknown_video", "No video of this id is known here.", "이 ID의 영상을 알지 못해요.")
    return video


def hold_to_video(chat: Chat, owner: str, session_id: str, video_id: str | None) -> None:
    """Raise ApiError (409) when *video_id* names another video than the conversation is about."""
    if video_id is None:
        return
    video = chat.open(session_id, owner).video
    if video is None or video.video_id != video_id:
        raise ApiError(
            409,
            "other_video",
            "The session is about another video; begin a new one without session_id.",
            "이 대화는 다른 영상에 대한 대화예요. session_id 없이 새 대화를 시작해 주세요.",
        )
