"""Answers as Markdown: moments, sources, marks of missing support, and the table."""

from __future__ import annotations

from dataclasses import replace

from pages.parts import chat_text
from search_core.domain import AnswerRecord, PageOutcome, TranscriptPassage, TranscriptSegment
from tests.app.chat_double import COMPARISON, FOUND, HOSTILE, SOURCES, STRANGER

RECORD = AnswerRecord().after(FOUND)


def test_moments_come_in_order_and_once():
    """A moment cited twice has one button; what only looks like one has none."""
    assert chat_text.moments("[5:20] 그리고 [0:40], 다시 [5:20]. [1] [12:75] 3:15 [다음]") == (320, 40)


def test_moments_are_links_only_where_there_is_a_video():
    """Without a video a moment is words."""
    record = AnswerRecord(text="늘었어요 [0:40].")
    assert chat_text.video_markdown(record, can_seek=True) == r"늘었어요 [\[0:40\]](#t=40)."
    assert chat_text.video_markdown(record, can_seek=False) == r"늘었어요 \[0:40\]."


def test_moments_that_were_heard_badly_are_known():
    """Only a cited moment in a stretch where speech recognition is uncertain counts."""
    sure, doubtful = TranscriptSegment(30, 39.5, "늘었어요"), TranscriptSegment(40.4, 45, "늘었", uncertain=True)
    passage = TranscriptPassage(segments=(sure, doubtful), score=1.0)
    record = AnswerRecord(text="늘었어요 [0:40]. 그래요 [0:31].", passages=(passage,))
    assert chat_text.uncertain_moments(record) == (40,)
    assert chat_text.uncertain_moments(replace(record, text="늘었어요 [0:31].")) == ()


def test_a_sentence_without_support_is_marked_at_its_end():
    """The mark stands behind the sentence and its citation; the other sentence has none."""
    text = "둘째는 맞아요 [1]. 셋째는 몰라요 [2]. 끝."
    begin = text.index("셋째")
    record = replace(RECORD, web_text=text, unsupported=((begin, begin + len("셋째는 몰라요 [2].")),))
    written = chat_text.web_markdown(record)
    assert written.startswith(rf"둘째는 맞아요 [\[1\]]({SOURCES[0].url}). 셋째는")
    assert written.endswith(rf"몰라요 [\[2\]]({SOURCES[1].url}). :orange-badge[출처에서 확인 안 됨] 끝.")
    assert chat_text.has_unsupported(record)


def test_a_number_without_a_source_is_left_out():
    """Only sources that were found can be cited."""
    assert chat_text.web_markdown(replace(RECORD, web_text="값은 내려요 [77].")) == "값은 내려요."


def test_who_was_asked_and_what_was_read_make_one_line():
    """Pages that could not be read count as not read; nothing known is nothing said."""
    pages = (PageOutcome(number=1), PageOutcome(number=2, failure="blocked"))
    assert chat_text.ledger_line(replace(RECORD, pages=pages)) == "3곳 중 2곳이 답했어요 · 2쪽 중 1쪽을 읽었어요"
    assert chat_text.ledger_line(AnswerRecord()) == ""


def test_a_table_holds_so_many_rows_and_says_how_many_are_left():
    """Rows beyond the limit are counted, not drawn."""
    rows = COMPARISON.before * 6
    comparison = replace(COMPARISON, rows=rows, before=rows, after=(), undated=())
    table = chat_text.table(comparison, SOURCES, can_seek=True)
    assert table.count("\n| [") == chat_text.MAX_ROWS
    assert "그 밖에 6줄" in table


def test_copies_are_known_in_a_stored_comparison_too():
    """What was read back from the database is marked as what was just told."""
    stored = replace(COMPARISON, **{name: tuple(map(replace, getattr(COMPARISON, name))) for name in ("rows", "before", "after")})
    assert chat_text.table(stored, SOURCES, can_seek=True) == chat_text.table(COMPARISON, SOURCES, can_seek=True)


def test_a_row_stays_one_row_whatever_is_quoted():
    """Bars, line breaks and Markdown of a page stay inside their cell."""
    row = replace(COMPARISON.before[0], quote=f"a | b\n| c |\n{HOSTILE}", statement="| x |")
    table = chat_text.table(replace(COMPARISON, rows=(row,), before=(row,), after=(), undated=()), SOURCES, can_seek=True)
    lines = table.split("\n")
    assert len(lines) == 5
    assert lines[-1].replace("\\|", "").count("|") == 6
    assert f"]({STRANGER}" not in table


def test_a_row_of_an_unknown_source_is_drawn_without_one():
    """A place beyond the sources leaves the cell to the date."""
    row = replace(COMPARISON.after[0], source=99)
    assert "| [05:20](#t=320) |" in chat_text.table(
        replace(COMPARISON, rows=(row,), before=(), after=(row,), undated=()), SOURCES, can_seek=True
    )
