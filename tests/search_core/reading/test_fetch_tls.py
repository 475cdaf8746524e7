"""TLS is verified on the name, though the address is what is dialled."""

from __future__ import annotations

import asyncio
import ssl

import pytest
import trustme

from search_core.errors import PageFailure, PageReadError
from search_core.reading.fetch import PageFetcher
from search_core.reading.public_address import AddressRule
from tests.search_core.reading.loopback_site import LoopbackSite, answer
from tests.search_core.reading.test_fetch import loopback

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
