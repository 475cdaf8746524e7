"""Answers as Markdown: moments, sources, marks of missing support, and what sources say of a statement."""

from __future__ import annotations

from pages.parts.workspace import chat_answer
from search_core.checking.verdicts.weighing import weigh_statements
from search_core.domain.conversation import AnswerRecord
from search_core.search.presenting.claim_text import RESTATES
from search_core.search.presenting.dates import korean_date
from tests.app.chat_double import COMPARISON, LONG_TITLE, SOURCES


def test_moments_come_in_order_once_and_as_links_where_there_is_a_video():
    """A moment cited twice has one button, what only looks like one has none, and without a video a moment is words."""
    assert chat_answer.moments("[5:20] 그리고 [0:40], 다시 [5:20]. [1] [12:75] 3:15 [다음]") == (320, 40)
    record = AnswerRecord(text="늘었어요 [0:40].")
    assert chat_answer.video_markdown(record, can_seek=True) == r"늘었어요 [\[0:40\]](#t=40)."
    assert chat_answer.video_markdown(record, can_seek=False) == r"늘었어요 \[0:40\]."


def test_a_sentence_without_support_is_marked_at_its_end():
    """The mark stands behind the sentence and its citation; only sources that were found can be cited."""
    text = "둘째는 맞아요 [1]. 셋째는 몰라요 [2]. 끝."
    begin = text.index("셋째")
    links = {str(source.number): source.url for source in SOURCES}
    written = chat_answer.mark_unsupported(text, ((begin, begin + len("셋째는 몰라요 [2].")),), links)
    assert written.startswith(rf"둘째는 맞아요 [\[1\]]({SOURCES[0].url}). 셋째는")
    assert written.endswith(rf"몰라요 [\[2\]]({SOURCES[1].url}). :orange-badge[출처에서 확인 안 됨] 끝.")
    assert chat_answer.mark_unsupported("값은 내려요 [77].", (), links) == "값은 내려요."


def test_a_statement_quotes_its_sources_and_says_who_does_not_count():
    """Each says when it appeared; copies stand with what they copy, and what restates the video says why it does not count."""
    record = AnswerRecord(sources=SOURCES)
    first, second, _ = (chat_answer.quotations(each, record) for each in weigh_statements(COMPARISON))
    assert [(each.name, each.uncounted) for each in first] == [(LONG_TITLE, "")]
    assert first[0].note.endswith("1곳은 하나로 셌어요: 블로그")
    assert [each.uncounted for each in second] == ["", RESTATES]
    day = korean_date(SOURCES[1].publish_date)
    assert second[0].facts == f"memory.example.org · {day} · 영상보다 나중 · 요약만 봄"
