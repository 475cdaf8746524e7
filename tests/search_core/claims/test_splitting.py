from __future__ import annotations

import pytest

from search_core.claims.splitting import split_statement


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        (
            "독일은 2023년에 원전을 껐지만 프랑스는 여섯 기를 짓고 있습니다.",
            ("독일은 2023년에 원전을 껐다.", "프랑스는 여섯 기를 짓고 있습니다."),
        ),
        ("작년에 매출은 10% 늘었고 이익은 5% 줄었습니다", ("작년에 매출은 10% 늘었다.", "작년에 이익은 5% 줄었습니다")),
        (
            "인텔은 2018년에 모뎀을 팔았고 2020년에 낸드를 팔았어요",
            ("인텔은 2018년에 모뎀을 팔았다.", "인텔은 2020년에 낸드를 팔았어요"),
        ),
        (
            "Germany closed three plants in 2023, but France is building six new ones.",
            ("Germany closed three plants in 2023.", "France is building six new ones."),
        ),
    ],
)
def test_two_statements_become_two(sentence: str, statements: tuple[str, ...]):
    """Each has its own ending, and the subject and the time that it shares with the other."""
    assert split_statement(sentence) == statements


@pytest.mark.parametrize(
    "sentence",
    [
        "그는 회사를 그만두고 창업을 했습니다.",
        "서울에 본사를 두고 있습니다.",
        "1926년에 가갸날이 처음 열렸고, 이것이 한글날의 시작입니다.",
        "He said that taxes, and the budget, went up 5 percent.",
        "매출이 3조 원입니다.",
    ],
)
def test_what_says_one_thing_or_hangs_together_stays_whole(sentence: str):
    """A part that points at the other, or holds nothing to look up, is not cut off."""
    assert split_statement(sentence) == (sentence,)
