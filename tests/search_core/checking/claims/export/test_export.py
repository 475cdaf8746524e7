"""Files of a check: every kind says the same, leads to the moments, and holds nothing that acts."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from lxml import html

from search_core.checking.claims.export import ClaimsFormat, export_claims
from search_core.domain.claim import ClaimsRequest, ClaimsRun, Settlement
from search_core.domain.plain_json import plain_json
from search_core.domain.video import TranscriptSegment
from tests.search_core.research.export.exported import LINKED, PAYLOADS

from .exported import NEAREST, NOW, VIDEO, hostile, whole

BEGINS: dict[ClaimsFormat, bytes] = {"markdown": b"# ", "html": b"<!DOC", "json": b"{"}
MOMENTS = [f"https://www.youtube.com/watch?v=abcdefghijk&t={second}s" for second in (75, 400, 120, 240, 300, 330)]


def text(kind: ClaimsFormat, run: ClaimsRun | None = None) -> str:
    return export_claims(run or whole(), kind).decode()


@pytest.mark.parametrize("kind", BEGINS)
def test_a_file_has_its_kind(kind: ClaimsFormat):
    """A check that has just begun makes a file, too."""
    assert export_claims(whole(), kind).startswith(BEGINS[kind])
    new = ClaimsRun(id="r", request=ClaimsRequest(video=VIDEO, claims=()), created_at=NOW)
    assert export_claims(new, kind).startswith(BEGINS[kind])


def test_uncertain_quotations_are_marked():
    """Words from a stretch where speech recognition is uncertain are quoted with that mark, and no others."""
    run = whole()
    video = replace(VIDEO, transcript=(TranscriptSegment(118, 122, "폭은"), TranscriptSegment(398, 401, "2테라", uncertain=True)))
    written = text("markdown", replace(run, request=replace(run.request, video=video)))
    assert written.count("“2테라라고 했죠” (음성 인식 불확실)") == written.count("음성 인식 불확실") == 1
    assert "음성 인식 불확실" not in text("markdown")


def test_markdown_tells_verdict_evidence_and_moments():
    """Both sides are quoted, copies and the speaker's own do not count, nothing is called false.

    Own documents stand apart, and where they are in the library is not told.
    """
    written = text("markdown")
    for wanted in (
        "일치 1 · 상충 1 · 이후 변경 1 · 확인 불가 1 · 물어보지 못함 1 · 확인하지 않음 1",
        "- **일치** · 독립된 출처 2곳",
        f"- 영상 [01:15]({MOMENTS[0].replace('&', '&amp;')}) “대역폭은 2테라바이트예요”",
        "1곳은 하나로 셌어요: copy\\.example",
        "영상 쪽에서 냈거나 영상을 옮긴 글이라 세지 않았어요",
        "의미 모델 (90%)",
        "의미 모델 없이 규칙만으로 판단했어요.",
        "영상보다 나중",
        "“HBM4 전력 40%”",
        "**내 자료(예시)에서는 (웹이 아니에요)**",
        "직접 더한 주장이라 시각이 없어요.",
        "주장 6개 중 4개를 확인했어요.",
    ):
        assert wanted in written
    assert not re.search("거짓|틀린|false|library", written)


def test_a_passage_that_decides_nothing_is_written_as_the_nearest():
    """With its source, under a claim that cannot be told."""
    document = text("markdown", replace(whole(), checks=(NEAREST,)))
    assert "- **확인 불가**" in document
    assert "- **가장 가까운 출처** “전력은 아직 모른다.” [\\[1\\]](https://later.example/1)" in document


def test_what_a_person_settled_stands_beside_the_verdicts():
    """Every file tells it, counted apart from the verdicts, which stay; where nothing is settled none speaks of it."""
    run = whole().with_settled({2: Settlement.RIGHT, 4: Settlement.DIFFERENT, 5: Settlement.RIGHT})
    for kind in ("markdown", "html"):
        written = text(kind, run)
        assert "직접 판단: 맞음 2 · 다름 1" in written
        assert "일치 1 · 상충 1 · 이후 변경 1 · 확인 불가 1" in written
        assert "직접 판단" not in text(kind)
    assert "| 상충 | 1곳 | 맞음 |" in text("markdown", run)
    settled = [each["settled"] for each in json.loads(text("json", run))["checks"]]
    assert settled == [None, "right", None, "different", "right", None]


def test_html_leads_to_the_moments():
    """Each moment is a link to the video from there on, and each source one to the web."""
    page = html.document_fromstring(text("html"))
    assert [each for each in page.xpath("//h3/following-sibling::ul/li/a/@href") if "youtube" in each] == MOMENTS
    sources = page.xpath("//ol[@class='sources']/li/a/@href")
    assert sources == [f"https://{name}.example/1" for name in ("jedec", "copy", "other", "channel", "later")]


def test_json_has_all_of_it_without_the_transcript():
    """It is the JSON that every run has: verdicts by their names, and each row with the source it is from."""
    values = json.loads(text("json"))
    assert values == plain_json(whole())
    assert [each["verdict"] for each in values["checks"]] == ["agree", "contradicts", "changed", "cannot_tell", None, None]
    assert [row["judge"] for row in values["checks"][0]["rows"]] == ["rules", "rules", "entailment_model", "rules"]
    assert "transcript" not in values["video"]


def test_hostile_text_shows_and_does_nothing():
    """No page holds a script, a picture or a link of a stranger's making."""
    run = hostile()
    page = html.document_fromstring(text("html", run))
    assert not page.xpath("//script | //img | //iframe | //@onerror | //@src")
    assert {each for each in page.xpath("//@href") if not each.startswith("#")} == LINKED
    assert PAYLOADS[0] in page.text_content()
    assert json.loads(text("json", run))["checks"][0]["claim"]["text"] == PAYLOADS[0]
