from __future__ import annotations

import re
from dataclasses import replace

import pytest

from search_core.answers.fallback_detector import FallbackDetector
from search_core.answers.passages import choose_passages
from search_core.answers.quotes import read_passages
from search_core.answers.transcript_answer import NOT_FOUND, NOT_MENTIONED, extractive_answer, transcript_messages
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.dates import clock

from .asking import asking, hbm, scorer


def extract(text: str, video: VideoContext | None):
    question = asking(text, video)
    asked = scorer().parse(question)
    found = None if asked.whole else read_passages(asked, choose_passages(asked, video, scorer()), scorer())
    return extractive_answer(question, found, whole=asked.whole)


def test_sentences_are_quoted_with_their_moments():
    """The extract says that no model wrote it and quotes word for word at its moment; a summary quotes each part."""
    answer = extract("메모리 장벽이 뭐야?", hbm())
    assert "- [00:25] “프로세서의 속도는" in answer.text
    assert "이 격차를 메모리 장벽, 영어로 메모리 월이라고 부릅니다." in answer.text
    assert "언어 모델이 쓴 답이 아니라" in answer.text
    assert 25.0 in answer.moments
    spoken = " ".join(segment.text for segment in hbm().transcript)
    assert all(quoted in spoken for quoted in re.findall("“(.+)”", answer.text))
    assert not FallbackDetector().detect(answer.text, "메모리 장벽이 뭐야?").triggered
    summary = extract("이 영상 요약해 줘", hbm())
    assert summary.text.count("\n- [") == len(summary.moments) == 5
    assert "주제: " in summary.text
    assert "전체에서 고루" in summary.text
    assert not FallbackDetector().detect(summary.text, "이 영상 요약해 줘").triggered


def test_badly_recognised_speech_is_marked():
    """A sentence from where speech recognition is uncertain says so, to readers and to a model, and is no "I don't know"."""
    sure = TranscriptSegment(10, 15, "메모리 장벽은 프로세서와 메모리의 속도 차이를 말합니다.")
    doubtful = TranscriptSegment(20, 25, "메모리 장벽 때문에 연산 장치가 기다립니다.", uncertain=True)
    heard = VideoContext(title="메모리 장벽", transcript=(sure, doubtful))
    answer = extract("메모리 장벽이 뭐야?", heard)
    assert f"{doubtful.text}” (음성 인식 불확실)" in answer.text
    assert "(음성" not in extract("메모리 장벽이 뭐야?", replace(heard, transcript=(sure,))).text
    assert not FallbackDetector().detect(answer.text, "메모리 장벽이 뭐야?").triggered
    question = asking("메모리 장벽이 뭐야?", heard)
    passages = choose_passages(scorer().parse(question), heard, scorer())
    assert "(speech recognition uncertain here)" in transcript_messages(question, passages)[-1].content


@pytest.mark.parametrize(
    ("text", "video", "said"),
    [
        ("SK하이닉스 창업자는 누구인가요?", hbm(), f"{NOT_FOUND} 질문에 가장 가까운 곳은 ["),
        ("Who won the Super Bowl?", hbm(), "다른 언어라서 놓쳤을 수 있어요"),
        ("메모리 장벽이 뭐야?", VideoContext(title="메모리"), "자막이 없어서"),
        ("메모리 장벽이 뭐야?", VideoContext(title="메모리", transcript=(TranscriptSegment(0, 1, " "),)), "자막이 없어서"),
        ("메모리 장벽이 뭐야?", None, "영상이 없어서"),
    ],
)
def test_what_cannot_be_answered_is_said_in_words_the_fallback_understands(text: str, video: VideoContext | None, said: str):
    """Not mentioned, not comparable, no transcript and no video are told apart, cite nothing, and all trigger the fallback."""
    answer = extract(text, video)
    assert said in answer.text
    assert answer.moments == ()
    assert FallbackDetector().detect(answer.text, text).triggered


def test_passages_reach_a_model_best_first():
    """Title and passages stand under their moments between marks of the request's own; instructions never change."""
    question = asking("메모리 장벽이 뭐야?", hbm())
    passages = choose_passages(scorer().parse(question), hbm(), scorer())
    first, again = transcript_messages(question, passages), transcript_messages(question, passages)
    assert first[0] == again[0]
    assert NOT_MENTIONED in first[0].content
    fence = first[1].content.splitlines()[0]
    assert fence not in again[1].content
    _, data, asked = first[1].content.split(fence)
    assert "HBM과 메모리 대역폭" in data
    assert "[00:36]\n이 격차를 메모리 장벽" in data
    moments = re.findall(r"^\[(\d\d:\d\d)\]$", data, re.MULTILINE)
    assert moments == [clock(passage.start_s) for passage in passages]
    assert asked.strip() == "질문: 메모리 장벽이 뭐야?"
