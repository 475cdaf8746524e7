"""Answers as Markdown: moments, sources, marks of missing support, and what sources say of a statement."""

from __future__ import annotations

from dataclasses import replace

from pages.parts.workspace import chat_answer
from search_core.checking.verdicts.weighing import weigh_statements
from search_core.domain.conversation import AnswerRecord
from search_core.domain.stance import Comparison
from search_core.search.presenting import korean_date
from search_core.search.presenting.claim_text import RESTATES
from tests.app.chat_double import COMPARISON, SOURCES


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
    """Each says when it appeared; copies and what restates the video say why they do not count; an unknown source has a date."""
    first, second, _ = (chat_answer.quotations(each, SOURCES) for each in weigh_statements(COMPARISON))
    assert [(each.name, each.uncounted) for each in first] == [("예시일보", ""), ("블로그", chat_answer.COPY)]
    assert [each.uncounted for each in second] == [RESTATES, ""]
    assert (second[1].name, second[1].facts) == ("memory.example.org", f"{korean_date(SOURCES[1].publish_date)} · 영상보다 나중")
    [unknown] = chat_answer.quotations(weigh_statements(Comparison.of([replace(COMPARISON.rows[-1], source=99)]))[0], SOURCES)
    assert (unknown.name, unknown.url, unknown.facts) == ("", "", "날짜 모름")
