"""The health page in Chromium, on the real core, fed with a day of requests."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, WebSocket, expect

from search_core.domain import SearchStatus
from search_core.storage import SqliteEventLog
from tests.app.health_double import HOSTILE_QUERY, event, events
from tests.browser.conftest import running_app

pytestmark = pytest.mark.browser
# ``first`` stands wherever a rerun may be under way: Streamlit then keeps the old element beside the new one for a moment.

NEXT_READING_MS = 60_000
"""Upper bound for the page to read anew by itself, on a busy machine."""


class HeldService:
    """A SearXNG that answers when it is told to, and counts who asked."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.asked = 0
        served = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                served.asked += 1
                served.go_on.wait(120)
                body = json.dumps({"results": [{"title": "위키백과", "url": "https://example.org/", "content": "백과"}]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.go_on.set()
        self._server.shutdown()
        self._thread.join(10)
        self._server.server_close()


@dataclass
class Fed:
    """An app that has a day of requests behind it."""

    address: str
    log: SqliteEventLog
    service: HeldService


@pytest.fixture(scope="module")
def fed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fed]:
    """Run one app over the requests of a day; besides its library it can ask a service that answers when told to."""
    data: Path = tmp_path_factory.mktemp("fed") / "data"
    data.mkdir()
    log, service = SqliteEventLog(data / "events.sqlite"), HeldService()
    log.append(list(events(datetime.now(UTC))))
    more = {"SEARCH_PROVIDERS": "library,searxng", "SEARXNG_URL": service.address}
    try:
        with running_app(data, **more, WEB_SEARCH_TIMEOUT="60", WEB_SEARCH_DEADLINE="90") as address:
            yield Fed(address, log, service)
    finally:
        service.close()
        log.close()


def go_to_health(page: Page) -> None:
    """Open the health page from the list of pages; at a page's own address Streamlit asks for two files in vain first."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text="검색 상태").first.click()
    expect(page.locator(".st-key-events").first).to_be_visible()


def tile(page: Page, label: str):
    return page.get_by_test_id("stMetric").filter(has_text=label).first.get_by_test_id("stMetricValue")


def total(page: Page) -> int:
    """Return how many requests the table counts."""
    line = page.locator(".st-key-events").get_by_text(re.compile(r"^[\d,]+건 · 새것부터$")).first
    expect(line).to_be_visible()
    return int(line.inner_text().split("건")[0].replace(",", ""))


def find(page: Page, text: str) -> None:
    box = page.get_by_role("textbox", name="검색어로 찾기")
    box.fill(text)
    box.press("Enter")


def test_a_day_at_a_glance(fed, visitor):
    """The page counts the web by outcome with shares and averages; each service has a row, the library too; a chart has words."""
    page = visitor(fed.address)
    go_to_health(page)
    expect(tile(page, "성공")).to_have_text("30 (86%)")
    expect(tile(page, "결과 없음")).to_have_text("3 (9%)")
    expect(tile(page, "시간 초과")).to_have_text("1 (3%)")
    expect(tile(page, "오류")).to_have_text("1 (3%)")
    expect(page.get_by_text("내 자료에서 15번 찾은 것은 세지 않았어요").first).to_be_visible()
    expect(tile(page, "평균 결과 수")).to_have_text("4.5")
    expect(tile(page, "느린 5%")).to_have_text(re.compile(r"^\d\.\d초$"))
    library = page.locator(".st-key-services tr").filter(has_text="내 자료").first
    expect(library).to_contain_text("정상")
    expect(library).to_contain_text("성공 15")
    expect(page.locator(".st-key-timeline svg").first).to_be_visible()
    expect(page.get_by_text(re.compile("^꺼 둔 검색 서비스")).first).to_be_visible()
    expect(page.get_by_text("기록 보관: 이 서버의 기록").first).to_be_visible()


def test_the_table_is_filtered_and_text_stays_text(fed, visitor):
    """A query full of traps is a cell of the table: nothing runs, nothing is fetched, nothing is drawn."""
    page = visitor(fed.address)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    go_to_health(page)
    whole = total(page)
    find(page, "onerror")
    expect(page.get_by_text(f"{whole:,}건 중 9건 · 새것부터").first).to_be_visible()
    # The table is a picture; this is the copy of it for those who do not see.
    cells = page.locator(".st-key-events canvas td[role=gridcell]")
    expect(cells.get_by_text(HOSTILE_QUERY, exact=True).first).to_be_attached()
    expect(page.locator(".st-key-events").first.locator("img, iframe, script, a")).to_have_count(0)


def test_it_refreshes_itself_and_leaves_the_visitor_alone(fed, visitor):
    """A new request appears by itself; filter, scroll position and chart stay where and what they are."""
    page = visitor(fed.address)
    go_to_health(page)
    whole = total(page)
    find(page, "갓 들어온")
    expect(page.get_by_text("조건에 맞는 기록이 없어요.").first).to_be_visible()
    chart = page.locator(".st-key-timeline svg").first
    expect(chart).to_be_visible()
    chart.evaluate("drawing => drawing.dataset.seen = 'before'")
    main = page.get_by_test_id("stMain")
    place = main.evaluate("area => (area.scrollTo(0, 150), area.scrollTop)")
    newcomer = event(0, "library", SearchStatus.SUCCESS, datetime.now(UTC))
    fed.log.append([replace(newcomer, query="갓 들어온 검색어")])
    expect(page.get_by_text(f"{whole + 1:,}건 중 1건 · 새것부터").first).to_be_visible(timeout=NEXT_READING_MS)
    expect(page.get_by_role("textbox", name="검색어로 찾기")).to_have_value("갓 들어온")
    assert main.evaluate("area => area.scrollTop") == place > 0
    expect(page.locator(".st-key-timeline svg[data-seen=before]")).to_have_count(1)


def test_leaving_the_page_ends_its_questions(fed, visitor):
    """On the health page the clock alone makes the page ask; on another page it does not."""
    page = visitor(fed.address)
    sockets: list[WebSocket] = []
    sent: list[str | bytes] = []
    page.on("websocket", lambda socket: sockets.append(socket))
    page.clock.install()
    page.reload()
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    go_to_health(page)
    with sockets[-1].expect_event("framesent", timeout=NEXT_READING_MS):
        page.clock.fast_forward(11_000)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="검색").first.click()
    expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()
    expect(page.locator(".st-key-events")).to_have_count(0)
    sockets[-1].on("framesent", lambda frame: sent.append(frame))
    page.clock.fast_forward(60_000)
    page.locator(".st-key-open-sample-0 button").first.click()
    expect(page.locator(".st-key-change-video button").first).to_be_visible()
    assert len(sent) == 1


def test_a_check_names_who_is_awaited_and_runs_once(fed, visitor):
    """Two quick clicks ask each service once; the page tells who is awaited, then how it went."""
    page = visitor(fed.address)
    go_to_health(page)
    fed.service.go_on.clear()
    before = fed.service.asked
    button = page.locator(".st-key-probe button").first
    button.dblclick()
    expect(page.get_by_text("SearXNG 응답 대기 중").first).to_be_visible(timeout=NEXT_READING_MS)
    expect(page.get_by_text("2곳 중 1곳 끝남").first).to_be_visible(timeout=NEXT_READING_MS)
    expect(button).to_be_disabled()
    fed.service.go_on.set()
    outcome = page.locator(".st-key-probe-panel").first
    expect(outcome.get_by_text("점검을 마쳤어요").first).to_be_visible(timeout=NEXT_READING_MS)
    expect(outcome.get_by_text(re.compile("^.*SearXNG: 1건")).first).to_be_visible()
    expect(button).to_be_enabled()
    assert fed.service.asked - before == 1
    expect(page.get_by_text(re.compile("점검하며 2번 물은 것은 세지 않았어요")).first).to_be_visible()


def test_the_requests_can_be_taken_away(fed, visitor, tmp_path):
    """The table as a file holds a line for each request."""
    page = visitor(fed.address)
    go_to_health(page)
    page.locator(".st-key-health-export button").first.click()
    with page.expect_download() as started:
        page.get_by_role("button", name="표 (CSV)").click()
    file = tmp_path / "health.csv"
    started.value.save_as(file)
    assert re.fullmatch(r"maekrak-health-\d{8}-\d{4}\.csv", started.value.suggested_filename)
    lines = file.read_text("utf-8-sig").splitlines()
    assert sum(line.startswith('"20') for line in lines) >= 52


def test_what_is_taken_away_is_what_the_filters_let_through(fed, visitor, tmp_path):
    """The file holds the chosen requests alone, says by which filter they were chosen, and has Korea's clock."""
    page = visitor(fed.address)
    go_to_health(page)
    find(page, "onerror")
    expect(page.get_by_text(re.compile("건 중 9건 · 새것부터")).first).to_be_visible()
    page.locator(".st-key-health-export button").first.click()
    expect(page.get_by_text(re.compile("아래 조건에 맞는 기록만 받아요: onerror")).first).to_be_visible()
    with page.expect_download() as started:
        page.get_by_role("button", name="표 (CSV)").click()
    started.value.save_as(tmp_path / "health.csv")
    lines = (tmp_path / "health.csv").read_text("utf-8-sig").splitlines()
    asked = [line for line in lines if line.startswith('"20')]
    assert len(asked) == 9
    assert all("+09:00" in line for line in asked)
    assert any(line.startswith('"조건","onerror (') for line in lines)


def test_a_damaged_library_is_not_said_to_be_there_for_asking(chromium, tmp_path):
    """A library whose file is garbage has a row that says so, before anybody asked it."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "library.sqlite").write_bytes(b"no database at all, but long enough to be looked at " * 40)
    with running_app(data) as address, chromium.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(f"{address}/health")
        row = page.locator(".st-key-services tr").filter(has_text="내 자료").first
        expect(row).to_contain_text("불안정")
        expect(row).not_to_contain_text("쓸 수 있어요")


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1024, "dark")])
def test_narrow_screens_do_not_overflow(fed, visitor, width, scheme):
    """On a phone or a small window nothing runs over the edge, and every service keeps its words."""
    page = visitor(fed.address, width=width, height=900, color_scheme=scheme)
    if width < 640:
        page.get_by_test_id("stExpandSidebarButton").first.click()
    go_to_health(page)
    expect(tile(page, "성공")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.locator(".st-key-services tr").filter(has_text="내 자료").first).to_contain_text(re.compile(r"정상.*성공\s\d+"))


def test_an_empty_day_leads_to_the_search(chromium, tmp_path):
    """Before the first search the page, asked for by its own address, says what it is for and leads there."""
    with running_app(tmp_path / "data") as address, chromium.new_context(locale="ko-KR") as context:
        page = context.new_page()
        page.goto(f"{address}/health")
        expect(page.get_by_text("지난 24시간 동안 검색한 기록이 없어요").first).to_be_visible()
        page.get_by_role("link", name="검색하러 가기").click()
        expect(page.locator(".st-key-open-sample-0 button").first).to_be_visible()


def test_machines_have_their_own_addresses(fed):
    """/healthz and /metrics answer beside the pages, with the security headers; an unknown /api address is no page."""
    with urlopen(f"{fed.address}/healthz", timeout=60) as answer:
        assert json.load(answer)["status"] in ("ok", "degraded")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    with urlopen(f"{fed.address}/metrics", timeout=60) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain")
        assert "# TYPE web_search_total counter" in answer.read().decode()
        assert answer.headers["Referrer-Policy"] == "strict-origin-when-cross-origin"
    with pytest.raises(HTTPError) as caught:
        urlopen(f"{fed.address}/api/nothing", timeout=60)
    assert caught.value.code == 404
    assert json.load(caught.value)["error"]["type"] == "not_found"
    caught.value.close()
