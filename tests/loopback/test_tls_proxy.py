"""The loopback proxy itself: real TLS, real hosts, hanging and dropping on request."""

from __future__ import annotations

import ssl
import threading

import httpx
import pytest
import requests

from tests.loopback.tls_proxy import TlsProxy


def hello(method, host, target, headers, body):
    return 200, {"content-type": "text/plain; charset=utf-8"}, f"{method} {host} {target} {body.decode()}".encode()


def test_answers_for_any_https_host_with_a_trusted_certificate():
    """A client that trusts the proxy's authority reads the handler's answer for the host it asked."""
    with TlsProxy(hello) as proxy, requests.Session() as session:
        session.trust_env = False
        session.proxies, session.verify = {"https": proxy.url}, proxy.ca_file
        first = session.get("https://www.example.org/a?b=1")
        second = session.post("https://www.example.org/c", data="몸".encode())
        third = session.get("https://api.example.net/")
    assert [r.text for r in (first, second, third)] == [
        "GET www.example.org /a?b=1 ",
        "POST www.example.org /c 몸",
        "GET api.example.net / ",
    ]
    assert [seen.host for seen in proxy.requests] == ["www.example.org", "www.example.org", "api.example.net"]


def test_an_untrusting_client_refuses_the_certificate():
    """Without the authority file the certificate is refused, so tests cannot pass with verification switched off by accident."""
    with TlsProxy(hello) as proxy, httpx.Client(proxy=proxy.url, trust_env=False) as client, pytest.raises(httpx.ConnectError):
        client.get("https://www.example.org/")
    assert proxy.requests == []


def test_httpx_reads_through_the_proxy():
    """An httpx client with the authority in its context reads through the proxy as well."""
    with TlsProxy(hello) as proxy:
        context = ssl.create_default_context(cafile=proxy.ca_file)
        with httpx.Client(proxy=proxy.url, verify=context, trust_env=False) as client:
            assert client.get("https://a.example/x").text == "GET a.example /x "


def test_none_drops_the_connection_and_an_event_hangs_it():
    """A handler returning None closes the socket; one that waits lets the client run into its timeout."""
    release = threading.Event()

    def handler(method, host, target, headers, body):
        if target == "/hang":
            release.wait(10)
        return

    with TlsProxy(handler) as proxy, requests.Session() as session:
        session.trust_env = False
        session.proxies, session.verify = {"https": proxy.url}, proxy.ca_file
        with pytest.raises(requests.ConnectionError):
            session.get("https://a.example/drop")
        with pytest.raises(requests.Timeout):
            session.get("https://a.example/hang", timeout=0.2)
        release.set()


def test_answers_plain_http_straight_and_through_the_proxy():
    """Plain http gets the same answers, whether the proxy is asked as a server or as a proxy."""
    with TlsProxy(hello) as proxy:
        with httpx.Client(trust_env=False) as client:
            straight = client.get(f"{proxy.url}/a?u=https://b").text
        with httpx.Client(proxy=proxy.url, trust_env=False) as client:
            through = client.get("http://c.example/d").text
    assert straight == f"GET {proxy.url.removeprefix('http://')} /a?u=https://b "
    assert through == "GET c.example /d "
