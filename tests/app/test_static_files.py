"""What browsers load of the app: compressed once, kept as long as its content stays, and nothing outside of its folders."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import httpx
from starlette.responses import PlainTextResponse

from pages.parts.shared import server, static_files
from pages.parts.shared.static_files import FOLDER, address_of, serve_static_files

KEPT = "public, immutable, max-age=31536000"
PASSED_ON = PlainTextResponse("passed on", 404)


def ask(path: str, *, method: str = "GET", **headers: str) -> httpx.Response:
    """Return the answer to a request for *path*, in front of a server that has no file."""
    transport = httpx.ASGITransport(serve_static_files(PASSED_ON))

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
            return await client.request(method, path, headers={"accept-encoding": "identity", **headers})

    return asyncio.run(send())


def test_scripts_and_styles_come_compressed():
    """A browser that takes gzip gets the same text in less than half of the bytes; another one gets it as it is."""
    plain = ask(f"/{address_of('styles.css')}")
    packed = ask(f"/{address_of('styles.css')}", **{"accept-encoding": "gzip"})
    assert plain.content == packed.content == (FOLDER / "styles.css").read_bytes()
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"] == "text/css; charset=utf-8"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert {plain.headers["vary"], packed.headers["vary"]} == {"accept-encoding"}
    assert gzip.decompress(static_files._pack(str(FOLDER / "page.js"))) == (FOLDER / "page.js").read_bytes()


def test_a_browser_keeps_what_has_a_name_of_its_own():
    """Fonts, Streamlit's scripts and addresses with a version are kept for a year; a bare name is asked for again."""
    script = next(Path(static_files.file_util.get_static_dir(), "static", "js").glob("index.*.js")).name
    for path in ("/app/static/Pretendard-common.woff2", f"/static/js/{script}", f"/{address_of('page.js')}"):
        assert ask(path).headers["cache-control"] == KEPT
    bare = ask("/app/static/page.js")
    assert bare.headers["cache-control"] == "no-cache"
    again = ask("/app/static/page.js", **{"if-none-match": bare.headers["etag"], "accept-encoding": "gzip"})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_not_there_is_passed_on():
    """Another folder, a missing file, a way out of the folder and other methods are none of its business."""
    outside = ("/app/static/../app.py", "/app/static/%2e%2e/app.py")
    for path in ("/static/js/nothing.js", "/app/static/nothing.css", "/chat", *outside):
        assert ask(path).text == "passed on", path
    assert ask("/app/static/page.js", method="POST").text == "passed on"


def test_the_index_page_names_what_it_needs():
    """Styles come after Streamlit's in the body; our font and its icons are loaded at once, and every file named is there."""
    answer = asyncio.run(server.routes()[0].endpoint(None))  # type: ignore[attr-defined]
    page = answer.body.decode()
    assert "<title>맥락 · 영상의 맥락으로 찾는 검색</title>" in page
    assert page.index('<link rel="stylesheet" href="./app/static/styles.css?v=') > page.index("<body>")
    fonts = re.findall(r'<link rel="preload" href="\./([^"]+)" as="font"', page)
    assert [name.rpartition("/")[2].partition(".")[0] for name in fonts] == ["Pretendard-common", "MaterialSymbols-Rounded"]
    for address in (*fonts, *re.findall(r'"\./(app/static/[^"]+)"', page)):
        assert ask(f"/{address}").status_code == 200
    assert "prerenderReady = false" not in page
