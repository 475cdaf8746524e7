from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from search_core.answers.passages import BEARS_ON, MAX_PASSAGES, MAX_SCORED, choose_passages, relevant_passages
from search_core.domain.video import TranscriptPassage, TranscriptSegment, VideoContext
from search_core.errors import EmbeddingError

from .asking import asking, failing_scorer, hbm, scorer


def chosen(text: str, video: VideoContext | None, **more) -> tuple[TranscriptPassage, ...]:
    return choose_passages(scorer().parse(asking(text, video, **more), of_video=True), video, scorer())


def test_passages_are_few_apart_and_best_first():
    """What answers comes first, in small or capital letters, then others by score, none of which shares a second with another."""
    passages = chosen("메모리 장벽이 뭐야?", hbm())
    assert int(passages[0].start_s) == 36
    assert "메모리 장벽" in passages[0].text
    assert passages[0].score >= BEARS_ON
    assert 1 < len(passages) <= MAX_PASSAGES
    assert all(before.score >= after.score for before, after in pairwise(passages))
    in_time = sorted(passages, key=lambda passage: passage.start_s)
    assert all(before.end_s <= after.start_s for before, after in pairwise(in_time))
    assert relevant_passages(chosen("D램이 뭐야?", hbm()))


@pytest.mark.parametrize(
    "text", ["SK하이닉스 창업자는 누구인가요?", "HBM5는 언제 나오나요?", "낸드 플래시를 처음 발명한 사람은?"]
)
def test_what_the_video_does_not_speak_of_bears_on_nothing(text: str):
    """A name of the video, a product of another number or the verb alone is not enough; passages come all the same."""
    passages = chosen(text, hbm())
    assert passages
    assert relevant_passages(passages) == ()


def test_a_follow_up_is_understood_by_the_turn_before():
    """Asked after the memory wall, "그건 무슨 뜻이야?" is about it and not the whole video; no transcript, no passages."""
    best = chosen("그건 무슨 뜻이야?", hbm(), earlier=("메모리 장벽이 뭐야?",))[0]
    assert "메모리 장벽" in best.text
    asked = scorer().parse(asking("더 자세히 알려줘", hbm(), earlier=("메모리 장벽이 뭐야?",)))
    assert not asked.whole
    assert "메모리 장벽" in asked.text
    for video in (None, VideoContext(title="메모리 장벽")):
        assert chosen("메모리 장벽이 뭐야?", video) == ()


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("무슨 내용이야?", True), ("요약해줘", True), ("이거 무슨 영상이야?", True), ("어떤 소식들이 나왔어?", True),
        ("설명해 줘", False), ("그 내용이 뭐야?", False), ("이거 뭐야?", False),
    ],
)  # fmt: skip
def test_in_a_conversation_the_whole_video_is_meant_where_its_contents_are_named(text: str, whole: bool):
    """After a turn, what only asks for more is about that turn; the contents, a summary and the video itself are the video's."""
    assert scorer().parse(asking(text, hbm(), earlier=("메모리 장벽이 뭐야?",))).whole is whole


@pytest.mark.parametrize("text", ["얼마예요?", "언제 나와요?", "지금은 얼마나 묻었어?", "how many?"])
def test_a_bare_question_word_asks_for_one_thing(text: str):
    """How much, when and how many are asked of what is said there, not of the whole video."""
    assert not scorer().parse(asking(text, hbm())).whole


@pytest.mark.parametrize("text", ["이 영상 요약해 줘", "What is this video about?"])
def test_the_whole_video_is_looked_at_when_it_is_asked_for(text: str):
    """A question that names nothing but the video gets passages from all over it, its first and its last among them, in order."""
    video = hbm()
    passages = chosen(text, video)
    starts = [passage.start_s for passage in passages]
    assert len(passages) == MAX_PASSAGES
    assert starts == sorted(starts)
    assert passages[0].start_s == video.transcript[0].start_s
    assert passages[-1].text.endswith(video.transcript[-1].text)
    assert relevant_passages(passages) == passages
    short = VideoContext(title="t", transcript=(TranscriptSegment(0, 5, "짧은 이야기입니다."),))
    assert [passage.text for passage in chosen(text, short)] == ["짧은 이야기입니다."]


def test_what_cannot_be_scored_is_an_error_and_no_empty_list():
    """When no embedder works, nobody may conclude that the video says nothing."""
    broken = failing_scorer()
    video = VideoContext(title="t", transcript=(TranscriptSegment(0, 5, "메모리 장벽 이야기입니다."),))
    with pytest.raises(EmbeddingError, match="could not be scored"):
        choose_passages(broken.parse(asking("메모리 장벽이 뭐야?", video)), video, broken)


def test_of_a_day_of_speech_what_answers_is_found():
    """Of more passages than are scored those that hold words of the question are, wherever they stand."""
    talk = [
        TranscriptSegment(50.0 * place, 50.0 * place + 49.0, f"{place}번째 이야기를 이어 갑니다.")
        for place in range(MAX_SCORED + 500)
    ]
    answer = TranscriptSegment(talk[-1].end_s, talk[-1].end_s + 49.0, "메모리 장벽은 대역폭이 모자라서 생깁니다.")
    passages = chosen("메모리 장벽은 왜 생기나요?", VideoContext(title="긴 방송", transcript=(*talk, answer)))
    assert passages[0].text == answer.text
    assert 1 <= len(passages) <= MAX_PASSAGES


def test_what_is_said_at_the_moment_of_the_question_is_among_the_passages():
    """However little of the question stands there, the passages around the moment are read; the nearest come first."""
    talk = [TranscriptSegment(50.0 * place, 50.0 * place + 49.0, f"메모리 장벽 이야기 {place}번입니다.") for place in range(20)]
    video = VideoContext(title="긴 방송", transcript=(*talk[:15], replace(talk[15], text="모두 마흔 명이 왔어요."), *talk[16:]))
    asked = replace(scorer().parse(asking("메모리 장벽에 몇 명이 왔어?", video), of_video=True), moment_s=770.0)
    passages = choose_passages(asked, video, scorer())
    assert len([each for each in passages if "마흔" in each.text]) == 1
