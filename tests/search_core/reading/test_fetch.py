"""Pages fetched over real sockets on loopback: what comes back, what is refused, what is bounded."""

from __future__ import annotations

import asyncio
import gzip
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import MAX_PAGE_BYTES, MAX_REDIRECTS, FetchedPage, PageFetcher
from search_core.reading.guarded_network import GuardedNetwork, GuardedTransport
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


def fetch(site: LoopbackSite, path: str = "/", *, timeout_s: float = ROOM_S) -> FetchedPage:
    return asyncio.run(fetcher(site, timeout_s=timeout_s).fetch(f"http://page.test:{site.port}{path}"))


def failure(visit: Visit | bytes, *, timeout_s: float = ROOM_S) -> PageFailure:
    """Return the kind of the error that fetching from such a site raises; its texts say nothing of the path."""
    with LoopbackSite(visit) as site, pytest.raises(PageReadError) as caught:
        fetch(site, "/secret-path?q=secret", timeout_s=timeout_s)
    assert "secret" not in f"{caught.value} {caught.value.korean}"
    assert caught.value.korean.endswith("요.")
    return caught.value.kind


def test_a_page_is_fetched_whole():
    """Body, type and final address come back; we say who we are and send no cookie, referrer or credentials."""
    with LoopbackSite(answer(PAGE, "Content-Type: text/html; charset=utf-8", "Set-Cookie: a=b")) as site:
        page = fetch(site, "/a?b=c#d")
    assert page.body == PAGE
    assert page.content_type == "text/html; charset=utf-8"
    assert page.url == f"http://page.test:{site.port}/a?b=c#d"
    (head,) = site.heads
    assert head.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert b"User-Agent: Maekrak/" in head
    assert not any(name in head.lower() for name in (b"\r\ncookie:", b"\r\nreferer:", b"\r\nauthorization:"))


def test_a_packed_page_is_unpacked():
    """Gzip, which we ask for, is read under each of its names."""
    for packing in ("gzip", "x-gzip", "GZIP"):
        with LoopbackSite(answer(gzip.compress(PAGE), f"Content-Encoding: {packing}")) as site:
            assert fetch(site).body == PAGE


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


def test_redirects_in_circles_end():
    """A sixth redirect is not followed."""
    with LoopbackSite(answer(b"", "Location: /again", status="301 Moved")) as site, pytest.raises(PageReadError) as caught:
        fetch(site)
    assert caught.value.kind is PageFailure.UNREADABLE
    assert site.visits == MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    ("status", "target"),
    [
        ("301 M", "http://127.0.0.1:{port}/"),
        ("302 F", "//127.0.0.1:{port}/"),
        ("303 S", "http://localhost:{port}/"),
        ("307 T", "http://[::ffff:127.0.0.1]:{port}/"),
        ("308 P", "http://user@page.test:{port}/"),
        ("301 M", "http://2130706433:{port}/"),
        ("302 F", "file:///etc/passwd"),
        ("303 S", "gopher://page.test:{port}/"),
        ("307 T", "http://127.0.0.1:{port}\\@page.test/"),
        ("308 P", "http://[::1"),
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
    """One private address in the answer refuses all of it, and no connection is opened."""
    with LoopbackSite(answer(PAGE)) as canary:
        for addresses in HOSTILE_ANSWERS:
            reader = PageFetcher(timeout_s=ROOM_S, rule=AddressRule(ports={canary.port}), resolver=Resolver(addresses))
            with pytest.raises(PageReadError) as caught:
                asyncio.run(reader.fetch(f"http://page.test:{canary.port}/"))
            assert caught.value.kind is PageFailure.REFUSED_ADDRESS, addresses
        assert canary.visits == 0


def test_a_name_that_moves_is_checked_each_time():
    """A name that is admitted elsewhere first and leads inside after a redirect is refused at the second connection."""
    with LoopbackSite(answer(PAGE)) as canary:

        def reader(site: LoopbackSite) -> PageFetcher:
            rule = AddressRule(admitted={("page.test", site.port)}, ports={canary.port})
            return PageFetcher(timeout_s=ROOM_S, rule=rule, resolver=names)

        moved = answer(b"", f"Location: http://moving.test:{canary.port}/", status="302 Found")
        names = Resolver(["127.0.0.1"])
        with LoopbackSite(moved) as site, pytest.raises(PageReadError) as caught:
            asyncio.run(reader(site).fetch(f"http://page.test:{site.port}/"))
    assert caught.value.kind is PageFailure.REFUSED_ADDRESS
    assert names.asked == ["page.test", "moving.test"]
    assert canary.visits == 0


def test_a_name_is_resolved_once_for_a_connection():
    """What was checked is what is dialled: a second answer, which would lead inside, is never asked for."""
    with LoopbackSite(answer(PAGE)) as site:
        names = Resolver(["127.0.0.1"], ["10.0.0.1"])
        rule = AddressRule(admitted={("page.test", site.port)})
        page = asyncio.run(PageFetcher(timeout_s=ROOM_S, rule=rule, resolver=names).fetch(f"http://page.test:{site.port}/"))
    assert page.body == PAGE
    assert names.asked == ["page.test"]
    assert site.heads[0].count(f"Host: page.test:{site.port}".encode()) == 1


def test_an_internationalised_name_meets_the_guard_in_the_form_it_is_asked_for():
    """The resolver is asked for the ASCII form of a Korean host name, and its answer is checked."""
    names = Resolver(["10.0.0.1"])
    with pytest.raises(PageReadError) as caught:
        asyncio.run(PageFetcher(timeout_s=ROOM_S, resolver=names).fetch("https://한글.kr/"))
    assert caught.value.kind is PageFailure.REFUSED_ADDRESS
    assert names.asked == ["xn--bj0bj06e.kr"]


def test_the_system_resolver_is_guarded_too():
    """Localhost, resolved by the system, is refused on an ordinary port."""
    with pytest.raises(PageReadError) as caught:
        asyncio.run(PageFetcher(timeout_s=ROOM_S).fetch("http://localhost/"))
    assert caught.value.kind is PageFailure.REFUSED_ADDRESS


def test_a_name_that_does_not_exist_could_not_be_asked():
    """A failing look-up is a network failure, no refusal."""

    async def nothing(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    with pytest.raises(PageReadError) as caught:
        asyncio.run(PageFetcher(timeout_s=ROOM_S, resolver=nothing).fetch("http://page.test/"))
    assert caught.value.kind is PageFailure.NETWORK


def test_a_silent_name_server_holds_up_its_own_page_only():
    """Twenty look-ups that never end do not keep a good page from being read."""

    async def both(site: LoopbackSite) -> bytes:
        never = asyncio.Event()

        async def resolver(host: str, _port: int) -> Sequence[str]:
            if host == "silent.test":
                await never.wait()
            return ["127.0.0.1"]

        rule = AddressRule(admitted={("page.test", site.port)})
        reader = PageFetcher(timeout_s=ROOM_S, rule=rule, resolver=resolver)
        stuck = [asyncio.create_task(reader.fetch("http://silent.test/")) for _ in range(20)]
        page = await reader.fetch(f"http://page.test:{site.port}/")
        for task in stuck:
            task.cancel()
        assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*stuck, return_exceptions=True))
        return page.body

    with LoopbackSite(answer(PAGE)) as site:
        assert asyncio.run(both(site)) == PAGE


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"])
def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch, name: str):
    """With a proxy in the environment the page is still dialled by us."""
    with LoopbackSite(answer(b"proxied")) as proxy, LoopbackSite(answer(PAGE)) as site:
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        assert fetch(site).body == PAGE
        assert proxy.visits == 0


def test_the_transport_uses_the_guard():
    """The pool of the transport opens its connections through the guard, and through nothing else."""
    network = GuardedNetwork(AddressRule())
    transport = GuardedTransport(network, True)
    assert transport._pool._network_backend is network


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("401 Unauthorized", PageFailure.BLOCKED),
        ("403 Forbidden", PageFailure.BLOCKED),
        ("429 Too Many Requests", PageFailure.BLOCKED),
        ("404 Not Found", PageFailure.UNREADABLE),
        ("204 No Content", PageFailure.UNREADABLE),
        ("500 Internal Server Error", PageFailure.OUT_OF_ORDER),
        ("503 Service Unavailable", PageFailure.OUT_OF_ORDER),
    ],
)
def test_a_status_has_its_kind(status: str, kind: PageFailure):
    """Refusals, missing pages and broken servers are told apart."""
    assert failure(answer(b"" if status.startswith("204") else PAGE, status=status)) is kind


def test_a_challenge_is_a_refusal():
    """A server error whose page wants proof of a human is a refusal."""
    page = b"<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script></html>"
    assert failure(answer(page, status="503 Service Unavailable")) is PageFailure.BLOCKED


@pytest.mark.parametrize("named", ["application/pdf", "image/png", "application/octet-stream", "text/event-stream"])
def test_what_is_no_text_is_not_read(named: str):
    """Other types are refused by their name, before the body."""
    assert failure(answer(b"%PDF-1.7", f"Content-Type: {named}")) is PageFailure.WRONG_TYPE


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


@pytest.mark.parametrize(
    ("visit", "kinds"),
    [
        pytest.param(endless(OK + b"\r\n", b"x" * 65_536), {PageFailure.TOO_LARGE}, id="endless body"),
        pytest.param(endless(OK, b"X-More: y\r\n" * 1_000), {PageFailure.NETWORK, PageFailure.TOO_LARGE}, id="endless headers"),
        pytest.param(endless(OK, b"X" * 65_536), {PageFailure.NETWORK, PageFailure.TOO_LARGE}, id="endless header"),
        pytest.param(
            endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"10000\r\n" + b"x" * 65_536 + b"\r\n"),
            {PageFailure.TOO_LARGE},
            id="endless chunks",
        ),
        pytest.param(
            endless(OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 65_536),
            {PageFailure.NETWORK},
            id="endless extension",
        ),
        pytest.param(answer(PAGE, *(f"X-{n}: y" for n in range(201))), {PageFailure.TOO_LARGE}, id="many headers"),
        pytest.param(answer(PAGE, "X-Long: " + "y" * 70_000), {PageFailure.TOO_LARGE}, id="long header"),
        pytest.param(answer(PAGE, length=10_000), {PageFailure.NETWORK}, id="shorter than it says"),
        pytest.param(answer(PAGE, length=MAX_PAGE_BYTES * 2), {PageFailure.NETWORK}, id="much shorter than it says"),
        pytest.param(b"", {PageFailure.NETWORK}, id="closed at once"),
        pytest.param(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", {PageFailure.NETWORK}, id="no HTTP"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", {PageFailure.NETWORK}, id="negative length"),
        pytest.param(answer(b"x" * 100, "Content-Encoding: gzip"), {PageFailure.UNREADABLE}, id="no gzip"),
        pytest.param(answer(PAGE, "Content-Encoding: br"), {PageFailure.UNREADABLE}, id="another packing"),
        pytest.param(
            answer(gzip.compress(bytes(MAX_PAGE_BYTES + 1)), "Content-Encoding: gzip"), {PageFailure.TOO_LARGE}, id="gzip bomb"
        ),
        pytest.param(
            answer(gzip.compress(gzip.compress(bytes(64 << 20))), "Content-Encoding: gzip, gzip"),
            {PageFailure.UNREADABLE},
            id="nested gzip",
        ),
    ],
)
def test_a_hostile_server_is_bounded(visit: Visit | bytes, kinds: set[PageFailure]):
    """Endless, broken and lying answers end in a typed error before the deadline."""
    begun = time.monotonic()
    assert failure(visit, timeout_s=3.0) in kinds
    assert time.monotonic() - begun < ROOM_S


def test_a_page_of_the_greatest_size_is_read():
    """The bound itself is allowed."""
    with LoopbackSite(answer(gzip.compress(b"x" * MAX_PAGE_BYTES), "Content-Encoding: gzip")) as site:
        assert len(fetch(site).body) == MAX_PAGE_BYTES


MEMORY = """
import asyncio, resource, sys
from search_core.errors import PageReadError
from search_core.reading.fetch import PageFetcher
from search_core.reading.public_address import AddressRule
port = int(sys.argv[1])
reader = PageFetcher(timeout_s=20, rule=AddressRule(admitted={("127.0.0.1", port)}))
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
def read(path):
    try:
        return len(asyncio.run(reader.fetch(f"http://127.0.0.1:{port}{path}")).body)
    except PageReadError as error:
        return error.kind.value
first = read("/small")
before = peak()
print(first, read("/bomb"), (peak() - before) // 1024)
"""


def test_a_bomb_takes_little_memory():
    """A page of 96 MiB in 400 kB costs less than 32 MiB."""
    bomb = answer(gzip.compress(bytes(96 << 20), 1), "Content-Encoding: gzip")
    small = answer(gzip.compress(PAGE), "Content-Encoding: gzip")
    with LoopbackSite(lambda connection, head: connection.sendall(bomb if b"/bomb" in head else small)) as site:
        run = subprocess.run(
            [sys.executable, "-c", MEMORY, str(site.port)], capture_output=True, text=True, timeout=90, check=True
        )
    first, kind, grown_mib = run.stdout.split()
    assert (int(first), kind) == (len(PAGE), "too_large")
    assert int(grown_mib) < 32


def test_cancelling_closes_the_connection():
    """A fetch that is called off leaves no connection open."""
    asked = threading.Event()

    def visit(connection: socket.socket, _: bytes) -> None:
        asked.set()
        site.wait_for_leaving(connection)

    async def call_off() -> None:
        task = asyncio.create_task(fetcher(site).fetch(f"http://page.test:{site.port}/"))
        await asyncio.to_thread(asked.wait, ROOM_S)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(site.left.wait, ROOM_S)

    with LoopbackSite(visit) as site:
        asyncio.run(call_off())


HOSTILE_URLS = [
    *("http://127.0.0.1:{p}/", "http://LOCALHOST:{p}/", "http://localhost.:{p}/", "http://127.1:{p}/", "http://0:{p}/"),
    *("http://0.0.0.0:{p}/", "http://2130706433:{p}/", "http://0x7f000001:{p}/", "http://0177.0.0.1:{p}/"),
    *("http://[::1]:{p}/", "http://[::]:{p}/", "http://[0:0:0:0:0:ffff:127.0.0.1]:{p}/", "http://[::ffff:7f00:1]:{p}/"),
    *("http://127。0。0。1:{p}/", "http://①②⑦.⓪.⓪.①:{p}/", "http://ⓛocalhost:{p}/", "http://127%2e0%2e0%2e1:{p}/"),
    *("http://user:pass@127.0.0.1:{p}/", "http://example.org:80@127.0.0.1:{p}/", "http://127.0.0.1:{p}\\@example.org/"),
    *("http://127.0.0.1:{p}#@example.org/", "http://127.0.0.1:{p}?@example.org/", "http://example.org\\@127.0.0.1:{p}/"),
    *("http://127.0.0.1:{p};@example.org/", "http://1.1.1.1 &@127.0.0.1:{p}/", "gopher://127.0.0.1:{p}/_x"),
]
"""Tricks that are used against servers which fetch; all of them lead to the canary's port."""


def test_no_hostile_address_reaches_the_canary():
    """None of the tricks with hosts, credentials and schemes opens a connection, though the canary's port is open to pages."""
    with LoopbackSite(answer(PAGE)) as canary:
        reader = PageFetcher(timeout_s=ROOM_S, rule=AddressRule(ports={80, 443, canary.port}))
        for url in HOSTILE_URLS:
            with pytest.raises(PageReadError) as caught:
                asyncio.run(reader.fetch(url.format(p=canary.port)))
            assert caught.value.kind in (PageFailure.REFUSED_ADDRESS, PageFailure.NETWORK), url
        assert canary.visits == 0
