"""``ask QUESTION [--video FILE|URL] [--check]``: an answer from the video, or from the web; and what the web says of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import closing

from search_core.answers.moments import mark
from search_core.commands.scoring import found_without_meaning, load_model_on_demand, scored_by, tell_what_decided
from search_core.commands.video_argument import question_of
from search_core.core import SearchCore
from search_core.domain import (
    AnswerDone,
    AnsweredWithoutWeb,
    AnswerEvent,
    AnswerFinished,
    AnswerOrigin,
    AnswerRecord,
    AnswerToken,
    FallbackDecided,
    OwnDocument,
    OwnDocumentsFound,
    PagesRead,
    StanceRow,
    StancesCompared,
    WebAnswerFailed,
    WebAnswerFinished,
    WebSearching,
    WebSource,
    WebSourcesFound,
)
from search_core.presenting import korean_date
from search_core.presenting.claim_text import RULES_ALONE
from search_core.presenting.dates import date_text
from search_core.presenting.formatter import OWN_DOCUMENTS, SAMPLE
from search_core.presenting.wording import WITHOUT_WEB, mark_unsupported, sent_to_model, unsupported_lines
from search_core.settings import Settings
from search_core.text.json_line import as_line
from search_core.text.visible import visible

EXIT_NOT_ANSWERED = 1


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Answer and print it as it is written; 0 when there is an answer, 1 when neither the video nor the web gave one.

    What own documents say is printed and is no answer of either. With a check both must come to something.
    """
    with closing(SearchCore.from_settings(settings, once=True)) as core:
        load_model_on_demand(core, args.model_wait)
        question = question_of(args, core)
        documents = core.own_documents.get_ready_once() if core.asks_own_documents(core.default_options()) else None
        with closing(core.answer(question)) as events:
            record = _print_events(events, as_json=args.json)
        answered = record.fallback is None or not record.fallback.triggered or bool(record.web_origin)
        if args.check:
            with closing(core.check_online(question, record)) as events:
                answered &= bool(_print_events(events, as_json=args.json).web_origin)
        state = tell_what_decided(core)
        if not args.json:
            note = found_without_meaning(documents) if documents is not None else ""
            print(f"· {scored_by(state.name, state)}" + (f"\n· {note}" if note else ""))
    return 0 if answered else EXIT_NOT_ANSWERED


def _print_events(events: Iterable[AnswerEvent], *, as_json: bool) -> AnswerRecord:
    record = AnswerRecord()
    for event in events:
        if as_json:
            print(as_line({"event": event.name, "data": event}), flush=True)
        else:
            print(visible(_text(event, record)), end="", flush=True)  # foreign text must not steer the terminal
        record = record.after(event)
    return record


def _text(event: AnswerEvent, before: AnswerRecord) -> str:
    """Return what a terminal shows of *event* after what came *before* it; mostly nothing."""
    match event:
        case AnswerToken():
            return f"\n\n{event.text}" if event.begins else event.text  # what stands above was taken back
        case AnswerFinished():
            return f"\n· {event.notice}\n" if event.notice else "\n"
        case FallbackDecided(triggered=True, enabled=False):
            return "· 웹 검색으로 이어 찾지 않았어요(WEB_SEARCH_FALLBACK_ENABLED가 꺼져 있어요).\n"
        case WebSearching():
            return f"\n웹에서 찾아볼게요… 검색어: {event.question}\n"
        case WebSourcesFound():
            return "".join(f"{_source(source)}\n" for source in event.sources) + "\n"
        case AnswerDone():
            return f"({event.total_ms / 1000:.1f}초)\n"
        case _:
            return _text_of_web(event, before)


def _text_of_web(event: AnswerEvent, before: AnswerRecord) -> str:
    match event:
        case PagesRead():
            read = sum(not page.failure for page in event.pages)
            return f"· 페이지 {len(event.pages)}개 중 {read}개를 읽었어요.\n\n"
        case StancesCompared():
            rows = (_row(row, before.sources[row.source]) for row in event.comparison.rows)
            alone = [RULES_ALONE] if event.comparison.judged_by_rules_alone else []
            return "\n".join((*rows, event.summary, *alone, "", ""))
        case WebAnswerFinished(origin=AnswerOrigin.EXTRACT) if before.web_text != event.text:
            return f"\n\n{event.text}\n"  # the model broke off, and this stands in its place
        case WebAnswerFinished():
            return f"\n{unsupported_lines(event.text, event.unsupported)}"
        case WebAnswerFailed():
            return "\n" + "".join(f"· {line}\n" for line in (event.korean, event.reason, *event.ledger) if line)
        case OwnDocumentsFound():
            return "".join(("\n", f"{OWN_DOCUMENTS}\n", *map(_own, event.documents), f"· {sent_to_model(event)}\n"))
        case AnsweredWithoutWeb():
            return f"\n{WITHOUT_WEB}\n{mark_unsupported(event.text, event.unsupported)}\n"
        case _:
            return ""


def _row(row: StanceRow, source: WebSource) -> str:
    facts = f"{source.source} · {date_text(row.date)} · {row.judged_by}"
    heading = f"{mark(row.moment_s)} {row.label} · [{source.number}] {facts}"
    return f"{heading}\n    영상: {row.statement}\n    웹: {row.quote}"


def _own(document: OwnDocument) -> str:
    sample = f" · {SAMPLE}" if document.sample else ""
    return f"[{document.number}] {document.title} — {document.source}{sample}\n    “{document.quote}”\n"


def _source(source: WebSource) -> str:
    date = f" · {korean_date(source.publish_date)}" if source.publish_date else ""
    return f"[{source.number}] {source.title} — {source.source}{date}\n    {source.url}"
