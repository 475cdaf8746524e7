"""Files to take away, inert whatever providers sent."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search_core.domain.reply import SearchStatus
from search_core.domain.report import SearchOptions
from search_core.domain.result import Moment, RankingOptions, ScoreParts
from search_core.domain.video import TranscriptOrigin, TranscriptSegment, VideoContext
from search_core.errors import UnknownFormatError
from search_core.research.export import export_run
from search_core.search.presenting.export import export
from tests.search_core.research.export.exported import whole as whole_run

from .conftest import NOW, english_hit, korean_hit, reply, report

LABELS = {"wikipedia": "위키백과", "google": "구글"}


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_every_file_holds_question_services_results_and_the_video():
    """JSON has the shape scripts rely on, CSV opens in a spreadsheet with shown before hidden, Markdown is read by people."""
    moment = Moment(start_s=3754.2, text="금리 얘기", similarity=0.7)
    shown = korean_hit(relevance_score=0.5, parts=ScoreParts(lexical=0.5), moment=moment, publish_date=NOW)
    replies = (
        reply("wikipedia", SearchStatus.SUCCESS, korean_hit(), latency_ms=812.0),
        reply("google", SearchStatus.RATE_LIMITED, error_message="HTTP 429", latency_ms=90.0),
    )
    video = VideoContext(
        title="금리 발표",
        transcript=(TranscriptSegment(0.0, 1.0, "금리를 봅니다"),),
        transcript_origin=TranscriptOrigin.RECOGNITION,
        transcript_model="whisper-1",
        language="ko",
    )
    made = report(results=(shown,), hidden=(english_hit(relevance_score=0.1),), replies=replies, video=video)
    values = json.loads(export(made, "json", labels=LABELS))
    assert values["results"][0]["moment"] == {"start_s": 3754.2, "text": "금리 얘기", "similarity": 0.7}
    assert [hidden["url"] for hidden in values["hidden"]] == ["https://example.com/hbm4"]
    assert (values["video"]["transcript_origin"], values["video"]["transcript_model"]) == ("recognition", "whisper-1")
    assert values["ledger"][0] == {"provider": "wikipedia", "label": "위키백과", "text": "1건 · 0.8초"}
    file = export(made, "csv", labels=LABELS)
    assert file.startswith(b"\xef\xbb\xbf")
    table = rows(file)
    assert [row[:2] for row in table[1:3]] == [["1", "예"], ["2", "숨김"]]
    assert table[1][table[0].index("영상 시각")] == "1:02:34"
    assert ["영상", "금리 발표"] in table
    assert ["자막", "음성 인식(whisper-1) · 한국어"] in table
    assert ["위키백과", "1건 · 0.8초"] in table
    text = export(made, "markdown", labels=LABELS).decode()
    assert text.startswith("# 기준금리는 왜 동결됐어?\n")
    assert "- 위키백과: 1건 · 0.8초\n" in text
    assert "1. [한국은행, 기준금리 동결 결정](https://news.example.kr/1)\n" in text
    assert "   - 영상 1:02:34: “금리 얘기”\n" in text
    assert "- 자막: 음성 인식(whisper-1) · 한국어" in text.replace("\\", "")


UNSEEN_BEFORE = ("\u200b=", "\ufeff=", "\u2060+", "\u00ad-", "\u3164@", "\ufe0f=", "\u202e=", "\x01=", "\U000e0041=", "'\u200b=")
"""Signs of a formula behind characters that show nothing."""


def test_no_cell_is_a_formula():
    """A text a spreadsheet would run is given as text."""
    for start in ("=", "+", "-", "@", "\t", "\r", "\n", " =", "＝", "'=", '"=', *UNSEEN_BEFORE):
        attack = f'{start}HYPERLINK("http://evil","x")'
        table = rows(export(report(text=attack, results=(korean_hit(title=attack, source=attack),)), "csv"))
        cells = [cell for row in table for cell in row if "HYPERLINK" in cell]
        assert cells == [f"'{attack}"] * 3


@pytest.mark.parametrize(
    "payload",
    [
        "![x](http://evil/x.png)",
        "[![x][r]](http://evil)\n\n[r]: http://evil/x.png",
        "<img src=http://evil/x>",
        "# 제목\n## 가짜",
        "`code` $x$ | a | b | \u202e거꾸로\u200b",
    ],
)
def test_markdown_of_others_stays_text(payload: str):
    """No image, heading, HTML or link of a provider survives as markup."""
    hostile = korean_hit(title=payload, snippet=payload, source=payload, url="https://a.kr/)>[x](javascript:alert)")
    text = export(report(text=payload, results=(hostile,)), "markdown").decode()
    bare = re.sub(r"\\.", "", text)
    assert "![" not in bare
    assert "<img" not in bare
    assert "`" not in bare
    assert re.findall(r"\]\(([^)]*)\)", bare) == ["https://a.kr/%29%3E%5Bx%5D%28javascript:alert%29"]
    assert re.findall(r"(?m)^#+ ", text) == ["# ", "## "]
    assert "\u202e" not in text


def test_only_web_addresses_become_links():
    """Anything but a plain web address is written out as text."""
    for url in ("javascript:alert(1)", "library:a.md", "https://user:pw@evil.kr/", "data:text/html,x", "http://[::1"):
        assert "](" not in export(report(results=(korean_hit(url=url),)), "markdown").decode()


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["markdown", "html", "csv", "json"]))
@example("반쪽 \ud800", "", "markdown")
@example("반쪽 \ud800", "", "csv")
def test_any_text_can_be_exported(title: str, snippet: str, kind):
    """Every file is valid UTF-8, whatever is in the results."""
    file = export(report(text=title or "질문", results=(korean_hit(title=title, snippet=snippet),)), kind)
    assert file.decode("utf-8")
    if kind == "json":
        assert len(json.loads(file)["results"]) == 1


def test_every_file_says_that_the_web_was_away_and_whose_documents_these_are():
    """Markdown, CSV and JSON hold the specified sentence; documents stand under their heading, numbered alike, samples marked."""
    own = korean_hit(title="사내 문서", url="library:a", collection="user")
    sample = korean_hit(title="금리 예시", url="library:b", collection="sample")
    hidden = korean_hit(title="먼 문서", url="library:c", collection="user")
    away = report(
        results=(own, sample),
        hidden=(hidden,),
        replies=(reply("library", SearchStatus.SUCCESS, own, web=False), reply("google", SearchStatus.TIMEOUT)),
    )
    sentence = "[웹 검색 사용 불가] 외부 검색 서비스에 접근할 수 없습니다 (사유: 구글: 시간 안에 답하지 않았어요)."
    markdown = export(away, "markdown", labels=LABELS).decode()
    plain = markdown.replace("\\", "")
    assert f"- 알림: {sentence}\n" in plain
    heads = [line.split("](")[0] for line in plain.splitlines() if line.startswith("## ") or line[:2] in ("1.", "2.", "3.")]
    assert [head.split(" · ")[0] for head in heads] == [
        "## 내 자료에서 2건",
        *("1. 사내 문서", "2. 금리 예시"),
        "## 숨긴 내 자료에서 1건",
        "3. 먼 문서",
    ]
    assert [line.endswith(" · 예시") for line in plain.splitlines() if line[:2] in ("1.", "2.", "3.")] == [False, True, False]
    table = rows(export(away, "csv", labels=LABELS))
    kind = table[0].index("자료")
    assert [(row[0], row[3], row[kind]) for row in table[1:4]] == [
        ("1", "사내 문서", "내 자료"),
        ("2", "금리 예시", "내 자료 (예시)"),
        ("3", "먼 문서", "내 자료"),
    ]
    assert ["알림", sentence] in table
    values = json.loads(export(away, "json", labels=LABELS))
    assert (values["outcome"], values["web_unavailable"]) == (sentence, True)
    assert [result["collection"] for result in values["results"]] == ["user", "sample"]


def test_every_file_tells_marks_threshold_and_why_something_is_hidden():
    """Scores and their marks are whole points everywhere; what was not measured is empty."""
    parts = ScoreParts(semantic_question=0.5, lexical=0.9, recency=1.0)
    shown = korean_hit(relevance_score=0.77, parts=parts, entity_matches=("한국은행",))
    plain = korean_hit(title="이름 없는 글", relevance_score=0.7)
    hidden = (korean_hit(title="넘친 글", relevance_score=0.65), korean_hit(title="낮은 글", relevance_score=0.549))
    options = SearchOptions(ranking=RankingOptions(threshold=0.6))
    made = report(results=(shown, plain), hidden=hidden, options=options)
    table = rows(export(made, "csv", labels=LABELS))
    row = dict(zip(table[0], table[1], strict=True))
    assert [row[name] for name in ("관련도", "의미 유사도", "단어 일치", "최신성")] == ["77", "50", "90", "100"]
    assert row["검색 순위"] == ""
    assert [line[table[0].index("숨긴 이유")] for line in table[1:5]] == ["", "", "개수 제한으로 제외", "기준보다 6점 낮음"]
    assert ["관련도 기준", "60점"] in table
    plain_text = export(made, "markdown", labels=LABELS).decode().replace("\\", "")
    assert "   - 점수: 질문과 뜻이 가깝고 단어도 많이 겹쳐요." in plain_text
    assert "   - 숨긴 이유: 기준보다 6점 낮음\n" in plain_text
    values = json.loads(export(made, "json", labels=LABELS))
    assert values["ranking"] == {"threshold": 0.6, "max_results": 10}
    assert [each["hidden_because"] for each in values["hidden"]] == ["over_count", "below_threshold"]


def test_a_format_that_is_not_written_is_named():
    """Who asks for a PDF learns which formats there are, and how a browser makes one."""
    formats = {"markdown, html, csv, json": (export, report()), "markdown, html": (export_run, whole_run())}
    for known, (write, record) in formats.items():
        with pytest.raises(UnknownFormatError, match=f"The formats are {known}. For a PDF, print the html file") as caught:
            write(record, "pdf")
        assert "인쇄" in caught.value.korean
