"""What the server answers beside the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse
from starlette.routing import Route

from pages.parts import labels, services
from search_core import api

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def routes() -> list[Route]:
    """Return the routes for machines; an unknown address under /api is a 404, where Streamlit would answer with its page."""
    return [*api.routes(services.core), Route("/api/{rest:path}", _unknown, methods=_METHODS)]


async def _unknown(_: Request) -> Response:
    body = {"error": {"type": "not_found", "message": "There is no such address.", "korean": labels.NO_SUCH_ADDRESS}}
    return JSONResponse(body, status_code=404)
