"""Words that texts, pages and files share: where a transcript is from, how own documents are searched."""

from __future__ import annotations

from dataclasses import replace

from search_core.domain.scorer import LibraryPhase, LibraryState
from search_core.domain.video import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.presenting import library_line, transcript_caution, transcript_source

VIDEO = VideoContext(title="강연", language="en", transcript=(TranscriptSegment(0.0, 1.0, "hello"),))
WORDS = {
    TranscriptOrigin.UNKNOWN: "자막 (출처 미상) · 영어",
    TranscriptOrigin.PEOPLE: "사람이 만든 자막 · 영어",
    TranscriptOrigin.AUTOMATIC: "자동 자막 · 영어",
    TranscriptOrigin.TRANSLATED: "기계 번역 자막 · 영어",
    TranscriptOrigin.RECOGNITION: "음성 인식(whisper-1) · 영어",
    TranscriptOrigin.PLAIN_TEXT: "붙여 넣은 글 · 영어",
}


def test_every_origin_has_its_words():
    """Each origin is named with the language, speech recognition with its model, and what machines made has a caution."""
    by_machine = {TranscriptOrigin.AUTOMATIC, TranscriptOrigin.TRANSLATED, TranscriptOrigin.RECOGNITION}
    for origin in TranscriptOrigin:
        video = replace(VIDEO, transcript_origin=origin, transcript_model="whisper-1")
        assert transcript_source(video) == WORDS[origin]
        assert bool(transcript_caution(video)) is (origin in by_machine)


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
