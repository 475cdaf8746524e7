from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.errors import EmbeddingError
from search_core.video.discovery import discover
from search_core.video.subject import drop_embedder, rank_terms, runs_of, title_of, use_embedder


def test_the_term_said_most_and_in_most_of_a_talk_weighs_most():
    """Of terms as rare, the one said often and everywhere comes first; words in company are one term, units none, names whole."""
    said = ["전고체 배터리는 타지 않습니다.", "전고체 배터리가 비쌉니다.", "흑연을 씁니다.", "전고체 배터리를 만듭니다."]
    assert rank_terms(said)[0].text == "전고체 배터리"
    assert [*runs_of("온새시의 은하 7호에는 박찬범 선장이 탑니다.")] == [["온새시"], ["은하", "7호"], ["박찬범", "선장"]]
    assert "나노" not in [term.text for term in rank_terms(["7나노와 5나노 공정입니다.", "3나노 공정을 봅니다."])]


def test_programmes_reporters_and_channels_are_no_subject():
    """Who tells the news, and where, is no subject; nor is what captions tell of sounds."""
    said = ("[음악] 위성 발사 소식입니다.", "위성은 궤도에 올랐습니다.", "KBS 뉴스 김하늘입니다.", "KBS 뉴스 박바다입니다.")
    video = discover(
        VideoContext(channel="가람TV", transcript=tuple(TranscriptSegment(5 * n, 5 * n + 5, text) for n, text in enumerate(said)))
    )
    assert not {"KBS", "KBS 뉴스", "뉴스", "김하늘", "박바다", "가람TV", "음악"}.intersection((*video.subject, *video.key_terms))
    assert "위성" in " ".join(video.subject)


class Likening:
    """Plays a model to which what holds one word means the same, and all else something else."""

    def __init__(self, word: str) -> None:
        self._word = word

    def embed(self, texts: Sequence[str], kind: str = "passage") -> NDArray[np.float32]:
        return np.array([[1.0, 0.0] if self._word in text else [0.0, 1.0] for text in texts], dtype=np.float32)


class Failing:
    """Plays a model that has ended."""

    name = "failing"

    def embed(self, texts: Sequence[str], kind: str = "passage") -> NDArray[np.float32]:
        raise EmbeddingError("the process has ended", korean="모델이 끝났어요.")


SAID = ("꿀벌은 여왕벌을 따릅니다.", "꿀벌은 말벌을 막습니다.", "꿀벌은 꽃을 찾습니다.", "말벌은 꿀벌보다 큽니다.")


def test_of_terms_said_alike_the_one_that_means_what_the_talk_does_comes_first():
    """The model tells which; where it fails, where there is none, and of a title alone the words do."""
    by_words = [term.text for term in rank_terms(SAID)]
    assert by_words[0] == "꿀벌"
    excerpts = ["\n".join(SAID)]
    assert rank_terms(SAID, excerpts=excerpts, embedder=Likening("말벌"))[0].text == "말벌"
    assert [term.text for term in rank_terms(SAID, excerpts=excerpts, embedder=Failing())] == by_words
    assert [term.text for term in rank_terms(("",), "꿀벌 도감", embedder=Likening("도감"))] == ["꿀벌", "도감"]


def test_a_video_is_opened_with_the_model_that_is_ready():
    """What a video is about is told by meaning while there is a model, by words while there is none."""
    talk = VideoContext(transcript=tuple(TranscriptSegment(5 * n, 5 * n + 5, text) for n, text in enumerate(SAID)))
    ready: list[Likening] = []

    def newest() -> Likening | None:
        return ready[0] if ready else None

    use_embedder(newest)
    try:
        assert discover(talk).subject[0] == "꿀벌"
        ready.append(Likening("말벌"))
        assert discover(talk).subject[0] == "말벌"
    finally:
        drop_embedder(newest)


@pytest.mark.parametrize(
    ("video", "title"),
    [
        (VideoContext(title="talk about bees"), "talk about bees"),
        (VideoContext(title="HBM4"), "HBM4"),
        (VideoContext(title="2024_gpt"), ""),
        (VideoContext(title="KL2vgtBxsuc"), ""),
        (VideoContext(title="lecture-03.mp4"), ""),
        (VideoContext(title="회의 녹음", file_title="회의 녹음"), ""),
        (VideoContext(title="메모리 (https://evil.example/p?q=1) www.evil.example 이야기"), "메모리     이야기"),
    ],
)
def test_the_name_of_a_file_is_no_title(video: VideoContext, title: str):
    """A stem, an id, what an upload was called and an address say nothing about the video."""
    assert title_of(video) == title
