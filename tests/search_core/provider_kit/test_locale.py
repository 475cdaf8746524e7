"""The country a language stands for."""

from __future__ import annotations

import pytest

from search_core.provider_kit.locale import country_of


@pytest.mark.parametrize(
    ("language", "country"),
    [
        ("ko", "KR"),
        ("en", "US"),
        ("ja", "JP"),
        ("zh", "CN"),
        ("KO", "KR"),
        ("en-GB", "GB"),
        ("pt_BR", "BR"),
        ("zh-Hant", "CN"),
        ("xx", "US"),
        ("", "US"),
    ],
)
def test_a_language_has_its_country(language: str, country: str):
    """The usual country, the one the language names itself, or the United States."""
    assert country_of(language) == country
