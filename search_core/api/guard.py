"""Access control of ``/api``: tokens, origins and rates."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from search_core.api.allowed_hosts import CALLER, Caller, address_key, digest, is_bearer, is_on_this_machine, is_same_origin
from search_core.api.bodies import MAX_BODY_BYTES, too_large_error
from search_core.api.problems import ApiError, problem_of, unauthorized_error
from search_core.core import SearchCore
from search_core.runtime import Lazy
from search_core.settings import Settings

WRONG_TOKENS = parse("30/minute")
"""Most requests with a wrong or missing token from one address."""


class Guard:
    """Passes requests with their caller to *app*, and answers refused ones itself; *core* returns the core and may block."""

    def __init__(self, app: ASGIApp, core: Callable[[], SearchCore]) -> None:
        self._app = app
        self._gate = Lazy(lambda: _Gate(core().settings))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            if (gate := self._gate.made) is None:
                gate = await run_in_threadpool(self._gate)
            scope[CALLER] = await gate.admit(scope)
        except Exception as error:  # noqa: BLE001  whatever keeps the core from being built is answered as a problem
            await problem_of(error).response()(scope, receive, send)
            return
        await self._app(scope, receive, send)


class _Gate:
    """Holds the access rules in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._tokens = {digest(token): name for token, name in settings.tokens.items()}
        self._limit = parse(settings.api_rate_limit) if settings.api_rate_limit else None
        self._counted = MovingWindowRateLimiter(MemoryStorage())

    async def admit(self, scope: Scope) -> Caller:
        """Return the caller, with the request counted; raises ApiError (401, 403, 413, 429)."""
        if not is_same_origin(scope):
            message, korean = "Pages of other sites may not call the API.", "다른 사이트의 페이지에서는 쓸 수 없어요."
            raise ApiError(403, "foreign_origin", message, korean)
        caller = await self._caller(scope)
        if self._limit is not None:
            await self._count(self._limit, caller.key)
        if int(Headers(scope=scope).get("content-length", "0")) > MAX_BODY_BYTES:
            raise too_large_error()
        return caller

    async def _caller(self, scope: Scope) -> Caller:
        address = f"address {address_key(scope)}"
        if not self._tokens:
            if not is_on_this_machine(scope):
                raise unauthorized_error("api", *_NO_TOKENS)
            return Caller(owner="", key=address)
        header = Headers(scope=scope).get("authorization", "")
        names = [name for token_digest, name in self._tokens.items() if is_bearer(header, token_digest)]
        if not names:
            await self._count(WRONG_TOKENS, f"wrong token, {address}")
            raise unauthorized_error("api", *_WRONG_TOKEN)
        return Caller(owner=names[0], key=f"token {names[0]}")

    async def _count(self, limit: RateLimitItem, key: str) -> None:
        """Count a request of *key* in this process; raises ApiError past *limit*."""
        if not await self._counted.hit(limit, key):
            window = await self._counted.get_window_stats(limit, key)
            wait_s = max(1, math.ceil(window.reset_time - time.time()))
            raise ApiError(
                429,
                "too_many_requests",
                f"Too many requests; try again in {wait_s} s.",
                f"요청이 너무 많아요. {wait_s}초 뒤에 다시 요청해 주세요.",
                headers={"Retry-After": str(wait_s)},
            )


_NO_TOKENS = (
    "Without API_TOKENS only this machine is answered; set API_TOKENS=name:token and send the token as a bearer token.",
    "API_TOKENS를 설정하지 않아 이 컴퓨터의 요청만 받아요. API_TOKENS=이름:토큰을 설정하고 토큰을 Bearer로 보내 주세요.",
)
_WRONG_TOKEN = ("Send a token of API_TOKENS as a bearer token.", "API_TOKENS에 적은 토큰을 Bearer로 보내 주세요.")
