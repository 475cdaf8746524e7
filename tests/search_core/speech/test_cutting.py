"""Where sound is quiet, and where it is cut."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from search_core.speech.cutting import OVERLAP_S, RATE, Loudness, PieceBuilder, TimeSpan, cut_short

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
    assert loudness.is_quiet_at(5.5)
    assert not loudness.is_quiet_at(7.0)


def test_the_longest_pause_is_cut_at():
    """A breath near the end of the stretch gives way to the longer pause before it; of two as long the last is taken."""
    samples = sound(18.0, Tone(0.0, 5.0), Tone(5.6, 8.0), Tone(8.3, 11.0), Tone(11.6, 18.0))
    assert Loudness(samples).best_cut(4.0, 10.0) == pytest.approx(5.3, abs=0.05)
    assert Loudness(samples).best_cut(4.0, 13.0) == pytest.approx(11.3, abs=0.05)
    parts = cut_short(samples, TimeSpan(0.0, 18.0), 13.0, at_pauses_s=0.8)
    assert [part.counts.end_s for part in parts] == [pytest.approx(11.3, abs=0.05), 18.0]


@pytest.mark.parametrize(("at_pauses_s", "cut_s"), [(0.8, 5.3), (None, 8.15)])
def test_what_becomes_a_caption_may_be_short(at_pauses_s: float | None, cut_s: float):
    """The long pause is nearer to the beginning: a caption ends there, a part that has moments of its own goes on."""
    samples = sound(16.0, Tone(0.0, 5.0), Tone(5.6, 8.0), Tone(8.3, 16.0))
    first = cut_short(samples, TimeSpan(0.0, 16.0), 15.0, at_pauses_s=at_pauses_s)[0]
    assert first.counts.end_s == pytest.approx(cut_s, abs=0.05)


def test_pieces_count_for_every_moment_once():
    """However the sound comes in, the stretches that count follow each other without gap or overlap."""
    samples = sound(50.0, *(Tone(at, at + 3.0) for at in range(0, 50, 4)))
    builder = PieceBuilder(12.0)
    pieces = []
    for at in range(0, len(samples), 5000):
        pieces += builder.add(at / RATE, samples[at : at + 5000], jump=at == 0)
    pieces += builder.finish()
    counted = [(part.counts.start_s, part.counts.end_s) for part, _ in pieces]
    assert counted[0][0] == 0.0
    assert counted[-1][1] == pytest.approx(50.0)
    assert [end for _, end in counted[:-1]] == [start for start, _ in counted[1:]]
    for (part, samples_of), (after, _) in itertools.pairwise(pieces):
        assert part.sound.length_s == pytest.approx(len(samples_of) / RATE)
        assert part.sound.end_s - after.sound.start_s == pytest.approx(OVERLAP_S)


def test_a_jump_ends_a_piece():
    """What begins much later is a piece of its own, without overlap."""
    builder = PieceBuilder(60.0)
    first = list(builder.add(0.0, sound(2.0), jump=True))
    second = list(builder.add(100.0, sound(3.0), jump=True))
    rest = list(builder.finish())
    assert first == []
    assert [(part.sound.start_s, part.sound.end_s) for part, _ in second + rest] == [(0.0, 2.0), (100.0, 103.0)]


def test_short_parts_begin_and_end_where_somebody_speaks():
    """With pauses as cuts, each tone is a part of its own with a fifth of a second around it."""
    samples = sound(20.0, Tone(1.0, 3.0), Tone(8.0, 9.0), Tone(15.0, 18.0))
    parts = cut_short(samples, TimeSpan(0.0, 20.0), 15.0, at_pauses_s=0.8)
    spans = [(part.sound.start_s, part.sound.end_s) for part in parts]
    assert spans == [pytest.approx(each) for each in ((0.8, 3.2), (7.8, 9.2), (14.8, 18.2))]


def test_a_cut_through_speech_gives_both_sides_a_second():
    """Where nothing is silent, parts share a second of sound and stay within the limit."""
    parts = cut_short(sound(30.0, Tone(0.0, 30.0)), TimeSpan(0.0, 30.0), 10.0)
    assert len(parts) >= 4
    assert max(part.sound.length_s for part in parts) <= 10.0
    for part, after in itertools.pairwise(parts):
        assert part.sound.end_s - after.sound.start_s == pytest.approx(1.0)
        assert part.counts.end_s == after.counts.start_s
