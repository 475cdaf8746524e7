"""TLS is verified on the name, though the address is what is dialled."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence

import pytest
import trustme

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import PageFetcher
from search_core.reading.public_address import AddressRule
from tests.search_core.reading.loopback_site import LoopbackSite, answer


async def loopback(_host: str, _port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def fetched(host: str, certificate: trustme.LeafCert, authority: trustme.CA) -> tuple[bytes, LoopbackSite]:
    """Return what is read from *host* at a site that shows *certificate*."""
    ours = ssl.create_default_context()
    authority.configure_trust(ours)
    theirs = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(theirs)
    with LoopbackSite(answer(b"read"), theirs) as site:
        rule = AddressRule(admitted={(host, site.port)})
        reader = PageFetcher(timeout_s=20, rule=rule, resolver=loopback, authorities=ours)
        return asyncio.run(reader.fetch(f"https://{host}:{site.port}/")).body, site


@pytest.mark.parametrize(("host", "shown"), [("page.test", "page.test"), ("127.0.0.1", "127.0.0.1")])
def test_a_certificate_for_the_name_is_taken(host: str, shown: str):
    """A page is read when the certificate is for the host in the address, which is the name asked for in TLS."""
    authority = trustme.CA()
    body, site = fetched(host, authority.issue_cert(shown), authority)
    assert body == b"read"
    assert site.names == (["page.test"] if host == "page.test" else [None])


@pytest.mark.parametrize(
    ("host", "shown", "common_name"),
    [
        ("page.test", "other.test", None),
        ("page.test", "127.0.0.1", None),
        ("127.0.0.1", "127.0.0.2", None),
        ("127.0.0.1", "page.test", "127.0.0.1"),
    ],
)
def test_a_certificate_for_another_name_is_not_taken(host: str, shown: str, common_name: str | None):
    """A certificate for another name or address, or for the address that was dialled, is refused."""
    authority = trustme.CA()
    with pytest.raises(PageReadError) as caught:
        fetched(host, authority.issue_cert(shown, common_name=common_name), authority)
    assert caught.value.kind is PageFailure.NETWORK


def test_an_unknown_authority_is_not_taken():
    """A certificate nobody vouches for is refused."""
    with pytest.raises(PageReadError) as caught:
        fetched("page.test", trustme.CA().issue_cert("page.test"), trustme.CA())
    assert caught.value.kind is PageFailure.NETWORK
