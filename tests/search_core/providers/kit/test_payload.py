"""Tolerant reading: texts, addresses, dates and lists as foreign services write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_core.domain.reply import SearchStatus
from search_core.errors import ProviderError
from search_core.providers.kit.payload import date, hit, keep_readable, rank_hits, text, web_url

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("검<b>색</b> 결과", "검색 결과"),
        ("첫 줄<br/>둘째 줄<p>셋째</p>", "첫 줄 둘째 줄 셋째"),
        ("A &amp; B &lt;tag&gt; &#39;따옴표&#39;", "A & B <tag> '따옴표'"),
        ("  여러\n\t 공백\u00a0과\u3000칸 ", "여러 공백 과 칸"),
        (None, ""),
    ],
)
def test_text_is_what_a_person_would_read(raw: object, plain: str):
    """Tags, entities and invisible characters go; letters, jamo and emoji stay."""
    assert text(raw) == plain


@given(st.text(alphabet=st.characters(), max_size=200))
def test_text_never_fails_and_can_always_be_shown(raw: str):
    """Any text gives one line that can be encoded and has no surrounding white space."""
    plain = text(raw)
    plain.encode("utf-8")
    assert plain == " ".join(plain.split())


@pytest.mark.parametrize(
    ("raw", "address"),
    [
        ("https://example.org/a?b=1#c", "https://example.org/a?b=1#c"),
        ('https://example.org/a b"c', "https://example.org/a%20b%22c"),
        ("https://example.org/" + "a" * 5000, None),
        ("", None),
        (None, None),
    ],
)
def test_only_showable_web_addresses_pass(raw: object, address: str | None):
    """An address is http or https, has a host, no credentials and no hidden characters."""
    assert web_url(raw) == address


@pytest.mark.parametrize(
    ("raw", "when"),
    [
        ("2026-08-14T00:00:00.0000000", datetime(2026, 8, 14, tzinfo=UTC)),
        ("Mon, 26 Sep 2016 07:50:00 +0900", datetime(2016, 9, 26, 7, 50, tzinfo=KST)),
        (1762300000000, datetime(2025, 11, 4, 23, 46, 40, tzinfo=UTC)),
        ("2026-12-25", None),
        ("1970-01-01T00:00:00Z", None),
        ("4 days ago", None),
        ("", None),
        (None, None),
        (float("nan"), None),
    ],
)
def test_dates_are_read_in_every_form_services_use(raw: object, when: datetime | None):
    """A readable date comes back with a time zone; placeholders, prose and the future give None."""
    assert date(raw, NOW) == when


def test_entries_without_a_usable_address_are_not_taken_for_nothing_found():
    """Some entries but none usable is invalid_response, none at all an empty answer; a missing title is that of the site."""
    assert keep_readable([]) == ()
    good = hit(title=None, url="https://www.example.org/a", snippet="한국어 <b>본문</b>")
    assert good is not None
    assert (good.title, good.source, good.snippet, good.language) == ("example.org", "example.org", "한국어 본문", "ko")
    assert keep_readable([None, good]) == (good,)
    with pytest.raises(ProviderError) as caught:
        keep_readable([hit(title="제목", url="javascript:1"), hit(title="제목", url=None)])
    assert caught.value.status is SearchStatus.INVALID_RESPONSE


def test_rank_hits_numbers_each_address_once():
    """Places count from one after repeated addresses are left out, up to the limit."""
    hits = [
        hit(title=title, url=f"https://example.org/{path}")
        for title, path in [("가", "a"), ("나", "a"), ("다", "b"), ("라", "c")]
    ]
    ranked = rank_hits([found for found in hits if found], "searxng", 2)
    assert [(found.title, found.ranks, found.providers) for found in ranked] == [
        ("가", (("searxng", 1),), ("searxng",)),
        ("다", (("searxng", 2),), ("searxng",)),
    ]
