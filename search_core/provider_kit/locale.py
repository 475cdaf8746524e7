"""What a language means for services that want a country as well."""

from __future__ import annotations

_LANGUAGES = "ko:KR en:US ja:JP zh:CN de:DE fr:FR es:ES pt:BR it:IT ru:RU vi:VN th:TH id:ID hi:IN tr:TR pl:PL nl:NL"
_COUNTRIES = dict(pair.split(":") for pair in _LANGUAGES.split())


def country_of(language: str) -> str:
    """Return the country, ISO 3166-1 alpha-2, that a search in *language* is for; US for languages without one of their own here.

    A region that *language* names itself (``en-GB``, ``pt_BR``) stays.
    """
    code, _, region = language.replace("_", "-").partition("-")
    if len(region) == 2 and region.isalpha():
        return region.upper()
    return _COUNTRIES.get(code.lower(), "US")
