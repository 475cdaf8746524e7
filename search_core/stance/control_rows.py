"""Rows whose answer is known, put among those that a language model judges: who gets one wrong is not believed of the others.

A small model may call everything that shares words an agreement, or deny whatever it doubts; its quotes are true all the same.
Everything named here is made up, so that no page and no model can know of it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from search_core.domain import Stance, StanceRow


class ControlRow(NamedTuple):
    """A statement and a text of which nobody who reads them says one of *wrong*."""

    statement: str
    text: str
    wrong: frozenset[Stance]

    def as_row(self) -> StanceRow:
        """Return the row as a model sees others."""
        return StanceRow(
            moment_s=0.0,
            statement=self.statement,
            stance=Stance.CANNOT_TELL,
            source=0,
            quote=self.text,
            date=_DAY,
            after_video=None,
            independent_of=0,
            confidence=0.0,
            restates_video=False,
            why="",
        )


_DAY = datetime(2026, 5, 11, tzinfo=UTC)
_BESIDE = frozenset({Stance.AGREE, Stance.CONTRADICTS, Stance.ADDS})
_DENIED = frozenset({Stance.AGREE})
_SO = frozenset({Stance.CONTRADICTS})
_KINDS: Mapping[frozenset[Stance], tuple[tuple[str, str], ...]] = {
    _BESIDE: (
        (
            "가람대교에는 하루에 차량 9만 대가 지나갑니다.",
            "가람대교를 그린 수채화가 초등학교 사생 대회에서 상을 받았다.",
        ),
        ("누리전자는 새 공장에서 배터리를 만들기 시작했습니다.", "누리전자 상표가 찍힌 우산이 지하철역 유실물 보관소에 있었다."),
        ("다온식품은 지난해 매출이 줄었습니다.", "다온식품 옆 골목에는 오래된 감나무가 한 그루 서 있다."),
        ("모래내 도서관은 밤 열 시까지 문을 엽니다.", "모래내 도서관 앞에서 길고양이가 새끼를 세 마리 낳았다."),
    ),
    _DENIED: (
        ("하늘섬의 등대는 지금도 밤마다 불을 켭니다.", "하늘섬 등대는 2011년에 불이 꺼진 뒤 다시 켜지지 않았다."),
        ("미르제약은 신약의 임상시험에 성공했습니다.", "미르제약은 신약의 임상시험이 실패로 끝났다고 밝혔다."),
        ("별빛마을의 인구는 해마다 늘고 있습니다.", "별빛마을의 인구는 10년째 줄어들기만 한다."),
        ("세움건설은 빚을 모두 갚았습니다.", "세움건설은 빚을 갚지 못해 법원에 회생을 신청했다."),
    ),
    _SO: (
        ("한솔대학교는 기숙사를 새로 지었습니다.", "한솔대학교가 새 기숙사를 완공해 학생들을 들였다."),
        ("보람시는 버스 요금을 올렸습니다.", "보람시의 버스 요금이 이달부터 비싸졌다."),
        ("나래호수의 물은 마실 수 있습니다.", "나래호수의 물은 검사에서 마셔도 되는 물로 나왔다."),
        ("솔뫼역에는 승강기가 없습니다.", "솔뫼역에는 승강기가 한 대도 놓이지 않았다."),
    ),
}
"""By what nobody says of them: those beside the point, those denied, and those borne out."""
CONTROLS = {said: ControlRow(said, text, wrong) for wrong, rows in _KINDS.items() for said, text in rows}
"""By statement."""


def choose_controls(chance: random.Random) -> list[ControlRow]:
    """Return one control row of each kind."""
    return [CONTROLS[chance.choice(rows)[0]] for rows in _KINDS.values()]
