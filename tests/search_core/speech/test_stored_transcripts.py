"""What is kept of transcriptions, and for how long."""

from __future__ import annotations

from pathlib import Path

from search_core.domain import Recogniser, RecogniserKind, Transcription, TranscriptSegment, UncertainReason, UncertainStretch
from search_core.speech.recognised import Recognised
from search_core.speech.stored_transcripts import MAX_AGE_S, StoredTranscripts, key_of

WHISPER = Recogniser(RecogniserKind.LOCAL, "small")
KEY = key_of("digest", WHISPER, 120.0, "ko")
SEGMENT = TranscriptSegment(0.5, 2.0, "안녕하세요")
DOUBT = UncertainStretch(0.5, 2.0, UncertainReason.SILENCE)
FOUND = Recognised(segments=(SEGMENT,), doubts=(DOUBT,), language="ko")
WHOLE = Transcription(segments=(SEGMENT,), uncertain=(DOUBT,), recogniser=WHISPER, language="ko", duration_s=12.0)


def test_a_piece_comes_back_until_all_are_there(tmp_path: Path):
    """A kept piece is found by its number; the whole transcript takes the place of its pieces."""
    kept = StoredTranscripts(tmp_path)
    kept.keep_piece(KEY, 0, FOUND)
    assert kept.piece(KEY, 0) == FOUND
    assert kept.piece(KEY, 1) is None
    kept.keep_whole(KEY, WHOLE)
    assert (kept.whole(KEY), kept.piece(KEY, 0)) == (WHOLE, None)


def test_another_sound_or_recogniser_has_its_own(tmp_path: Path):
    """Nothing is taken over from another sound, model, place, length of pieces or language."""
    stored = StoredTranscripts(tmp_path)
    stored.keep_whole(KEY, WHOLE)
    others = [
        key_of("other", WHISPER, 120.0, "ko"),
        key_of("digest", Recogniser(RecogniserKind.LOCAL, "large-v3"), 120.0, "ko"),
        key_of("digest", Recogniser(RecogniserKind.ENDPOINT, "small"), 120.0, "ko"),
        key_of("digest", WHISPER, 600.0, "ko"),
        key_of("digest", WHISPER, 120.0, ""),
    ]
    assert [stored.whole(other) for other in others] == [None] * 5


def test_what_is_damaged_or_cannot_be_written_is_not_stored(tmp_path: Path):
    """A broken file costs recognising again and is no error, nor is a file in the place of the folder."""
    stored = StoredTranscripts(tmp_path / "data")
    stored.keep_whole(KEY, WHOLE)
    for damage in (b"", b"{", b'{"segments": 3}', b"\xff\xfe"):
        (tmp_path / "data" / KEY / "whole.json").write_bytes(damage)
        assert stored.whole(KEY) is None
    (tmp_path / "kept").write_text("in the way")
    kept = StoredTranscripts(tmp_path / "kept")
    kept.keep_piece(KEY, 0, FOUND)
    assert kept.piece(KEY, 0) is None
    kept.sweep()


def test_old_ones_and_those_beyond_the_limit_go(tmp_path: Path):
    """Past the limit the one used longest ago goes, and past three months each."""
    now = [1_800_000_000.0]
    kept = StoredTranscripts(tmp_path, now=lambda: now[0], most=2)
    keys = [key_of(digest, WHISPER, 120.0, "") for digest in ("a", "b", "c")]
    for key in keys:
        now[0] += 10
        kept.keep_whole(key, WHOLE)
    now[0] += 10
    assert kept.whole(keys[0]) == WHOLE, "which uses it"
    kept.sweep()
    assert [kept.whole(key) is not None for key in keys] == [True, False, True]
    now[0] += MAX_AGE_S + 1
    kept.sweep()
    assert list(tmp_path.iterdir()) == []
