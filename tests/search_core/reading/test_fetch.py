"""Pages fetched over real sockets on loopback: what comes back, what is refused, what is bounded."""

from __future__ import annotations

import asyncio
import gzip
import socket
import ssl
import threading
import time
import tracemalloc
from collections.abc import Sequence

import pytest
import trustme

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import MAX_PAGE_BYTES, MAX_REDIRECTS, FetchedPage, PageFetcher
from search_core.reading.public_address import AddressRule
from tests.search_core.reading.loopback_site import LoopbackSite, Visit, answer

PAGE = "<html><body><p>본문이에요.</p></body></html>".encode()
ROOM_S = 20.0
"""Nothing here takes so long, unless it never ends."""


async def loopback(_host: str, _port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def fetcher(site: LoopbackSite, *, timeout_s: float = ROOM_S) -> PageFetcher:
    """Return a fetcher for which page.test is the *site*, admitted by name."""
    return PageFetcher(timeout_s=timeout_s, rule=AddressRule(admitted={("page.test", site.port)}), resolver=loopback)


def fetch(site: LoopbackSite, path: str = "/") -> FetchedPage:
    return asyncio.run(fetcher(site).fetch(site.url(path)))


def refusal(reader: PageFetcher, url: str) -> PageFailure:
    """Return the kind of the error that fetching raises."""
    with pytest.raises(PageReadError) as caught:
        asyncio.run(reader.fetch(url))
    assert "secret" not in f"{caught.value} {caught.value.korean}"
    assert caught.value.korean.endswith("요.")
    return caught.value.kind


def failure(visit: Visit | bytes, *, timeout_s: float = ROOM_S) -> PageFailure:
    """Return the kind of the error that fetching from such a site raises; its texts say nothing of the path."""
    with LoopbackSite(visit) as site:
        return refusal(fetcher(site, timeout_s=timeout_s), site.url("/secret-path?q=secret"))


def test_a_page_is_fetched_whole():
    """Body, type and final address come back; we say who we are and send no cookie, referrer or credentials."""
    with LoopbackSite(answer(PAGE, "Content-Type: text/html; charset=utf-8", "Set-Cookie: a=b")) as site:
        page = fetch(site, "/a?b=c#d")
    assert page.body == PAGE
    assert page.content_type == "text/html; charset=utf-8"
    assert page.url == site.url("/a?b=c#d")
    (head,) = site.heads
    assert head.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert b"User-Agent: Maekrak/" in head
    assert not any(name in head.lower() for name in (b"\r\ncookie:", b"\r\nreferer:", b"\r\nauthorization:"))


def test_redirects_are_followed_without_cookies():
    """Five redirects lead to the page, relative ones too, and a cookie that was set on the way is not sent on."""

    def visit(connection: socket.socket, head: bytes) -> None:
        step = int(head.split(b" ")[1].strip(b"/") or b"0")
        onward = answer(b"", f"Location: /{step + 1}", "Set-Cookie: a=b", status="302 Found")
        connection.sendall(onward if step < MAX_REDIRECTS else answer(PAGE))

    with LoopbackSite(visit) as site:
        assert fetch(site).url.endswith("/5")
    assert len(site.heads) == 6
    assert b"cookie" not in b"".join(site.heads).lower()


@pytest.mark.parametrize(
    ("status", "target"),
    [
        ("301 M", "http://127.0.0.1:{port}/"),
        ("307 T", "http://[::ffff:127.0.0.1]:{port}/"),
        ("308 P", "http://user@page.test:{port}/"),
        ("302 F", "file:///etc/passwd"),
        ("308 P", "http://[::1"),
        ("307 T", "http://127.0.0.1:{port}\\@page.test/"),
    ],
)
def test_a_redirect_is_checked_like_a_first_address(status: str, target: str):
    """No redirect leads to a place that was not admitted: the canary there is never connected to."""
    with LoopbackSite(answer(PAGE)) as canary:
        moved = answer(b"", f"Location: {target.format(port=canary.port)}", status=status)
        assert failure(moved) is PageFailure.REFUSED_ADDRESS
        assert canary.visits == 0


class Resolver:
    """Gives its answers in turn, the last one for ever, and counts the questions."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


HOSTILE_ANSWERS = [
    *(["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["0.0.0.0"], ["127.255.255.254"], ["169.254.169.254"], ["10.0.0.1"]),
    *(["fd00::1"], ["64:ff9b::7f00:1"], ["2002:7f00:1::"], ["fe80::1%lo"], ["not an address"]),
    *(["93.184.215.14", "127.0.0.1"], ["127.0.0.1", "93.184.215.14"], ["2606:4700::1111", "::1"]),
]


def test_a_name_that_leads_inside_is_refused():
    """One private address in the answer refuses all of it, and no connection is opened; of the system's answer, too."""
    with LoopbackSite(answer(PAGE)) as canary:
        for addresses in HOSTILE_ANSWERS:
            reader = PageFetcher(timeout_s=ROOM_S, rule=AddressRule(ports={canary.port}), resolver=Resolver(addresses))
            assert refusal(reader, canary.url()) is PageFailure.REFUSED_ADDRESS, addresses
        by_the_system = PageFetcher(timeout_s=ROOM_S, rule=AddressRule(ports={canary.port}))
        assert refusal(by_the_system, f"http://localhost:{canary.port}/") is PageFailure.REFUSED_ADDRESS
        assert canary.visits == 0


def test_a_name_that_moves_is_checked_each_time():
    """A name that is admitted elsewhere first and leads inside after a redirect is refused at the second connection."""
    with LoopbackSite(answer(PAGE)) as canary:
        moved = answer(b"", f"Location: http://moving.test:{canary.port}/", status="302 Found")
        names = Resolver(["127.0.0.1"])
        with LoopbackSite(moved) as site:
            rule = AddressRule(admitted={("page.test", site.port)}, ports={canary.port})
            reader = PageFetcher(timeout_s=ROOM_S, rule=rule, resolver=names)
            assert refusal(reader, site.url()) is PageFailure.REFUSED_ADDRESS
    assert names.asked == ["page.test", "moving.test"]
    assert canary.visits == 0


def test_a_name_is_resolved_once_for_a_connection():
    """What was checked is what is dialled: a second answer, which would lead inside, is never asked for."""
    with LoopbackSite(answer(PAGE)) as site:
        names = Resolver(["127.0.0.1"], ["10.0.0.1"])
        rule = AddressRule(admitted={("page.test", site.port)})
        page = asyncio.run(PageFetcher(timeout_s=ROOM_S, rule=rule, resolver=names).fetch(site.url()))
    assert page.body == PAGE
    assert names.asked == ["page.test"]
    assert site.heads[0].count(f"Host: page.test:{site.port}".encode()) == 1


def test_names_are_asked_for_in_ascii_and_may_not_exist():
    """The guard sees a Korean host name as it is asked for; a failing look-up is a network failure, no refusal."""
    names = Resolver(["10.0.0.1"])
    assert refusal(PageFetcher(timeout_s=ROOM_S, resolver=names), "https://한글.kr/") is PageFailure.REFUSED_ADDRESS
    assert names.asked == ["xn--bj0bj06e.kr"]

    async def nothing(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    assert refusal(PageFetcher(timeout_s=ROOM_S, resolver=nothing), "http://page.test/") is PageFailure.NETWORK


def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch):
    """With a proxy in the environment the page is still dialled by us."""
    with LoopbackSite(answer(b"proxied")) as proxy, LoopbackSite(answer(PAGE)) as site:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert fetch(site).body == PAGE
        assert proxy.visits == 0


def endless(*pieces: bytes) -> Visit:
    """Return a visit that sends the first piece and then the others for as long as anybody listens."""

    def visit(connection: socket.socket, _: bytes) -> None:
        connection.sendall(pieces[0])
        while True:
            for piece in pieces[1:]:
                connection.sendall(piece)

    return visit


def silent(connection: socket.socket, _: bytes) -> None:
    while connection.recv(65_536):
        pass


def dripping(head: bytes) -> Visit:
    def visit(connection: socket.socket, _: bytes) -> None:
        connection.sendall(head)
        connection.settimeout(0.05)
        while True:
            connection.sendall(b"a")
            try:
                if not connection.recv(1):
                    return
            except TimeoutError:
                continue

    return visit


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    "visit",
    [
        pytest.param(silent, id="silent"),
        pytest.param(dripping(OK + b"\r\n"), id="body drips"),
        pytest.param(dripping(OK + b"X-Drip: "), id="header drips"),
        pytest.param(endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), id="endless 100"),
    ],
)
def test_a_slow_server_ends_at_the_deadline(visit: Visit):
    """The deadline is for the whole page, however steadily bytes drip."""
    begun = time.monotonic()
    assert failure(visit, timeout_s=0.4) is PageFailure.TIMEOUT
    assert time.monotonic() - begun < ROOM_S


OTHER = {PageFailure.NETWORK, PageFailure.TOO_LARGE}
"""Where the library gives up, or we do, whoever is first."""
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
PACKED = "Content-Encoding: gzip"
CHALLENGE = b"<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script></html>"
FAILING: dict[str, tuple[Visit | bytes, set[PageFailure]]] = {
    "endless body": (endless(OK + b"\r\n", b"x" * 65_536), {PageFailure.TOO_LARGE}),
    "endless headers": (endless(OK, b"X-More: y\r\n" * 1_000), OTHER),
    "endless header": (endless(OK, b"X" * 65_536), OTHER),
    "endless chunks": (endless(CHUNKED, b"10000\r\n" + b"x" * 65_536 + b"\r\n"), {PageFailure.TOO_LARGE}),
    "endless extension": (endless(CHUNKED + b"1;", b"x" * 65_536), {PageFailure.NETWORK}),
    "shorter than it says": (answer(PAGE, length=10_000), {PageFailure.NETWORK}),
    "no HTTP": (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", {PageFailure.NETWORK}),
    "redirects in circles": (answer(b"", "Location: /again", status="301 Moved"), {PageFailure.UNREADABLE}),
    "no gzip": (answer(b"x" * 100, PACKED), {PageFailure.UNREADABLE}),
    "another packing": (answer(PAGE, "Content-Encoding: br"), {PageFailure.UNREADABLE}),
    "nested gzip": (answer(gzip.compress(gzip.compress(PAGE)), "Content-Encoding: gzip, gzip"), {PageFailure.UNREADABLE}),
    "403": (answer(PAGE, status="403 Forbidden"), {PageFailure.BLOCKED}),
    "429": (answer(PAGE, status="429 Too Many Requests"), {PageFailure.BLOCKED}),
    "challenge": (answer(CHALLENGE, status="503 Service Unavailable"), {PageFailure.BLOCKED}),
    "404": (answer(PAGE, status="404 Not Found"), {PageFailure.UNREADABLE}),
    "204": (answer(status="204 No Content"), {PageFailure.UNREADABLE}),
    "503": (answer(PAGE, status="503 Service Unavailable"), {PageFailure.OUT_OF_ORDER}),
    "pdf": (answer(b"%PDF-1.7", "Content-Type: application/pdf"), {PageFailure.WRONG_TYPE}),
    "stream": (answer(PAGE, "Content-Type: text/event-stream"), {PageFailure.WRONG_TYPE}),
}


@pytest.mark.parametrize("name", FAILING)
def test_an_answer_that_is_no_page_has_its_kind(name: str):
    """Endless, broken and lying answers, refusals and other types of files end in an error of their own before the deadline."""
    visit, kinds = FAILING[name]
    begun = time.monotonic()
    assert failure(visit) in kinds
    assert time.monotonic() - begun < ROOM_S


def test_a_page_of_the_greatest_size_is_read_and_a_bomb_takes_little_memory():
    """The bound itself is allowed; a page of 96 MiB in 400 kB costs less than 32 MiB."""
    with LoopbackSite(answer(gzip.compress(b"x" * MAX_PAGE_BYTES), PACKED)) as site:
        assert len(fetch(site).body) == MAX_PAGE_BYTES
    bomb = answer(gzip.compress(bytes(96 << 20), 1), PACKED)
    tracemalloc.start()
    try:
        assert failure(bomb) is PageFailure.TOO_LARGE
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_cancelling_closes_the_connection():
    """A fetch that is called off leaves no connection open."""
    asked = threading.Event()

    def visit(connection: socket.socket, _: bytes) -> None:
        asked.set()
        site.wait_for_leaving(connection)

    async def call_off() -> None:
        task = asyncio.create_task(fetcher(site).fetch(site.url()))
        await asyncio.to_thread(asked.wait, ROOM_S)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(site.left.wait, ROOM_S)

    with LoopbackSite(visit) as site:
        asyncio.run(call_off())


OURS = trustme.CA()


def fetched(host: str, shown: trustme.LeafCert) -> tuple[bytes, list[str | None]]:
    """Return what is read from *host* at a site that shows a certificate, and the names that were asked for in TLS."""
    trusted = ssl.create_default_context()
    OURS.configure_trust(trusted)
    theirs = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    shown.configure_cert(theirs)
    with LoopbackSite(answer(b"read"), theirs) as site:
        rule = AddressRule(admitted={(host, site.port)})
        reader = PageFetcher(timeout_s=20, rule=rule, resolver=loopback, authorities=trusted)
        return asyncio.run(reader.fetch(f"https://{host}:{site.port}/")).body, site.names


@pytest.mark.parametrize(("host", "asked"), [("page.test", "page.test"), ("127.0.0.1", None)])
def test_a_certificate_for_the_name_is_taken(host: str, asked: str | None):
    """A page is read when the certificate is for the host in the address, which is the name asked for in TLS."""
    assert fetched(host, OURS.issue_cert(host)) == (b"read", [asked])


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("page.test", OURS.issue_cert("other.test")),
        ("page.test", OURS.issue_cert("127.0.0.1")),
        ("127.0.0.1", OURS.issue_cert("page.test", common_name="127.0.0.1")),
        ("page.test", trustme.CA().issue_cert("page.test")),
    ],
    ids=["other name", "dialled address", "common name", "unknown authority"],
)
def test_any_other_certificate_is_not_taken(host: str, shown: trustme.LeafCert):
    """A certificate for another name, for the address that was dialled, or of an unknown authority is refused."""
    with pytest.raises(PageReadError) as caught:
        fetched(host, shown)
    assert caught.value.kind is PageFailure.NETWORK
