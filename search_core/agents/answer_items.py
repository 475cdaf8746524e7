"""An answer, or a check of one, as material: the text, its moments, what the web says of them, sources, own documents."""

from __future__ import annotations

from collections.abc import Iterator

from search_core.agents.material import Item, address, one_line, text_items
from search_core.domain import AnswerRecord, OwnDocument, StanceRow, TranscriptPassage, WebSource
from search_core.presenting.wording import mark_unsupported
from search_core.video_time import clock

MAX_MOMENTS = 6


def answer_items(record: AnswerRecord) -> Iterator[Item]:
    """Yield what the answer says, then what it rests on."""
    if record.summary:
        yield from text_items("summary", record.summary)
    if record.text and (not record.web_text or not _says_nothing(record)):
        yield from text_items("answer", record.text)
    if record.web_text:
        yield from text_items("web_answer", mark_unsupported(record.web_text, record.unsupported))
    if record.without_web is not None:
        again = record.without_web
        yield from text_items("without_web", mark_unsupported(again.text, again.unsupported))
    yield from (_moment(record, passage) for passage in _cited_passages(record))
    if record.comparison is not None:
        yield from (_stance(row) for row in record.comparison.rows)
    yield from map(_source, record.sources)
    if record.own is not None:
        yield from map(_own, record.own.documents)


def _says_nothing(record: AnswerRecord) -> bool:
    return record.fallback is not None and record.fallback.triggered


def _cited_passages(record: AnswerRecord) -> list[TranscriptPassage]:
    """Return the passages that the answer cites, or the nearest ones where it cites none."""
    passages = list(record.passages)
    cited = [passage for passage in passages if any(passage.start_s <= at <= passage.end_s for at in record.moments)]
    return sorted((cited or passages)[:MAX_MOMENTS], key=lambda passage: passage.start_s)


def _moment(record: AnswerRecord, passage: TranscriptPassage) -> Item:
    quote = one_line(passage.text, 240)
    cited = any(passage.start_s <= at <= passage.end_s for at in record.moments)
    value = {"at_s": round(passage.start_s, 1), "quote": quote, "cited": cited}
    return Item("moments", value, f"[{clock(passage.start_s)}] “{quote}”")


def _stance(row: StanceRow) -> Item:
    said, found = one_line(row.statement, 160), one_line(row.quote, 200)
    value = {
        "at_s": round(row.moment_s, 1),
        "stance": row.stance.value,
        "said": said,
        "found": found,
        "source": row.source + 1,
        "date": row.date.date().isoformat() if row.date else None,
        "independent": not row.restates_video,
        "judge": row.judge.value,
        "probability": None if row.probability is None else round(row.probability, 2),
    }
    again = "" if value["independent"] else ", only retells the video"
    whose = f"source {row.source + 1}{again}, by {judge_words(row)}"
    line = f"[{clock(row.moment_s)}] {row.stance.value} ({whose}): video “{said}” · web “{found}”"
    return Item("stances", value, line)


def judge_words(row: StanceRow) -> str:
    """Return who judged, as an agent reads it: "rules", "entailment_model 0.86"."""
    return row.judge.value if row.probability is None else f"{row.judge.value} {row.probability:.2f}"


def _source(source: WebSource) -> Item:
    value = {
        "n": source.number,
        "title": one_line(source.title, 120),
        "url": address(source.url),
        "snippet": one_line(source.snippet, 200),
        "source": one_line(source.source, 60),
        "date": source.publish_date.date().isoformat() if source.publish_date else None,
    }
    line = f"[{source.number}] {value['title']} ({value['source']}, {value['date'] or 'undated'}) {value['url']}"
    return Item("sources", value, f"{line}\n{value['snippet']}")


def _own(document: OwnDocument) -> Item:
    title, quote = one_line(document.title, 120), one_line(document.quote, 240)
    value = {"title": title, "url": address(document.url), "quote": quote, "sample": document.sample}
    sample = " (sample)" if document.sample else ""
    return Item("own", value, f"own document, not the web{sample}: {title} “{quote}”")
