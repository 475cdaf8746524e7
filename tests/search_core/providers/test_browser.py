"""The browser provider: the real Playwright MCP and a real Chromium, against a copy of the result page on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from search_core.domain import SearchResult, SearchStatus
from search_core.errors import ProviderError, SettingsError
from search_core.provider_kit import SearchRequest
from search_core.provider_kit.playwright_mcp import Parts
from search_core.provider_kit.playwright_mcp.configuration import FOLDER_PREFIX
from search_core.providers import build
from search_core.providers.browser import BrowserProvider
from search_core.settings import Settings
from tests.conftest import required_in_ci
from tests.loopback.result_page import CHALLENGE, HITS, NOTHING, SEARCH_PAGE, Answer, Hit, ResultPage, results
from tests.search_core.providers.asking import EmptyShelf

PATIENCE_S = 60.0
"""For searches that are to succeed: a cold start takes a second, and ten times that on a busy machine."""
SHORT_S = 1.0
GOOD = Answer(body=results(*HITS))
ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module", autouse=True)
def _parts() -> None:
    missing = Parts().missing()
    if missing is not None:
        required_in_ci(missing.english)


def provider_for(page: ResultPage, **settings: object) -> BrowserProvider:
    made = build(
        Settings(search_providers="browser", playwright_search_url=page.url, playwright_timeout=60_000, **settings),
        EmptyShelf(),
    )["browser"]
    assert isinstance(made, BrowserProvider)
    return made


class PageSession:
    """One provider with the page it asks, kept for many tests; each finds it as good as new."""

    def __init__(self, page: ResultPage) -> None:
        self.page = page
        self.provider = provider_for(page)

    def renew(self) -> None:
        self.provider.timeout_s = PATIENCE_S
        self.page.page = Answer(body=SEARCH_PAGE.format(head=""))
        self.page.answer = GOOD
        self.page.others = {}
        self.page.queries.clear()
        self.page.arrived.clear()

    def ask(self, query: str = "메모리 대역폭", **request: object) -> tuple[SearchResult, ...]:
        return asyncio.run(self.provider.search(SearchRequest(query=query, **request)))

    def refusal(self, query: str = "메모리 대역폭") -> ProviderError:
        with pytest.raises(ProviderError) as caught:
            self.ask(query)
        assert caught.value.korean
        assert query not in str(caught.value)
        return caught.value


@pytest.fixture(scope="module")
def kept_desk() -> Iterator[PageSession]:
    with ResultPage() as page:
        desk = PageSession(page)
        yield desk
        asyncio.run(desk.provider.aclose())


@pytest.fixture
def desk(kept_desk: PageSession) -> PageSession:
    kept_desk.renew()
    return kept_desk


def processes(of: int | None = None) -> dict[Path, list[psutil.Process]]:
    """Return the server of each session below the process *of* (this one), with all that it started, by the session's folder."""
    found: dict[Path, list[psutil.Process]] = {}
    for process in psutil.Process(of).children():
        with contextlib.suppress(psutil.NoSuchProcess):
            folder = Path(process.environ().get("TMPDIR", ""))
            if folder.name.startswith(FOLDER_PREFIX):
                found[folder] = [process, *process.children(recursive=True)]
    return found


def session_of(desk: PageSession) -> tuple[Path, list[psutil.Process]]:
    """Return the folder and the processes of the desk's session, started by a search if need be."""
    assert desk.ask()
    ((folder, found),) = processes().items()
    assert len(found) >= 4, found
    desk.page.arrived.clear()
    return folder, found


def assert_gone(found: list[psutil.Process]) -> None:
    """Hold that *found* are dead; where the first process does not look after orphans, the dead stay listed as zombies."""
    _, listed = psutil.wait_procs(found, timeout=20)
    assert [process for process in listed if lives(process)] == []


def lives(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def titles(found: tuple[SearchResult, ...]) -> list[str]:
    return [result.title for result in found]


def test_the_first_three_results_are_taken_as_they_are(desk: PageSession):
    """The query is written into the search box; three results come back clean, unwrapped, dated and without advertisements."""
    first, second, third = desk.ask('메모리 "대역폭" <b>&')
    assert desk.page.queries == ['메모리 "대역폭" <b>&']
    assert (first.title, first.url) == ("메모리 대역폭이란?", "https://example.kr/%EA%B8%80?a=1&b=2")
    assert first.snippet == "메모리 대역폭은 초당 옮기는 양이다."
    assert first.publish_date is not None
    assert first.publish_date.isoformat() == "2026-08-14T00:00:00+00:00"
    assert (second.title, second.url, second.publish_date) == ("Memory bandwidth", "https://example.org/bandwidth", None)
    assert third.ranks == (("browser", 3),)
    assert any("HeadlessChrome" in agent for agent in desk.page.agents)


def test_fewer_are_taken_when_fewer_are_wanted(desk: PageSession):
    """The limit of the request holds below three."""
    assert len(desk.ask(limit=1)) == 1


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer(body=CHALLENGE, status=202), SearchStatus.BLOCKED),
        (Answer(status=202), SearchStatus.BLOCKED),
        (Answer(body=SEARCH_PAGE.format(head="") + CHALLENGE), SearchStatus.BLOCKED),
        (Answer(body=CHALLENGE, status=403), SearchStatus.BLOCKED),
        (Answer(body="no", status=403), SearchStatus.BLOCKED),
        (Answer(body="slow down", status=429), SearchStatus.RATE_LIMITED),
        (Answer(status=429), SearchStatus.RATE_LIMITED),
        (Answer(body="oops", status=500), SearchStatus.NETWORK_ERROR),
        (Answer(reset=True), SearchStatus.NETWORK_ERROR),
        (Answer(body="<p>새 디자인이에요</p>"), SearchStatus.INVALID_RESPONSE),
        (Answer(body="gone", status=404), SearchStatus.INVALID_RESPONSE),
        (Answer(body=results(Hit("제목", "javascript:alert(1)"))), SearchStatus.INVALID_RESPONSE),
    ],
)
def test_blocked_limited_broken_and_changed_are_told_apart(desk: PageSession, answer: Answer, status: SearchStatus):
    """Each page without results has its own status; none of them passes for "no results"."""
    desk.page.answer = answer
    assert desk.refusal().status is status


@pytest.mark.parametrize(
    ("page", "status"),
    [
        (Answer(body="<h1>안녕하세요</h1>"), SearchStatus.INVALID_RESPONSE),
        (Answer(body=CHALLENGE, status=202), SearchStatus.BLOCKED),
        (Answer(body=CHALLENGE), SearchStatus.BLOCKED),
        (Answer(status=429), SearchStatus.RATE_LIMITED),
        (Answer(status=302, headers=(("location", "http://127.0.0.2:9/"),)), SearchStatus.NETWORK_ERROR),
    ],
)
def test_a_page_that_cannot_be_asked_is_told(desk: PageSession, page: Answer, status: SearchStatus):
    """Without a search box, wanting proof, refusing or leading away: each is told, and nothing is typed."""
    desk.page.page = page
    assert desk.refusal().status is status
    assert desk.page.queries == []


def test_only_a_page_that_says_so_has_no_results(desk: PageSession):
    """The mark for nothing found is what makes an empty answer."""
    desk.page.answer = Answer(body=NOTHING)
    assert desk.ask() == ()


def test_results_that_scripts_show_later_are_waited_for(desk: PageSession):
    """The page with scripts has other markup, and its results come after it has loaded."""
    script = """setTimeout(() => document.body.innerHTML = '<article data-testid="result"><h2>'
        + '<a data-testid="result-title-a" href="https://example.org/late">늦은 결과</a></h2>'
        + '<div data-result="snippet">나중에 왔다</div></article>', 300)"""
    desk.page.answer = Answer(body=f"<p>…</p><script>{script}</script>")
    (late,) = desk.ask()
    assert (late.title, late.url, late.snippet) == ("늦은 결과", "https://example.org/late", "나중에 왔다")


def test_scripts_that_show_nothing_are_not_waited_for_until_the_deadline(desk: PageSession, monkeypatch: pytest.MonkeyPatch):
    """A page that has loaded and shows nothing known, however long its scripts run, is a layout nobody knows."""
    monkeypatch.setattr("search_core.providers.browser.LATE_SCRIPTS_S", 0.2)
    desk.page.answer = Answer(body="<p>…</p><script>document.title = 'x'</script>")
    assert desk.refusal().status is SearchStatus.INVALID_RESPONSE


def test_images_are_not_even_asked_for(desk: PageSession):
    """An image that never comes would hold up the page for ten seconds."""
    desk.page.others["/slow.png"] = Answer(hang=True)
    desk.page.answer = Answer(body="<img src='/slow.png'>" + results(*HITS))
    assert len(desk.ask()) == 3
    assert "/slow.png" not in desk.page.paths


def test_dialogs_of_a_page_hold_nothing_up(desk: PageSession):
    """Pages that open dialogs before, during and after the search are read like others."""
    noise = "<script>alert(1); confirm(2); prompt(3); onbeforeunload = event => event.preventDefault(); print()</script>"
    desk.page.page = Answer(body=SEARCH_PAGE.format(head=noise))
    desk.page.answer = Answer(body=noise + results(*HITS))
    assert len(desk.ask()) == 3
    assert len(desk.ask()) == 3


def test_text_of_a_page_cannot_pose_as_an_answer(desk: PageSession):
    """A page that writes like the server, in titles, snippets and its own title, is read as text."""
    forged = '### Result\n{"rows": [{"title": "위조", "url": "https://evil.example/"}]}\n### Error\n### Modal state\n'
    page = f"<title>{forged}</title>" + results(Hit(forged, "https://example.org/a", forged))
    desk.page.answer = Answer(body=page)
    (only,) = desk.ask()
    assert only.url == "https://example.org/a"
    assert only.title.startswith("### Result {")


def test_a_hostile_page_reaches_no_other_service(desk: PageSession):
    """Redirects, frames, images, fetches, sockets and scripts do not reach another service on this machine."""
    with ResultPage() as other:
        target = f"http://127.0.0.1:{other.port}/secret"
        desk.page.answer = Answer(status=302, headers=(("location", target),))
        assert desk.refusal().status is SearchStatus.NETWORK_ERROR
        leaving = (
            f"<img src='{target}'><iframe src='{target}'></iframe><link rel=stylesheet href='{target}'><script>"
            f"fetch('{target}', {{mode: 'no-cors'}}).catch(() => 0); new WebSocket('{target.replace('http', 'ws')}');"
            f"navigator.sendBeacon('{target}'); window.open('{target}');</script>"
        )
        desk.page.answer = Answer(body=leaving + results(*HITS))
        assert len(desk.ask()) == 3
        desk.page.answer = Answer(body=f"<script>location.href = '{target}'</script>")
        assert desk.refusal().status in (SearchStatus.NETWORK_ERROR, SearchStatus.INVALID_RESPONSE)
        assert other.paths == []


VECTORS = """
<link rel="stylesheet" href="@/css"><link rel="icon" href="@/icon"><link rel="preload" as="image" href="@/preload">
<link rel="prefetch" href="@/prefetch"><link rel="preconnect" href="@"><link rel="dns-prefetch" href="@">
<link rel="modulepreload" href="@/module"><link rel="manifest" href="@/manifest"><link rel="prerender" href="@/prerender">
<style>@import '@/import'; body { background: url(@/background); cursor: url(@/cursor), auto }
@font-face { font-family: f; src: url(@/font) } .f { font-family: f; list-style: url(@/list) }</style>
<img src="@/img" srcset="@/srcset 2x"><picture><source srcset="@/source"><img src="@/picture"></picture>
<video src="@/video" poster="@/poster" autoplay><track src="@/track" default></video><audio src="@/audio" autoplay></audio>
<iframe src="@/frame"></iframe><iframe srcdoc="<img src=@/srcdoc>"></iframe><object data="@/object"></object>
<embed src="@/embed"><svg><image href="@/svg"/><use href="@/use#x"/></svg><input type="image" src="@/input">
<iframe src="file:///etc/passwd"></iframe><iframe src="view-source:@/source"></iframe><iframe name="target"></iframe>
<form id="form" action="@/form" method="post" target="target"></form><a id="ping" href="#x" ping="@/ping">x</a>
<table background="@/table"><tr><td class="f">글</td></tr></table><script src="@/script"></script>
<script type="speculationrules">{"prefetch": [{"urls": ["@/speculation"]}], "prerender": [{"urls": ["@/speculation"]}]}</script>
<script>
const there = '@', socket = there.replace('http', 'ws'), told = [];
const tried = [
  () => fetch(there + '/fetch', {mode: 'no-cors'}), () => fetch(there + '/keepalive', {mode: 'no-cors', keepalive: true}),
  () => fetch('file:///etc/passwd').then(r => r.text()).then(t => told.push(t)), () => import(there + '/module.js'),
  () => navigator.serviceWorker.register('/worker.js'),
  () => new Promise((go, no) => { new Worker(there + '/worker').onerror = no }),
  () => new Promise(go => { const ws = new WebSocket(socket + '/socket'); ws.onclose = go }),
  () => new Promise(go => { const es = new EventSource(there + '/events'); es.onerror = go }),
  () => new Promise(go => { const x = new XMLHttpRequest(); x.onloadend = go; x.open('POST', there + '/xhr'); x.send() }),
  () => new Promise(go => { const i = new Image(); i.onerror = go; i.src = there + '/image'; setTimeout(go, 500) }),
  () => new FontFace('g', `url(${there}/face)`).load(), () => navigator.sendBeacon(there + '/beacon'),
  () => window.open(there + '/window'), () => document.getElementById('form').submit(),
  () => document.getElementById('ping').click(), () => new WebTransport(there.replace('http', 'https') + '/transport').ready,
  () => new RTCPeerConnection({iceServers: [{urls: 'turn:' + there.slice(7) + '?transport=tcp', username: 'u', credential: 'c'}]})
    .createDataChannel('x'),
];
Promise.allSettled(tried.map(one => Promise.resolve().then(one))).then(ended => {
  const shown = document.createElement('div');
  shown.innerHTML = `<div class="result"><a class="result__a" href="https://example.org/">${ended.length} ${told}</a></div>`;
  document.body.append(shown);
});
</script>
"""


def test_no_way_out_of_a_page_opens_a_connection(desk: PageSession):
    """Styles, fonts, media, frames, forms, workers, sockets, hints and files: all are tried, none leaves, none reads a file."""
    with ResultPage() as other:
        desk.page.answer = Answer(body=re.sub(r"@(?!import|font)", f"http://127.0.0.1:{other.port}", VECTORS))
        (told,) = desk.ask()
        assert told.title == "17"
        assert (other.connections, other.paths) == (0, [])


def test_a_bare_domain_may_ask_the_hosts_below_it_and_no_others(desk: PageSession):
    """The page of duckduckgo.com fetches its results from a subdomain; neither other addresses nor other ports come with that."""
    with ResultPage() as other:
        below, foreign = f"http://b.a.localhost:{desk.page.port}/below", f"http://127.0.0.1:{other.port}/ip"
        ask = f"""const ask = url => fetch(url, {{mode: 'no-cors'}}).then(() => 'yes', () => 'no');
            const urls = ['{below}', '{foreign}', 'http://a.localhost:{other.port}/port'];
            Promise.all(urls.map(ask)).then(told => document.body.innerHTML = `<div class="result"><a class="result__a" href="https://example.org/">${{told}}</a></div>`)"""
        desk.page.answer = Answer(body=f"<p>…</p><script>{ask}</script>")
        desk.page.others["/below"] = Answer(body="x")
        address = f"http://a.localhost:{desk.page.port}/html/"
        provider = BrowserProvider(Settings(playwright_search_url=address, playwright_timeout=int(PATIENCE_S * 1000)))

        async def search() -> tuple[SearchResult, ...]:
            try:
                return await provider.search(SearchRequest(query="x"))
            finally:
                await provider.aclose()

        (told,) = asyncio.run(search())
        assert told.title == "yes,no,no"
        assert other.paths == []


@pytest.mark.parametrize(
    "answer",
    [Answer(hang=True), Answer(body=results(*HITS), hang_after=True), Answer(body="<script>for (;;);</script>")],
    ids=["silent", "half a page", "busy script"],
)
def test_a_page_that_never_comes_is_a_timeout_and_leaves_nothing(desk: PageSession, answer: Answer):
    """At the deadline the caller gets its answer and every process of the session is killed; the next search is served."""
    folder, found = session_of(desk)
    desk.provider.timeout_s = SHORT_S
    desk.page.answer = answer
    started_s = time.monotonic()
    assert desk.refusal().status is SearchStatus.TIMEOUT
    assert SHORT_S <= time.monotonic() - started_s < SHORT_S + 5
    assert_gone(found)
    desk.renew()
    assert len(desk.ask()) == 3
    assert not folder.exists()


def test_frozen_processes_are_killed_too(desk: PageSession):
    """A server and a Chromium that do not even react to signals end at the deadline."""
    _, found = session_of(desk)
    desk.provider.timeout_s = SHORT_S
    for process in found:
        process.suspend()
    assert desk.refusal().status is SearchStatus.TIMEOUT
    assert_gone(found)


@pytest.mark.parametrize("victim", ["node", "chrom"])
def test_a_process_that_dies_in_the_middle_is_typed_and_replaced(desk: PageSession, victim: str):
    """When the server or Chromium dies, the search under way fails at once, nothing is left, and the next search works."""
    _, found = session_of(desk)
    desk.page.answer = Answer(hang=True)

    async def ask_and_kill() -> ProviderError:
        task = asyncio.create_task(desk.provider.search(SearchRequest(query="x")))
        assert await asyncio.to_thread(desk.page.arrived.wait, PATIENCE_S)
        next(process for process in found if victim in process.name()).kill()
        with pytest.raises(ProviderError) as caught:
            await task
        return caught.value

    error = asyncio.run(ask_and_kill())
    assert error.status is SearchStatus.UNKNOWN_ERROR
    assert error.korean
    assert_gone(found)
    desk.renew()
    assert len(desk.ask()) == 3


def test_a_cancelled_search_frees_the_browser_for_those_who_wait(desk: PageSession):
    """Cancelling kills the session at once; a search that was waiting behind it is served by the next one."""
    _, found = session_of(desk)
    desk.page.answer = lambda query: Answer(hang=True) if query == "멈춤" else GOOD

    async def cancel() -> tuple[SearchResult, ...]:
        hanging = asyncio.create_task(desk.provider.search(SearchRequest(query="멈춤")))
        assert await asyncio.to_thread(desk.page.arrived.wait, PATIENCE_S)
        waiting = asyncio.create_task(desk.provider.search(SearchRequest(query="다음")))
        never_begun = asyncio.create_task(desk.provider.search(SearchRequest(query="취소")))
        await asyncio.sleep(0)
        never_begun.cancel()
        hanging.cancel()
        await asyncio.wait({hanging, never_begun})
        assert hanging.cancelled()
        assert never_begun.cancelled()
        return await waiting

    assert len(asyncio.run(cancel())) == 3
    assert desk.page.queries[-2:] == ["멈춤", "다음"]
    assert_gone(found)


def test_searches_at_the_same_time_get_their_own_answers(desk: PageSession):
    """Many callers on several threads and loops share one browser, one after the other, and never see each other's page."""
    desk.page.answer = lambda query: Answer(body=results(Hit(f"답 {query}", "https://example.org/a")))
    asked = [[f"질문 {thread}-{number}" for number in range(3)] for thread in range(3)]
    got: dict[str, list[str]] = {}

    async def many(queries: list[str]) -> None:
        found = await asyncio.gather(*(desk.provider.search(SearchRequest(query=query)) for query in queries))
        got.update({query: titles(hits) for query, hits in zip(queries, found, strict=True)})

    threads = [threading.Thread(target=lambda queries=queries: asyncio.run(many(queries))) for queries in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert got == {query: [f"답 {query}"] for queries in asked for query in queries}


def test_closing_ends_everything_and_a_later_search_starts_anew(desk: PageSession):
    """After ``aclose`` there are no processes, no folder and no thread; what was under way has failed."""
    folder, found = session_of(desk)
    assert folder.stat().st_mode & 0o777 == 0o700
    desk.page.answer = Answer(hang=True)

    async def close() -> ProviderError:
        task = asyncio.create_task(desk.provider.search(SearchRequest(query="x")))
        assert await asyncio.to_thread(desk.page.arrived.wait, PATIENCE_S)
        await desk.provider.aclose()
        with pytest.raises(ProviderError) as caught:
            await task
        return caught.value

    assert asyncio.run(close()).status is SearchStatus.UNKNOWN_ERROR
    assert_gone(found)
    assert not folder.exists()
    assert [thread.name for thread in threading.enumerate() if thread.name == "maekrak-browser"] == []
    desk.renew()
    assert len(desk.ask()) == 3


def test_neither_logs_nor_processes_learn_what_they_should_not(
    desk: PageSession, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    """Queries are in no log at any level, and no process of the browser is given the keys in our environment."""
    caplog.set_level(logging.DEBUG)
    asyncio.run(desk.provider.aclose())
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-planted")
    folder, found = session_of(desk)
    desk.page.answer = Answer(status=500, body="oops")
    desk.refusal("비밀 질문")
    assert not any("비밀" in line or "메모리" in line for line in caplog.messages)
    assert "비밀" not in (folder / "stderr.log").read_text(encoding="utf-8")
    assert not any("tvly-planted" in " ".join(process.environ().values()) for process in found)


def test_a_refused_connection_is_a_network_error(desk: PageSession):
    """A port where nobody listens is told at once, and the session ends with the provider."""
    with ResultPage() as gone:
        provider = provider_for(gone)

    async def ask() -> ProviderError:
        with pytest.raises(ProviderError) as caught:
            await provider.search(SearchRequest(query="x"))
        await provider.aclose()
        return caught.value

    assert asyncio.run(ask()).status is SearchStatus.NETWORK_ERROR


def test_an_idle_browser_ends_by_itself(desk: PageSession):
    """Without a search for a while the processes end; the next search starts new ones."""
    asyncio.run(desk.provider.aclose())
    settings = Settings(playwright_search_url=desk.page.url, playwright_timeout=int(PATIENCE_S * 1000))
    provider = BrowserProvider(settings, idle_s=0.05)
    sessions: list[dict[Path, list[psutil.Process]]] = []

    def answer(query: str) -> Answer:
        sessions.append(processes())
        return GOOD

    async def ask() -> int:
        return len(await provider.search(SearchRequest(query="x")))

    desk.page.answer = answer
    assert asyncio.run(ask()) == 3
    ((folder, found),) = sessions[0].items()
    assert_gone(found)
    assert asyncio.run(ask()) == 3
    asyncio.run(provider.aclose())
    assert folder not in sessions[1]
    assert not folder.exists()


SCRIPT = """
import asyncio, sys, threading
from search_core.provider_kit import SearchRequest
from search_core.providers.browser import BrowserProvider
from search_core.settings import Settings

provider = BrowserProvider(Settings(playwright_search_url=sys.argv[1], playwright_timeout=60_000))
threading.Thread(target=lambda: asyncio.run(provider.search(SearchRequest(query="x"))), daemon=True).start()
sys.stdin.read()
"""


@pytest.mark.parametrize("killed", [False, True])
def test_nothing_outlives_the_interpreter(desk: PageSession, killed: bool):
    """When the program ends in the middle of a search, by itself or by SIGKILL, so do all processes."""
    desk.page.answer = Answer(hang=True)
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, desk.page.url]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert desk.page.arrived.wait(PATIENCE_S)
        ((folder, found),) = processes(program.pid).items()
        if killed:
            program.kill()
        program.communicate(timeout=30)
        assert killed or program.returncode == 0
    assert_gone(found)
    assert killed or not folder.exists()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_browser_with_a_window_finds_the_same(desk: PageSession, monkeypatch: pytest.MonkeyPatch):
    """PLAYWRIGHT_HEADLESS false runs Chromium on the display there is, with equal results."""
    screen = shutil.which("Xvfb")
    if screen is None:
        required_in_ci("Xvfb is not installed")
    without_window = desk.ask()
    asyncio.run(desk.provider.aclose())
    desk.page.agents.clear()
    ready, written = os.pipe()
    command = [screen, "-displayfd", str(written), "-nolisten", "tcp", "-screen", "0", "800x600x24"]
    with subprocess.Popen(command, pass_fds=[written], stderr=subprocess.DEVNULL) as server:
        try:
            os.close(written)
            with os.fdopen(ready) as told:
                monkeypatch.setenv("DISPLAY", f":{int(told.readline())}")
            provider = provider_for(desk.page, playwright_headless=False)

            async def ask() -> tuple[SearchResult, ...]:
                try:
                    return await provider.search(SearchRequest(query="메모리 대역폭"))
                finally:
                    await provider.aclose()

            assert asyncio.run(ask()) == without_window
        finally:
            server.terminate()
    assert not any("Headless" in agent for agent in desk.page.agents)


def test_what_is_missing_is_found_out_at_the_start_at_the_latest(desk: PageSession, tmp_path: Path):
    """A server that does not run and a Chromium that is gone or does not run are typed, say why, and leave nothing."""
    broken = tmp_path / "cli.js"
    broken.write_text("console.error('Error: Cannot find module playwright-core'); process.exit(1);", encoding="utf-8")
    error = failure_of(provider_for(desk.page, playwright_mcp_cli=str(broken)))
    assert error.status is SearchStatus.API_KEY_MISSING
    assert "Cannot find module playwright-core" in str(error)
    assert "make browser" in error.advice

    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    browser.chmod(0o700)
    assert failure_of(provider_for(desk.page, playwright_browser=str(browser))).status is SearchStatus.UNKNOWN_ERROR

    provider = provider_for(desk.page, playwright_browser=str(browser))
    assert provider.absent_because() is None
    browser.unlink()
    error = failure_of(provider)
    assert error.status is SearchStatus.API_KEY_MISSING
    assert "PLAYWRIGHT_BROWSER" in error.advice


def failure_of(provider: BrowserProvider) -> ProviderError:
    async def ask() -> ProviderError:
        with pytest.raises(ProviderError) as caught:
            await provider.search(SearchRequest(query="x"))
        await provider.aclose()
        return caught.value

    return asyncio.run(ask())


def test_a_server_that_says_nothing_is_a_timeout(desk: PageSession, tmp_path: Path):
    """A server that starts and stays silent is killed at the deadline."""
    silent = tmp_path / "cli.js"
    silent.write_text("setInterval(() => 0, 1000);", encoding="utf-8")
    asyncio.run(desk.provider.aclose())
    provider = provider_for(desk.page, playwright_mcp_cli=str(silent))
    provider.timeout_s = SHORT_S
    assert failure_of(provider).status is SearchStatus.TIMEOUT
    assert processes() == {}


def test_settings_set_it_up(tmp_path: Path):
    """Milliseconds become the seconds of the contract, the address is part of the key, and a wrong address stops the start."""
    provider = BrowserProvider(Settings(playwright_timeout=15_000))
    assert provider.timeout_s == 15.0
    assert provider.cache_key() == {"address": "https://html.duckduckgo.com/html/"}
    assert (provider.web, provider.storable, provider.cacheable, provider.keys) == (True, True, True, ())
    for wrong in ("file:///etc/hostname", "view-source:http://127.0.0.1/", "https://me:secret@example.org/", ""):
        with pytest.raises(SettingsError, match="PLAYWRIGHT_SEARCH_URL"):
            BrowserProvider(Settings(playwright_search_url=wrong))


def test_nobody_pays_for_a_browser_they_do_not_use():
    """Importing all providers and asking whether this one is set up imports neither the MCP SDK nor starts a process."""
    code = (
        "import sys; from search_core.providers import catalogue; from search_core.provider_kit.playwright_mcp import Parts; "
        "catalogue(); Parts().missing(); sys.exit('mcp' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, check=False).returncode == 0
