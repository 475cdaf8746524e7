"""Where sound is quiet, and where it is cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from search_core.speech.cutting import CAPTION_S, RATE, Loudness, PieceBuilder, TimeSpan, cut_captions

from .media import Tone, sound


def test_silences_are_found_where_nobody_speaks():
    """Between two tones lie three seconds of silence, also in the hiss of a microphone, forty decibels below the voice.

    The half second before the first is too short to count.
    """
    samples = sound(8.0, Tone(0.5, 2.0), Tone(5.0, 7.0))
    noise = np.random.default_rng(1).normal(0, 40, 8 * RATE).astype(np.int16)
    for each in (samples, samples + noise):
        found = [(silence.start_s, silence.end_s) for silence in Loudness(each).silences(0.9)]
        assert found == [pytest.approx((2.0, 5.0), abs=0.05), pytest.approx((7.0, 8.0), abs=0.05)]


def test_soft_speech_beside_loud_music_is_not_thrown_away():
    """A part that is quiet only beside a loud one is kept whole; true silence is not."""
    samples = sound(12.0, Tone(0.0, 4.0))
    samples = np.clip(samples.astype(np.int32) * 3, -32768, 32767).astype(np.int16)
    samples[4 * RATE : 8 * RATE] = sound(4.0, Tone(0.0, 4.0)) // 60
    loudness = Loudness(samples)
    assert loudness.trim(TimeSpan(5.0, 7.0), 0.2) == TimeSpan(5.0, 7.0)
    assert loudness.trim(TimeSpan(9.0, 11.0), 0.2) is None


def test_the_cut_lies_in_the_middle_of_the_silence():
    """Between four and eight seconds the only silence is from five to six."""
    loudness = Loudness(sound(10.0, Tone(0.0, 5.0), Tone(6.0, 10.0)))
    assert loudness.best_cut(4.0, 8.0) == pytest.approx(5.5, abs=0.1)


def test_the_longest_pause_is_cut_at():
    """A breath near the end of the stretch gives way to the longer pause before it; of two as long the last is taken."""
    samples = sound(18.0, Tone(0.0, 5.0), Tone(5.6, 8.0), Tone(8.3, 11.0), Tone(11.6, 18.0))
    assert Loudness(samples).best_cut(4.0, 10.0) == pytest.approx(5.3, abs=0.05)
    assert Loudness(samples).best_cut(4.0, 13.0) == pytest.approx(11.3, abs=0.05)


def test_a_caption_may_be_short():
    """The long pause is nearer to the beginning: the caption ends there, and the next with the sound."""
    samples = sound(16.0, Tone(0.0, 6.0), Tone(6.6, 9.0), Tone(9.3, 16.0))
    captions = cut_captions(Loudness(samples), 16.0)
    assert [(each.start_s, each.end_s) for each in captions] == [
        pytest.approx((0.0, 6.2), abs=0.05),
        pytest.approx((6.4, 16.0), abs=0.05),
    ]


def test_pieces_hold_every_moment_once():
    """However the sound comes in, pieces follow each other without gap or overlap, each cut in a silence."""
    samples = sound(50.0, *(Tone(at, at + 3.0) for at in range(0, 50, 4)))
    builder = PieceBuilder(12.0)
    pieces = []
    for at in range(0, len(samples), 5000):
        pieces += builder.add(samples[at : at + 5000])
    pieces += builder.finish()
    assert np.array_equal(np.concatenate([each for _, each in pieces]), samples)
    assert len(pieces) == 5
    for (start_s, piece), (after_s, _) in itertools.pairwise(pieces):
        assert start_s + len(piece) / RATE == pytest.approx(after_s)
        assert after_s % 4 > 2.9, "where no tone is"


def test_captions_begin_and_end_where_somebody_speaks():
    """Each tone is a caption of its own with a fifth of a second around it; in silence there is none."""
    samples = sound(20.0, Tone(1.0, 3.0), Tone(8.0, 9.0), Tone(15.0, 18.0))
    spans = [(each.start_s, each.end_s) for each in cut_captions(Loudness(samples), 20.0)]
    assert spans == [pytest.approx(each) for each in ((0.8, 3.2), (7.8, 9.2), (14.8, 18.2))]
    assert cut_captions(Loudness(sound(5.0)), 5.0) == []


def test_captions_of_speech_without_a_pause_stay_within_the_limit():
    """Where nothing is silent, captions follow each other and none is too long."""
    captions = cut_captions(Loudness(sound(40.0, Tone(0.0, 40.0))), 40.0)
    assert (captions[0].start_s, captions[-1].end_s) == (0.0, 40.0)
    assert max(each.length_s for each in captions) <= CAPTION_S
    assert all(each.end_s == after.start_s for each, after in itertools.pairwise(captions))
