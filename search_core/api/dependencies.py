"""What handlers of requests ask for by their parameters' types."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from search_core.api.allowed_hosts import caller_of
from search_core.core import SearchCore


def _core(request: Request) -> SearchCore:
    core: SearchCore = request.app.state.core()  # may block: FastAPI calls what is no coroutine on a thread
    return core


async def _owner(request: Request) -> str:
    return caller_of(request.scope).owner


Core = Annotated[SearchCore, Depends(_core)]
Owner = Annotated[str, Depends(_owner)]
"""The caller, as the guard found out."""
