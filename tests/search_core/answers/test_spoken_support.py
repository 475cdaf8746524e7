"""What a model says of a video, held to the passages it was given."""

from __future__ import annotations

from typing import Any

import pytest

from search_core.answers.spoken_support import UNCONFIRMED, drop_invented, hold_to_passages
from search_core.domain.video import TranscriptPassage, TranscriptSegment


def passage(start_s: float, *said: str) -> TranscriptPassage:
    """Return sentences that are said five seconds each."""
    return TranscriptPassage(
        segments=tuple(TranscriptSegment(start_s + 5 * place, start_s + 5 * place + 5, text) for place, text in enumerate(said))
    )


PASSAGES = (
    passage(30, "이 공장은 지난해 여름에 문을 열었습니다.", "올해 매출은 420억 원으로 예상됩니다.", "직원은 모두 180명입니다."),
    passage(
        95,
        "K3 배터리는 한 번 충전으로 510킬로미터를 갑니다.",
        "그보다 먼저 나온 것과는 방식이 다릅니다.",
        "수명도 늘었다고 합니다.",
        "예전의 K2 배터리는 390킬로미터를 갔습니다.",
    ),
)
ASKED = "올해 매출은 얼마로 예상하나요?"


def held(text: str, question: str = ASKED, **options: Any):
    return hold_to_passages(text, question, PASSAGES, "공장 이야기", **options)


@pytest.mark.parametrize(
    ("text", "shown", "moments"),
    [
        ("올해 매출은 420억 원으로 예상돼요.", "올해 매출은 420억 원으로 예상돼요 [00:35].", (35.0,)),
        ("올해 매출은 420억 원으로 예상돼요. [00:35]", "올해 매출은 420억 원으로 예상돼요 [00:35].", (35.0,)),
        ("420억 원이에요.", "420억 원이에요 [00:35].", (35.0,)),
        ("직원은 180명이에요.", "직원은 180명이에요 [00:40].", (40.0,)),
        ("K3 배터리는 510킬로미터를 가요.", "K3 배터리는 510킬로미터를 가요 [01:35].", (95.0,)),
    ],
)
def test_a_sentence_gets_the_moment_that_bears_it(text: str, shown: str, moments: tuple[float, ...]):
    """One that cites no moment gets that of the sentence which says it; a bare figure answers what was asked."""
    answer = held(text)
    assert (answer.text, answer.moments, answer.borne_out) == (shown, moments, True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("33,935,997원입니다.", ""),
        ("2019년 4월에 문을 열었어요.", ""),
        ("매출은 180명이에요.", f"매출은 180명이에요 {UNCONFIRMED}."),
        ("K2 배터리는 510킬로미터를 가요 [01:35].", f"K2 배터리는 510킬로미터를 가요 [01:35] {UNCONFIRMED}."),
        ("이 회사는 바다에서 배를 만들어 팔아요.", f"이 회사는 바다에서 배를 만들어 팔아요 {UNCONFIRMED}."),
        ("올해 매출이 예상돼요.", None),
        ('올해 매출이 얼마로 예상하느냐는 question is "Keroleo" [00:35].', None),
    ],
)
def test_what_no_passage_bears_out_is_no_answer(text: str, shown: str | None):
    """Invented figures go, those of another thing and prose from elsewhere are marked, and the question again is none."""
    answer = held(text)
    assert not answer.borne_out
    assert shown is None or answer.text == shown


@pytest.mark.parametrize(
    ("text", "answers"), [("[horse] [00:35]", False), ("Sales are expected to grow this year [00:35].", True)]
)
def test_a_word_in_another_language_is_no_answer(text: str, answers: bool):
    """A sentence may be borne out by what it is near to in meaning; a word or two would be near to anything."""
    assert held(text, nearness=lambda texts, others: [[1.0] * len(others) for _ in texts]).borne_out is answers


def test_invented_figures_go_alone():
    """The sentences around one stay, and so does a figure of the question; the question again goes, too."""
    text = "올해 매출은 420억 원으로 예상돼요 [00:35]. 이익은 77억 원이에요. 직원은 180명이에요."
    answer = held(text)
    assert answer.text == "올해 매출은 420억 원으로 예상돼요 [00:35]. 직원은 180명이에요 [00:40]."
    assert drop_invented("2031년에는 어떨지 몰라요. 값은 55억 원이에요.", "2031년 값은?") == "2031년에는 어떨지 몰라요."
    assert held("직원은 모두 몇 명인가요? 직원은 180명이에요.", "직원은 모두 몇 명인가요?").text == "직원은 180명이에요 [00:40]."


def test_a_copy_answers_only_where_a_passage_does():
    """Words of the video that do not answer the question are no answer for being repeated."""
    text = "이 공장은 지난해 여름에 문을 열었습니다."
    assert held(text, "이 공장은 누가 지었나요?").borne_out
    assert not held(text, "이 공장은 누가 지었나요?", answered=False).borne_out
    long = "누가 지었는지는 한 번 충전으로 510킬로미터를 갑니다 그보다 먼저 나온 것과는 방식이 다릅니다 수명도 늘었다고 합니다."
    assert not held(long, "이 공장은 누가 지었나요?", answered=False).borne_out


@pytest.mark.parametrize(
    ("question", "text", "answers"),
    [
        ("배터리는 한 번 충전으로 얼마나 가나요?", "K3 배터리는 510킬로미터를 가요.", True),
        ("배터리는 한 번 충전으로 얼마나 가나요?", "직원은 180명이에요.", False),
        ("배터리는 몇 킬로미터를 가나요?", "예전의 K2 배터리는 390킬로미터를 갔어요.", True),
        ("공장은 어떻게 달라졌나요?", "먼저 나온 것과 방식이 달라요.", True),
    ],
)
def test_a_number_is_answered_by_one_of_its_measure(question: str, text: str, answers: bool):
    """Where no passage answers the question, a sentence about something else of the video is no answer."""
    assert held(text, question, answered=False).borne_out is answers
