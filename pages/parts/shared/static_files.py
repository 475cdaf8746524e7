"""Files that browsers load: Streamlit's own and those in ``static/``, compressed once and cached by the browser."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from streamlit import file_util

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

FOLDER = Path(__file__).parents[3] / "static"
_TEXTS = (".js", ".css")
_NAMED_ANEW = (".woff2",)
"""Files in ``static/`` that get another name when their content changes, as all of Streamlit's own files do."""
_KEPT, _ASKED_AGAIN = "public, immutable, max-age=31536000", "no-cache"


@lru_cache
def address_of(name: str) -> str:
    """Return a page's address of a file in ``static/``, which changes with its content."""
    if name.endswith(_NAMED_ANEW):
        return f"app/static/{name}"
    return f"app/static/{name}?v={hashlib.sha256((FOLDER / name).read_bytes()).hexdigest()[:12]}"


def serve_static_files(app: ASGIApp) -> ASGIApp:
    """Return *app* behind a server of the pages' files, which compresses them as Streamlit would not; pure ASGI.

    Of the first page 2.4 of 5 MB are scripts, which compress to a quarter.
    """
    streamlit = _Files(Path(file_util.get_static_dir(), "static"), versioned=True)
    served = {"/static/": streamlit, "/app/static/": _Files(FOLDER)}

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        file: ASGIApp | None = None
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            for place, files in served.items():
                if scope["path"].startswith(place):
                    file = await files.find(scope["path"].removeprefix(place), scope)
        await (file or app)(scope, receive, send)

    return answer


class _Files(StaticFiles):
    """The files of a folder; a *versioned* file's name changes with its content."""

    def __init__(self, folder: Path, *, versioned: bool = False) -> None:
        super().__init__(directory=folder)
        self._versioned = versioned

    async def find(self, path: str, scope: Scope) -> Response | None:
        """Return the response with the file at *path*, or None."""
        try:
            answer = await self.get_response(path, scope)
        except HTTPException:
            return None
        immutable = self._versioned or path.endswith(_NAMED_ANEW) or b"v=" in scope["query_string"]
        answer.headers["cache-control"] = _KEPT if immutable else _ASKED_AGAIN
        if not path.endswith(_TEXTS):
            return answer
        answer.headers["vary"] = "accept-encoding"
        if not isinstance(answer, FileResponse) or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return answer
        packed = await anyio.to_thread.run_sync(_pack, str(answer.path))
        own = {name: answer.headers[name] for name in ("cache-control", "vary", "last-modified")}
        return Response(packed, media_type=answer.media_type, headers={**own, "content-encoding": "gzip"})


@lru_cache(maxsize=512)
def _pack(path: str) -> bytes:
    return gzip.compress(Path(path).read_bytes(), 6, mtime=0)
