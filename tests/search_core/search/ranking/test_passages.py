"""A transcript in passages, and as vectors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.models.embedding.embedder import KiwiEmbedder
from search_core.search.ranking.video_profile import passages_of, prepare_profile, profile_of


def test_segments_are_gathered_to_about_45_seconds():
    """Ten segments of ten seconds make passages of four, four and two; untimed text is cut by length, and silence is left out."""
    segments = [TranscriptSegment(10 * n, 10 * n + 10, f"말 {n}") for n in range(10)]
    passages = passages_of(segments)
    assert [len(passage.segments) for passage in passages] == [4, 4, 2]
    assert [passage.start_s for passage in passages] == [0, 40, 80]
    assert passages[2].text == "말 8 말 9"
    untimed = passages_of([TranscriptSegment(0, 0, "가" * 250) for _ in range(5)])
    assert [len(passage.segments) for passage in untimed] == [2, 2, 1]
    assert passages_of([TranscriptSegment(0, 1, " "), TranscriptSegment(1, 2, "")]) == ()


class Held(KiwiEmbedder):
    """Embeds when it is let go; counts how often it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.name, self.asked, self.begun, self.go_on = "held", 0, Event(), Event()

    def embed(self, texts, kind="passage"):
        self.asked += 1
        self.begun.set()
        assert self.go_on.wait(10)
        return super().embed(texts, kind)


def test_a_video_that_many_ask_about_is_embedded_once():
    """Whoever reads ahead goes on without waiting, and whoever needs the profile waits for the one that is made."""
    video, embedder = VideoContext(title="한 번", transcript=(TranscriptSegment(0, 1, "메모리 이야기"),)), Held()
    with ThreadPoolExecutor(3) as threads:
        profiles = [threads.submit(profile_of, video, embedder)]
        assert embedder.begun.wait(10)
        prepare_profile(video, embedder)
        profiles += [threads.submit(profile_of, replace(video), embedder) for _ in range(2)]
        embedder.go_on.set()
        assert len({id(each.result()) for each in profiles}) == 1
    assert embedder.asked == 1
