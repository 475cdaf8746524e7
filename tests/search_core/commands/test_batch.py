"""``batch``: single stages over lines of JSON, for scripts."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from search_core.commands import main
from search_core.language.json_line import MAX_LINE_CHARS


@pytest.fixture
def batch(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(stage: str, *rows: object, loads: Callable[[str], dict] = json.loads) -> list[dict]:
        lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
        assert main(["batch", stage]) == 0
        return [loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_intent_answers_every_field(batch):
    """``batch intent`` has all its fields, and resolves a vague question by the video or by ``history``."""
    video = {"title": "HBM 이야기", "organizations": ["SK하이닉스"], "unknown": 1}
    row, later = batch(
        "intent",
        {"id": 7, "query": "이 회사 최근 실적은?", "video": video, "extra": True},
        {"id": "a", "query": "더 자세히", "history": ["훈민정음 해례본은 언제 발견되었나?"]},
    )
    fields = "id intent_type confidence search_terms requires_context query parts references also fallback_queries"
    assert set(row) == set(fields.split())
    assert "훈민정음" in later["query"]
    assert (row["id"], row["requires_context"]) == (7, True)
    assert "SK하이닉스" in row["query"]
    assert {"text": "SK하이닉스", "origin": "organization"} in row["parts"]
    assert row["references"] == [{"text": "이 회사", "meaning": "SK하이닉스"}]


def test_subject_tells_what_a_video_and_a_story_of_it_are_about(batch):
    """``batch subject`` names the subject of the whole, and of the story at a moment, beside the names of the video."""
    said = [[0, 6, "오늘 첫 소식은 위성 발사입니다."], [6, 12, "위성은 궤도에 올랐습니다."], [12, 18, "KBS 뉴스 김하늘입니다."]]
    said += [[18, 24, "벼농사가 풍년입니다."], [24, 30, "벼 수확량이 늘었습니다."], [30, 36, "KBS 뉴스 박바다입니다."]]
    transcript = [{"start_s": start, "end_s": end, "text": text} for start, end, text in said]
    rows = batch("subject", *({"id": n, "video": {"transcript": transcript}, "moment_s": n} for n in (8, 26)), {"id": 3})
    assert set(rows[0]) == {"id", "subject", "speakers", "organizations", "events", "key_terms"}
    assert ["위성" in " ".join(rows[0]["subject"]), "벼" in " ".join(rows[1]["subject"])] == [True, True]
    assert rows[2]["error"] == "'video' must be an object."


@pytest.mark.parametrize("stage", ["intent", "rank"])
def test_a_line_says_at_which_moment_it_asks(batch, stage: str):
    """Seconds are taken; what is no place in a video is an error of its line."""
    given = (0, 3727.5, None, -1, "1:02:07", True)
    rows = batch(
        stage, *({"id": place, "query": "이 회사는?", "results": [], "moment_s": each} for place, each in enumerate(given))
    )
    assert ["error" in row for row in rows] == [False, False, False, True, True, True]
    assert rows[3]["error"] == "The moment must be a number of seconds from the start of the video, 0 or more."


def test_entities_stand_where_they_say(batch):
    """Each entity's text is what stands between its start and end."""
    text = "젠슨 황 엔비디아 최고경영자가 GTC 2026에서 발표했다."
    (row,) = batch("entities", {"id": 1, "text": text})
    assert row["entities"]
    assert all(text[e["start"] : e["end"]] == e["text"] for e in row["entities"])
    assert {e["kind"] for e in row["entities"]} <= {"person", "organization", "event", "other"}
    assert ("엔비디아", "organization") in {(e["text"], e["kind"]) for e in row["entities"]}


def test_rank_puts_the_answer_first_and_knows_the_moment(batch):
    """``batch rank`` orders candidates by the question, with score and parts, and the second at which a video speaks of each."""
    soup = {"id": "x", "title": "김치찌개 끓이는 법", "snippet": "돼지고기와 김치를 볶는다.", "url": "https://example.org/1"}
    memory = {"id": "y", "title": "메모리 대역폭이란", "snippet": "메모리 대역폭은 초당 옮기는 양이다."}
    stacked = {"id": "x", "title": "인터포저 위에 메모리를 쌓는 방법", "snippet": "인터포저 위에 메모리를 쌓는다."}
    spoken = [
        {"start_s": 0, "end_s": 40, "text": "인사말과 오늘의 순서를 말씀드립니다."},
        {"start_s": 40, "end_s": 80, "text": "이제 인터포저 위에 메모리를 쌓는 방법을 보겠습니다."},
    ]
    row, timed = batch(
        "rank",
        {"id": 1, "query": "메모리 대역폭은 무엇인가?", "results": [soup, memory]},
        {"id": 1, "query": "인터포저란?", "video": {"title": "메모리", "transcript": spoken}, "results": [stacked]},
    )
    assert [ranked["id"] for ranked in row["ranked"]] == ["y", "x"]
    assert set(row["ranked"][0]) == {"id", "relevance_score", "entity_match", "parts", "moment_s"}
    assert 0 <= row["ranked"][1]["relevance_score"] < row["ranked"][0]["relevance_score"] <= 1
    assert timed["ranked"][0]["moment_s"] == 40


def test_fallback_tells_answers_from_none(batch):
    """``batch fallback`` says whether each answer is none and what its model lacks; a question that is no text is ignored."""
    told = {
        ("I cannot search the web.", "Who won?"): (True, "no_web_access"),
        ("프랑스의 수도는 파리입니다.", None): (False, ""),
        ("잘 모르겠습니다.", "'I am not sure'를 한국어로 번역해 줘"): (False, ""),
        ("잘 모르겠습니다.", 5): (True, "no_knowledge"),
    }
    rows = batch("fallback", *({"id": 1, "answer": answer, "question": asked, "extra": True} for answer, asked in told))
    assert rows == [{"id": 1, "triggered": triggered, "reason": reason} for triggered, reason in told.values()]


BAD = {
    "fallback": ('{"id": 1}', '{"id": 1, "answer": null}'),
    "intent": (
        *('{"id": 1}', '{"id": 1, "query": 5}', '{"id": 1, "query": "  "}'),
        *('{"id": 1, "query": "질문", "video": "x"}', '{"id": 1, "query": "질문", "history": "x"}'),
    ),
    "entities": ('{"id": 1, "text": null}',),
    "rank": ('{"id": 1, "query": "질문"}', '{"id": 1, "query": "질문", "results": [1]}'),
    "format": ('{"id": 1, "results": {}}',),
    "claims": ('{"id": 1, "sentences": "글"}', '{"id": 1, "sentences": [{"start_s": 1}]}'),
}


@pytest.mark.parametrize("stage", BAD)
def test_a_bad_line_says_why_and_the_run_goes_on(batch, stage: str):
    """A line without usable input yields its id and an error, and the next line is answered."""
    good = {"id": 2, "query": "질문은 무엇인가", "text": "글", "answer": "답", "results": [], "sentences": []}
    *bad, fine = batch(stage, *BAD[stage], good)
    assert [(row["id"], bool(row["error"])) for row in bad] == [(1, True)] * len(BAD[stage])
    assert (fine["id"], "error" in fine) == (2, False)


def test_claims_stand_alone_and_each_sentence_has_a_score(batch):
    """Scores are in the order of the sentences; a claim has its sentence, its quote and when it is said."""
    said = [
        {"text": "안녕하세요 여러분!"},
        {"text": "엔비디아는 지난해 609억 달러를 벌었습니다.", "start_s": 12.5, "speaker": "진행", "unknown": 1},
    ]
    video = {"title": "엔비디아 이야기", "published_at": "2024-03-02"}
    row, empty = batch("claims", {"id": 7, "sentences": said, "video": video}, {"id": 3, "sentences": []})
    assert (row["id"], len(row["scores"])) == (7, 2)
    assert row["claims"] == [
        {
            "sentence": 1,
            "text": "엔비디아는 2023년 609억 달러를 벌었습니다.",
            "quote": said[1]["text"],
            "start_s": 12.5,
            "score": pytest.approx(row["scores"][1], abs=0.35),
        }
    ]
    assert empty == {"id": 3, "scores": [], "claims": []}


def test_a_line_that_is_no_object_is_answered(batch):
    """Broken JSON, other JSON, endless nesting, lone surrogates and more than the limit each get one line of answer."""
    long = f'{{"id": 1, "query": "{"a" * (MAX_LINE_CHARS + 5)}"}}'
    lines = ["not json", "[1, 2]", '"text"', "null", "[" * 100_000, '{"id": 1, "query": "\\ud800"}', long]
    *answers, last = batch("intent", *lines, {"id": 2, "query": "훈민정음은 무엇인가"})
    assert [(row["id"], "error" in row) for row in answers if row["id"] is None] == [(None, True)] * 6
    assert (len(answers), str(MAX_LINE_CHARS) in answers[-1]["error"], last["id"]) == (7, True, 2)


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def test_numbers_json_cannot_hold_are_read_as_null(batch):
    """NaN, infinity and endless digits, as id or as value, are answered in JSON any reader takes."""
    numbers = ("NaN", "-Infinity", "1e999", "9" * 5000)
    lines = []
    for number in numbers:
        row = f'"results": [{{"id": {number}, "title": "글", "url": "https://e.example", "relevance_score": {number}}}]'
        lines += [f'{{"id": {number}, {row}}}', f'{{"id": 2, {row}, "video": {{"duration": {number}}}}}']
    for stage in ("rank", "format"):
        rows = batch(stage, *lines, loads=partial(json.loads, parse_constant=refuse))
        assert [row["id"] for row in rows] == [None, 2] * len(numbers)
        assert not any("error" in row for row in rows)


def test_values_of_the_wrong_type_count_as_absent(batch):
    """Titles, addresses, scores and services of any JSON type neither end the line nor lose a candidate."""
    values = [None, True, 5, 10**400, [], ["x"], {}, {"a": 1}]
    fields = ("title", "snippet", "url", "source", "published", "relevance_score", "language", "providers")
    results = [{"id": f"{field}{number}", field: value} for field in fields for number, value in enumerate(values)]
    (ranked,) = batch("rank", {"id": 1, "query": "메모리", "results": results})
    assert sorted(row["id"] for row in ranked["ranked"]) == sorted(row["id"] for row in results)
    (written,) = batch("format", {"id": 1, "results": results})
    assert "['x']" not in written["text"]


def test_stance_says_how_two_sentences_stand(batch):
    """``batch stance`` names agreement, contradiction and change since, and what cannot be told, with reason and judge."""
    said = "한빛반도체의 2분기 매출은 12조 원입니다."
    day = {"said_at": "2026-07-20", "found_at": "2026-07-21"}
    changed = {"said": "한빛반도체의 점유율은 34%다.", "found": "한빛반도체의 점유율이 29%로 떨어졌다.", "found_at": "2026-11-02"}
    rows = batch(
        "stance",
        {"id": 1, "said": said, "found": "한빛반도체는 2분기 매출이 12조원이라고 공시했다.", **day},
        {"id": 2, "said": said, "found": "한빛반도체의 2분기 매출은 9조원이다.", **day},
        {"id": 3, **day, **changed},
        {"id": 4, "said": said, "found": "서울의 내일 기온은 영하 3도다."},
        {"id": 5, "said": said},
    )
    assert [row.get("stance") for row in rows[:4]] == ["agrees", "contradicts", "changed_since", "unverifiable"]
    assert all(row["reason"].endswith(".") for row in rows[:4])
    assert [(row["judge"], row["probability"]) for row in rows[:4]] == [("rules", None)] * 3 + [(None, None)]
    assert rows[4] == {"id": 5, "error": "'found' must be a text."}


def test_pages_become_texts_and_bad_lines_errors(batch, tmp_path: Path):
    """``batch extract`` gives one text for ``html`` and ``path`` in any encoding; a shell and unusable lines are errors."""
    said = "정부는 오늘 인터포저 위에 메모리를 쌓는 새로운 공정을 지원하겠다고 발표했습니다."
    page = f"<html><head><title>공정 지원</title></head><body><article>{f'<p>{said}</p>' * 3}</article></body></html>"
    file, large = tmp_path / "page.html", tmp_path / "large.html"
    file.write_bytes(page.encode("cp949"))
    large.write_bytes(b"x" * ((4 << 20) + 1))
    paths = ("none.html", "", str(tmp_path), "a\x00b", str(large))
    bad = [{"id": 1}, {"id": 1, "html": 5}, *({"id": 1, "path": path} for path in paths)]
    first, second, shell, *errors, last = batch(
        "extract",
        {"id": 1, "html": page, "url": "https://example.org/2026/03/04/a", "extra": True},
        {"id": "b", "path": str(file)},
        {"id": 1, "html": "<div id=root></div>"},
        *bad,
        {"id": 8, "html": page},
    )
    assert said in first["text"]
    assert first["method"] == "trafilatura"
    assert (first["title"], first["published"], first["error"]) == ("공정 지원", "2026-03-04T00:00:00+00:00", None)
    assert first["method"] == "trafilatura"
    assert (second["id"], second["text"], second["published"]) == ("b", first["text"], None)
    assert (shell["text"], bool(shell["error"])) == ("", True)
    assert [(row["id"], bool(row["error"])) for row in errors] == [(1, True)] * len(bad)
    assert (last["id"], last["error"], last["text"]) == (8, None, first["text"])
