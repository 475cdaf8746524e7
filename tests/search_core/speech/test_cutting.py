"""Where sound is quiet, and where it is cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from search_core.speech.cutting import RATE, Loudness, PieceBuilder, TimeSpan

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


def test_the_sound_begins_and_ends_where_somebody_speaks():
    """A fifth of a second stays around it; soft sound without anything loud beside it is kept, and silence is none."""
    assert Loudness(sound(8.0, Tone(2.0, 5.0))).sounding() == TimeSpan(pytest.approx(1.8), pytest.approx(5.2))
    assert Loudness(sound(4.0, Tone(0.0, 4.0)) // 60).sounding() == TimeSpan(0.0, pytest.approx(4.0))
    assert Loudness(sound(2.0)).sounding() is None


def test_the_cut_lies_in_the_middle_of_the_silence():
    """Between four and eight seconds the only silence is from five to six."""
    loudness = Loudness(sound(10.0, Tone(0.0, 5.0), Tone(6.0, 10.0)))
    assert loudness.best_cut(4.0, 8.0) == pytest.approx(5.5, abs=0.1)


def test_the_longest_pause_is_cut_at():
    """A breath near the end of the stretch gives way to the longer pause before it; of two as long the last is taken."""
    samples = sound(18.0, Tone(0.0, 5.0), Tone(5.6, 8.0), Tone(8.3, 11.0), Tone(11.6, 18.0))
    assert Loudness(samples).best_cut(4.0, 10.0) == pytest.approx(5.3, abs=0.05)
    assert Loudness(samples).best_cut(4.0, 13.0) == pytest.approx(11.3, abs=0.05)


def test_pieces_hold_every_moment_once():
    """However the sound comes in, pieces follow each other without gap or overlap, each cut in a silence."""
    samples = sound(50.0, *(Tone(at, at + 3.0) for at in range(0, 50, 4)))
    builder = PieceBuilder(12.0)
    pieces = []
    for at in range(0, len(samples), 5000):
        pieces += builder.add(samples[at : at + 5000])
    pieces += builder.finish()
    assert np.array_equal(np.concatenate([each for _, each in pieces]), samples)
    assert len(pieces) == 6
    for (start_s, piece), (after_s, _) in itertools.pairwise(pieces):
        assert start_s + len(piece) / RATE == pytest.approx(after_s)
        assert after_s % 4 > 2.9, "where no tone is"
