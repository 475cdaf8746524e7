"""Words that texts, pages and files share: where a transcript is from, how own documents are searched."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.scorer import LibraryPhase, LibraryState
from search_core.domain.video import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.search.presenting.wording import library_line, transcript_caution, transcript_source

VIDEO = VideoContext(title="강연", language="en", transcript=(TranscriptSegment(0.0, 1.0, "hello"),))


def test_every_origin_has_its_words():
    """Each origin is named with the language, speech recognition with its model, and what machines made has a caution."""
    by_machine = {TranscriptOrigin.AUTOMATIC, TranscriptOrigin.TRANSLATED, TranscriptOrigin.RECOGNITION}
    videos = {origin: replace(VIDEO, transcript_origin=origin, transcript_model="whisper-1") for origin in TranscriptOrigin}
    said = {origin: transcript_source(video) for origin, video in videos.items()}
    assert len(set(said.values())) == len(TranscriptOrigin)
    assert said[TranscriptOrigin.RECOGNITION] == "음성 인식(whisper-1) · 영어"
    assert {origin for origin, video in videos.items() if transcript_caution(video)} == by_machine


def test_what_is_not_known_is_left_out():
    """An unknown language or model is left out, a video without words has no source, and a sample says that it is one."""
    recognised = replace(VIDEO, transcript_origin=TranscriptOrigin.RECOGNITION, language="")
    assert transcript_source(recognised) == "음성 인식"
    assert transcript_source(replace(VIDEO, transcript=())) == ""
    assert transcript_caution(replace(recognised, transcript=())) == ""
    assert transcript_source(replace(VIDEO, sample=True, language="ko")) == "예시로 쓴 자막 · 한국어"


def test_every_state_of_the_library_has_its_sentence():
    """How far it is and why it stopped are in it; an empty library has none."""
    said = {phase: library_line(LibraryState(phase=phase, done=299, total=300, reason="이유.")) for phase in LibraryPhase}
    assert said[LibraryPhase.EMPTY] == ""
    assert len(set(said.values())) == len(LibraryPhase)
    assert ["99%" in said[phase] for phase in (LibraryPhase.FILLING, LibraryPhase.STOPPED)] == [True, True]
    assert [said[phase].endswith("이유.") for phase in (LibraryPhase.WORDS_ONLY, LibraryPhase.STOPPED)] == [True, True]
