"""``GET /api/sessions`` and ``GET /api/sessions/{id}``: the caller's conversations."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from search_core.api.dependencies import Core, Owner
from search_core.api.openapi import answer, refusals
from search_core.api.problems import NO_STORE
from search_core.api.serializers import conversation_body, entry_body

router = APIRouter(prefix="/sessions", default_response_class=Response)


@router.get("", operation_id="sessions", responses={200: answer("All.", "Sessions")})
def list_sessions(core: Core, owner: Owner) -> Response:
    """List the caller's sessions, last changed first."""
    return JSONResponse({"sessions": [entry_body(entry) for entry in core.chat.conversations(owner)]}, headers=NO_STORE)


@router.get("/{session_id}", operation_id="session", responses={200: answer("The session.", "Session"), **refusals(404)})
def open_session(session_id: str, core: Core, owner: Owner) -> Response:
    """Return one session with its messages, oldest first."""
    return JSONResponse(conversation_body(core.chat.open(session_id, owner)), headers=NO_STORE)
