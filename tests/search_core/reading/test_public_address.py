"""Which addresses pages may be read from."""

from __future__ import annotations

import pytest

from search_core.errors import PageFailure, PageReadError
from search_core.reading.public_address import AddressRule, is_public

NOT_PUBLIC = [
    # IPv4: this network, private, shared, loopback, link-local
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.255.255.254"),
    *("169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"),
    # protocol assignments, documentation, 6to4 relay, benchmarks, multicast, reserved, broadcast
    *("192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.0.192", "192.0.2.1", "192.88.99.1", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "100.100.100.200"),
    # IPv6: none, loopback, compatible, translated, discard, local NAT64, unique local, site-local, link-local, multicast
    *("::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:0:127.0.0.1", "100::1", "64:ff9b:1::1", "64:ff9b:1::a00:1", "fc00::1"),
    *("fd00::1", "fd00:ec2::254", "fec0::1", "fe80::1", "fe80::1%eth0", "ff02::1", "ff0e::1", "5f00::1", "4000::1", "200::1"),
    # protocol assignments (ORCHID, benchmarks), documentation, unassigned
    *("2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "3fff::1", "3fff:fff::1", "3ffe::1", "2d00::1"),
    # another address inside: mapped, NAT64, 6to4, Teredo (server, client), ISATAP
    *("::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::"),
    *("2002:a9fe:a9fe::1", "2002:c0a8:101::", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe"),
    *("2607:f8b0::5efe:7f00:1", "2607:f8b0::200:5efe:a00:1", "2607:f8b0::5efe:169.254.169.254", "2002:808:808::1"),
]
PUBLIC = [
    *("1.1.1.1", "8.8.8.8", "9.9.9.9", "11.0.0.1", "93.184.215.14", "100.63.255.255", "100.128.0.1", "126.255.255.255"),
    *("128.0.0.1", "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.1", "192.0.1.1", "192.0.3.1", "192.167.255.255"),
    *("192.169.0.1", "198.17.255.255", "198.20.0.1", "198.51.99.1", "203.0.112.1", "203.0.114.1", "223.255.255.255"),
    *("2606:4700:4700::1111", "2001:4860:4860::8888", "2400:cb00::1", "2a00:1450:4001::1", "2620:fe::fe", "2001:200::1"),
    *("::ffff:8.8.8.8", "64:ff9b::808:808"),
]


def test_special_addresses_are_refused_and_their_neighbours_allowed():
    """Special-purpose, unassigned and wrapped private addresses, and what is no full address, are not public; others are."""
    no_address = ["", "localhost", "1.2.3", "0x7f.1", "0177.0.0.1", "8.8.8.8 ", "8.8.8.8:80"]
    assert [address for address in (*NOT_PUBLIC, *no_address) if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []


REFUSED_URLS = [
    # not http
    *("file:///etc/passwd", "ftp://example.org/", "gopher://example.org:70/_x", "javascript:alert(1)", "data:text/html,x"),
    *("jar:http://127.0.0.1!/", "Dynamic:http://example.org/", "dict://example.org:11211/", "//example.org/", "example.org", ""),
    # no host, or one nobody means
    *("http:///x", "http:127.0.0.1/", "http://", "http://[::1", "http://ex%61mple.org/", "http://a..b/", "http://${HOST}/"),
    # credentials and characters on which parsers differ
    *("http://user@example.org/", "http://user:secret@example.org/", "http://127.1.1.1:80\\@127.2.2.2:80/"),
    *(
        "http://example.org:80@127.0.0.1/",
        "http://127.0.0.1#@example.org/",
        "http://example.org\\@127.0.0.1/",
        "http://ⓛocalhost/",
    ),
    *("http://127.0.0.1\\@example.org/", "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/", "http://example.org/\r\nHost: x", "http://a\tb/"),
    # other ports
    *("http://example.org:22/", "http://example.org:6379/", "https://example.org:8443/", "http://example.org:0/"),
    # addresses of no public place, however written
    *("http://127.0.0.1/", "http://0x7f.1/", "http://0x7f000001/", "http://2130706433/", "http://017700000001/", "http://127.1/"),
    *("http://0177.0.0.1/", "http://127.0.0.1./", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/"),
    *("http://[::ffff:a9fe:a9fe]/", "http://[fe80::1%25eth0]/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://0/"),
    *("http://%31%32%37.0.0.1/", "http://169.254.169.254/latest/meta-data/", "https://[fd00:ec2::254]/", "http://256.1.1.1/"),
    "http://example.org/" + "a" * 2_048,
]


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_a_hostile_address_is_refused_before_anything_is_asked(url: str):
    """Such an address raises REFUSED_ADDRESS, and neither text says the address."""
    with pytest.raises(PageReadError) as caught:
        AddressRule().check_url(url)
    assert caught.value.kind is PageFailure.REFUSED_ADDRESS
    assert not url or url not in str(caught.value) + caught.value.korean


def test_only_what_the_operator_names_is_admitted():
    """An admitted host passes with its port alone, upper case or a final dot aside."""
    rule = AddressRule(admitted={("127.0.0.1", 8080), ("intranet", 80), ("::1", 9000)})
    for place in ("127.0.0.1:8080/x", "INTRANET/", "intranet./", "[::1]:9000/"):
        rule.check_url(f"http://{place}")
    for place in ("127.0.0.1/", "127.0.0.1:8081/", "127.1:8080/", "intranet:8080/"):
        with pytest.raises(PageReadError):
            rule.check_url(f"http://{place}")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://example.org/a?b=c#d", "example.org"),
        ("http://EXAMPLE.org:80/", "example.org"),
        ("https://한글.kr:443/", "xn--bj0bj06e.kr"),
        ("http://8.8.8.8/", "8.8.8.8"),
        ("https://[2606:4700:4700::1111]/", "2606:4700:4700::1111"),
        ("https://a_b.example.org./", "a_b.example.org."),
    ],
)
def test_an_ordinary_address_passes(url: str, host: str):
    """Names, internationalised names and public addresses are read, the host as it will be asked for."""
    assert AddressRule().check_url(url).raw_host.decode() == host
