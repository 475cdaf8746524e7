"""The shipped weights that read sentences together with a question, and what happens where they cannot run."""

from __future__ import annotations

import pytest

from search_core.models.embedding import EmbedderHost, Placed
from search_core.models.embedding.e5.weights_file import MODEL

ASKED = [
    ("왜 그만뒀대?", "그분은 20년을 일하셨어요.", "몸이 안 좋아져서 더는 못 하겠다고 하시더라고요."),
    ("얼마나 걸려?", "기차를 타고 갔습니다.", "서울에서 두 시간 반이면 도착해요."),
    ("who found it?", "It was lying in a field for decades.", "A retired farmer came across it while walking his dog."),
    ("어디서 열려?", "올해로 열두 번째 맞는 축제죠.", "행사는 강릉 해변에서 열립니다."),
]
"""A question, a sentence beside the answer, and the answer."""

pytestmark = pytest.mark.timeout(300)


def test_plain_answers_are_likelier_than_what_stands_beside_them(shipped):
    """Of four questions at least three have their answer read as likelier than another sentence; nothing asked gives no odds."""
    read = shipped.answering.odds_or_none
    odds = [read(asked, [Placed("", beside), Placed(beside, answer)]) for asked, beside, answer in ASKED]
    assert sum(float(each[1]) > float(each[0]) for each in odds) >= 3
    assert read("왜?", []).shape == (0,)


def test_where_no_model_ships_or_it_is_not_ready_there_are_no_odds():
    """Beside Kiwi alone nobody reads; a model that has not been started is begun and gives none yet."""
    assert EmbedderHost(model="kiwi").answering.odds_or_none("왜?", [Placed("", "비가 와서요.")]) is None
    host = EmbedderHost(model=MODEL)
    try:
        assert host.answering.odds_or_none("왜?", [Placed("", "비가 와서요.")]) is None
    finally:
        host.close()
