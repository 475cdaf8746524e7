"""``/healthz`` and ``/metrics``: what an operator's tools ask; neither asks a search service."""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from search_core.errors import SettingsError
from search_core.health import overall

if TYPE_CHECKING:
    from search_core.core import SearchCore

logger = logging.getLogger(__name__)

_NO_STORE = {"Cache-Control": "no-store"}


def routes(core: Callable[[], SearchCore]) -> list[Route]:
    """Return the routes; *core* gives the one search core of the process and may take its time or raise SettingsError."""

    async def healthz(_: Request) -> Response:
        return await _guarded(lambda: _healthz(core()))

    async def metrics(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        return await _guarded(lambda: _metrics(core(), given))

    return [Route("/healthz", healthz, methods=["GET"]), Route("/metrics", metrics, methods=["GET"])]


def _healthz(core: SearchCore) -> Response:
    states = core.provider_states()
    body = {"status": overall(states.values()), "providers": {name: state.value for name, state in states.items()}}
    return JSONResponse(body, headers=_NO_STORE)


def _metrics(core: SearchCore, given: str) -> Response:
    token = core.settings.metrics_token.get_secret_value()
    if token and not _is_bearer(given, token):
        return _problem(
            401,
            "unauthorized",
            "Send the token of METRICS_TOKEN as a bearer token.",
            "METRICS_TOKEN에 적은 토큰을 Bearer로 보내 주세요.",
            {"WWW-Authenticate": 'Bearer realm="metrics"'},
        )
    text, content_type = core.metrics()
    return Response(text, headers={**_NO_STORE, "Content-Type": content_type})


def _is_bearer(header: str, token: str) -> bool:
    """Compare digests: their length says nothing about the token, and the time taken says nothing about what is right in it."""
    scheme, _, given = header.partition(" ")
    right = hmac.compare_digest(_digest(given.strip().encode("latin-1", "replace")), _digest(token.encode()))
    return right and scheme.lower() == "bearer"


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


async def _guarded(answer: Callable[[], Response]) -> Response:
    """Return what *answer* gives, worked out on a thread; a core that cannot be had is a 503 that tells no detail."""
    try:
        return await run_in_threadpool(answer)
    except SettingsError:
        return _problem(
            503,
            "settings",
            "A setting cannot be used; the log and the page say which.",
            "사용할 수 없는 설정이 있어요. 어떤 설정인지는 화면과 로그에 나와 있어요.",
        )
    except Exception:
        logger.exception("The monitoring could not be answered")
        return _problem(503, "internal", "Something went wrong; the log says what.", "문제가 생겼어요. 로그를 확인해 주세요.")


def _problem(code: int, kind: str, message: str, korean: str, headers: dict[str, str] | None = None) -> Response:
    body = {"error": {"type": kind, "message": message, "korean": korean}}
    return JSONResponse(body, status_code=code, headers={**_NO_STORE, **(headers or {})})
