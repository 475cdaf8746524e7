"""How much of a visitor's files the server takes in."""

from __future__ import annotations

import asyncio

from pages.parts.uploads import UPLOADS, Uploads


def test_uploads_under_way_count_towards_the_limit_of_their_visitor():
    """Of two files of 60 bytes that arrive together under a limit of 100, the second is refused; another visitor's is not."""
    answered: dict[str, int] = {}

    async def send_all() -> None:
        first_is_in, go_on = asyncio.Event(), asyncio.Event()

        async def keep(scope, receive, send) -> None:
            first_is_in.set()
            await go_on.wait()
            await send({"type": "http.response.start", "status": 204, "headers": []})

        limited = Uploads(keep, visitor_bytes=100, all_bytes=1000)

        async def put(visit: str, file: str) -> None:
            async def send(message) -> None:
                if message["type"] == "http.response.start":
                    answered[file] = message["status"]

            headers = [(b"content-length", b"60")]
            scope = {"type": "http", "method": "PUT", "path": f"{UPLOADS}{visit}/{file}", "headers": headers}
            await limited(scope, asyncio.Queue().get, send)

        first = asyncio.create_task(put("a", "first"))
        await first_is_in.wait()
        other = asyncio.create_task(put("b", "other"))
        await asyncio.wait_for(put("a", "second"), 10)
        go_on.set()
        await asyncio.gather(first, other)
        await put("a", "later")

    asyncio.run(send_all())
    assert answered == {"first": 204, "other": 204, "second": 413, "later": 204}
