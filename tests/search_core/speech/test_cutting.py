"""Where sound is cut into pieces."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from search_core.speech.cutting import RATE, cut_pieces

from .media import Tone, sound


def test_pieces_hold_every_moment_once():
    """However the sound comes in, pieces follow each other without gap or overlap, each cut in a silence; none is too long."""
    samples = sound(50.0, *(Tone(at, at + 3.0) for at in range(0, 50, 4)))
    pieces = list(cut_pieces((samples[at : at + 5000] for at in range(0, len(samples), 5000)), 12.0))
    assert np.array_equal(np.concatenate([each for _, each in pieces]), samples)
    assert len(pieces) == 5
    assert all(len(each) <= 12.0 * RATE for _, each in pieces)
    for (start_s, piece), (after_s, _) in itertools.pairwise(pieces):
        assert start_s + len(piece) / RATE == pytest.approx(after_s)
        assert after_s % 4 > 2.9, "where no tone is"


def test_a_long_piece_is_cut_in_its_last_minute():
    """A pause before that does not count."""
    samples = sound(100.0, Tone(0.0, 20.0), Tone(22.0, 95.0), Tone(96.0, 100.0))
    (_, first), _ = cut_pieces([samples], 100.0)
    assert len(first) / RATE == pytest.approx(95.5, abs=0.4)
