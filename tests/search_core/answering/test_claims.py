"""Numbers, names and directions of sentences, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from search_core.answering.claims import dated, denies, figures, names, names_not_in, opposed, values_in


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3억 5천만 달러", [350_000_000]),
        ("3.5억 달러", [350_000_000]),
        ("1만2000명", [12_000]),
        ("12만 명과 1,234명", [120_000, 1_234]),
        ("1조 2,000억 2026년", [1_200_000_000_000, 2026]),
        ("$44 billion 3", [44_000_000_000, 3]),
        ("12.5%", [Decimal("12.5")]),
        ("3~5개", [3, 5]),
        ("2026-03-05", [2026, 3, 5]),
        ("4만 64개 기업", [40_064]),
        ("5억 3개", [500_000_000, 3]),
        ("HBM4 v2.1", []),
        ("한글", []),
    ],
)
def test_numbers_are_read_with_their_scale(text: str, values: list[int]):
    """Korean and English scales are multiplied out, parts of one number are added, and digits in names are none."""
    assert [figure.value for figure in figures(text)] == values


def test_english_months_are_numbers():
    """A month before a day counts as its number, so that 3월 18일 is found in March 18."""
    assert values_in("On March 18, 2026 it may rise") == {Decimal(3), Decimal(18), Decimal(2026)}


def test_the_date_of_publication_is_told_by_its_parts():
    """Year, month and day of the source may be said of it, other numbers and other days may not."""
    published = [datetime(2026, 3, 19, tzinfo=UTC)]
    assert [dated(figure, published) for figure in figures("2026년 3월 19일 19개 18일")] == [True, True, True, False, False]


def test_names_are_found_in_both_scripts():
    """Organisations and words written as names are names; the first word of an English sentence is not for that alone."""
    assert set(names("삼성전자가 GTC에서 HBM4를 공개했다")) == {"삼성전자", "GTC", "HBM4"}
    assert "However" not in names("However the iPhone was late")
    assert "iPhone" in names("However the iPhone was late")


def test_a_name_in_the_other_script_is_there():
    """엔비디아 is in a text that says Nvidia; Apple is not."""
    assert names_not_in(("엔비디아", "애플"), "Nvidia showed its roadmap") == ("애플",)


@pytest.mark.parametrize(
    ("text", "denying"),
    [
        ("정해지지 않았다", True),
        ("그런 일은 없었다", True),
        ("It does not ship", True),
        ("정했다", False),
        ("It is notable", False),
    ],
)
def test_denials_are_heard(text: str, denying: bool):
    """Korean and English negation is found, words that only look like it are not."""
    assert denies(text) is denying


@pytest.mark.parametrize(
    ("claim", "evidence", "otherwise"),
    [
        ("매출이 줄었다", "매출이 늘었다", True),
        ("매출이 늘었다", "Revenue fell 12%", True),
        ("매출이 늘었다", "Revenue rose 12%", False),
        ("매출이 늘었다", "매출은 늘고 비용은 줄었다", False),
        ("매출이 늘었다", "매출을 발표했다", False),
    ],
)
def test_opposite_directions_are_seen(claim: str, evidence: str, otherwise: bool):
    """Rising is not falling, in either language; a text that says both or neither opposes nothing."""
    assert opposed(claim, evidence) is otherwise
