from __future__ import annotations

import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search_core.language.korean import bigrams, detect_language, morphemes, morphemes_of, terms


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("메모리 대역폭", "ko"),
        ("memory bandwidth", "en"),
        ("東京タワーの高さ", "ja"),
        ("北京大学", "zh"),
        ("Привет", "ru"),
        ("", ""),
        ("😀", ""),
    ],
)
def test_language_is_told_by_script(text: str, code: str) -> None:
    """The script decides, and a text without letters has no language."""
    assert code == detect_language(text)


def test_terms_leave_out_particles_and_endings() -> None:
    """Nouns and lower-case words stay as often as they stand there, 수율 as one; decomposed Hangul changes nothing."""
    assert terms("엔비디아는 새 칩을 공개했다", predicates=False) == ("엔비디아", "칩", "공개")
    assert terms("HBM HBM 메모리", predicates=False) == ("hbm", "hbm", "메모리")
    text = "메모리 대역폭이 중요하다"
    assert terms(unicodedata.normalize("NFD", text)) == terms(text)
    assert "수율" in terms("수율이 낮은 이유")
    assert bigrams("대역폭 HBM 값") == ("대역", "역폭", "값")


def test_unknown_words_are_marked() -> None:
    """A noun the dictionary lacks is marked as guessed, a common one is not."""
    found = {m.form: m.unknown for m in morphemes("애블린과 사람이 왔다")}
    assert (found["애블린"], found["사람"]) == (True, False)


def test_long_texts_are_read_in_pieces() -> None:
    """Positions count from the beginning of the whole; 20,000 syllables without a space take seconds, not minutes."""
    text = "메모리 가격이 중요하다. " * 600
    found = [m for m in morphemes(text) if m.form == "가격"]
    assert [text[m.start : m.end] for m in found] == ["가격"] * 600
    began = time.perf_counter()
    morphemes("가나다라마" * 4000)
    assert time.perf_counter() - began < 20


def test_eight_threads_agree() -> None:
    """Threads that analyse the same texts at once get the same morphemes as one alone."""
    texts = [f"{number}번째 회의에서 삼성전자 대표가 {number}가지를 말했다" for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: morphemes_of(texts), range(8)))
    assert all(answer == answers[0] for answer in answers)
    assert [m.form for m in answers[0][0] if m.tag == "NNP"] == ["삼성전자"]


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
@example("한국\udfff어")
@example("가\x00나")
def test_any_text_is_analysed(text: str) -> None:
    """Any text has morphemes in order, inside it."""
    found = morphemes(text)
    assert [m.start for m in found] == sorted(m.start for m in found)
    assert all(0 <= m.start <= m.end <= len(text) for m in found)
