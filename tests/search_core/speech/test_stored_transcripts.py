"""What is kept of transcriptions."""

from __future__ import annotations

from search_core.domain import Recogniser, RecogniserKind, Transcription, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.recognised import Recognised
from search_core.speech.stored_transcripts import StoredTranscripts, key_of

WHISPER = Recogniser(RecogniserKind.LOCAL, "small")
KEY = key_of("digest", WHISPER, 120.0, "ko")
SEGMENT = TranscriptSegment(0.5, 2.0, "안녕하세요")
DOUBT = UncertainStretch(0.5, 2.0, UncertainReason.SILENCE)
FOUND = Recognised(segments=(SEGMENT,), doubts=(DOUBT,), language="ko")
WHOLE = Transcription(segments=(SEGMENT,), uncertain=(DOUBT,), recogniser=WHISPER, language="ko", duration_s=12.0)


def kept_in(cache: dict[str, bytes]) -> StoredTranscripts:
    return StoredTranscripts(cache.get, cache.__setitem__)


def test_a_piece_and_the_whole_come_back():
    """A kept piece is found by its number, the whole transcript without one."""
    kept = kept_in({})
    kept.keep_piece(KEY, 0, FOUND)
    kept.keep_whole(KEY, WHOLE)
    assert (kept.piece(KEY, 0), kept.piece(KEY, 1), kept.whole(KEY)) == (FOUND, None, WHOLE)


def test_another_sound_or_recogniser_has_its_own():
    """Nothing is taken over from another sound, model, place, length of pieces or language."""
    stored = kept_in({})
    stored.keep_whole(KEY, WHOLE)
    others = [
        key_of("other", WHISPER, 120.0, "ko"),
        key_of("digest", Recogniser(RecogniserKind.LOCAL, "large-v3"), 120.0, "ko"),
        key_of("digest", Recogniser(RecogniserKind.ENDPOINT, "small"), 120.0, "ko"),
        key_of("digest", WHISPER, 600.0, "ko"),
        key_of("digest", WHISPER, 120.0, ""),
    ]
    assert [stored.whole(other) for other in others] == [None] * 5


def test_what_is_damaged_is_not_stored():
    """Broken bytes cost recognising again and are no error."""
    for damage in (b"", b"{", b'{"segments": 3}', b"\xff\xfe"):
        assert kept_in({KEY: damage}).whole(KEY) is None
