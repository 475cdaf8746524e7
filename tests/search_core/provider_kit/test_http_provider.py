"""Configured addresses without what is secret in them."""

from __future__ import annotations

import pytest

from search_core.provider_kit.http_provider import without_credentials


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://api.example.org/v1", "https://api.example.org/v1"),
        ("https://me:geheim@api.example.org:8443/v1?a=b@c", "https://api.example.org:8443/v1?a=b@c"),
        ("http://token@127.0.0.1", "http://127.0.0.1"),
        ("http://me:p@ss@[::1]:80/", "http://[::1]:80/"),
        ("", ""),
    ],
)
def test_name_and_password_go_and_the_rest_stays(address: str, shown: str):
    """Whatever stands before the last @ of the host part is left out."""
    assert without_credentials(address) == shown
