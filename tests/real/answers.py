"""Questions about three videos, answered without a language model and with a real one.

``data/questions`` were written by somebody who had not seen what comes of them: nine are answered by the video, six by a page of
the small web, five by neither. ``right`` is what an answer has to hold.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from search_core.core import SearchCore
from search_core.domain.claim import ClaimsRequest
from search_core.domain.conversation import AnswerRecord
from search_core.domain.report import Question
from search_core.domain.research import ResearchRequest
from search_core.domain.video import VideoContext
from search_core.settings import Settings
from tests.quality.viewer_sets import video_of

from . import DATA, read_json_lines
from .web import ARTICLES

_FIGURE = re.compile(r"\d[\d,.]*\d|\d")
_CITED = re.compile(r"\[[\d:, ]+\]|^\s*\d+\. ", re.MULTILINE)
"""Citations, and the numbers of a list."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what became of it."""

    question: Mapping[str, str]
    record: AnswerRecord
    seconds: float

    @property
    def video(self) -> VideoContext:
        """Return the video it was asked about."""
        return video_of(f"own:{self.question['video']}")

    @property
    def shown(self) -> str:
        """Return what stands on the page as the answer, quotations among it; empty where it says that there is none."""
        record = self.record
        given_up = record.fallback is not None and record.fallback.triggered and record.fallback.reason != "not_borne_out"
        without_web = record.without_web.text if record.without_web else ""
        return "\n".join(("" if given_up else record.text, record.web_text if record.web_origin else "", without_web)).strip()

    @property
    def right(self) -> bool:
        """Return whether it is answered rightly; what nobody says is answered rightly by no answer."""
        right = self.question["right"]
        return bool(re.search(right, self.shown)) if right else not self.shown

    @property
    def missed(self) -> bool:
        """Return whether it is told as unanswered though video or web hold the answer."""
        return bool(self.question["right"]) and not self.shown

    @property
    def invented(self) -> list[str]:
        """Return the figures of the answer that neither video nor web nor question hold."""
        said = " ".join(segment.text for segment in self.video.transcript)
        web = " ".join(" ".join((article.title, article.published, *article.paragraphs)) for article in ARTICLES)
        hosts = " ".join(source.source for source in self.record.sources)
        known = set(_figures(f"{said} {web} {hosts} {self.question['question']} {self.question['right']}"))
        return [figure for figure in _figures(_CITED.sub(" ", self.shown)) if figure not in known]


def _figures(text: str) -> list[str]:
    return [figure.replace(",", "").rstrip(".") for figure in _FIGURE.findall(text)]


@contextmanager
def core_with(settings: Mapping[str, Any]) -> Iterator[SearchCore]:
    """Give a warm core with *settings* and a data folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        chosen = {"maekrak_data_dir": Path(folder), "web_search_cache_ttl": 0, "library_samples": False}
        with closing(SearchCore.from_settings(Settings(**{**chosen, **settings}))) as core:
            core.warm_up()
            core.wait_until_warm()
            yield core


def ask_all(settings: Mapping[str, Any], most: int | None = None) -> Iterator[Asked]:
    """Yield what becomes of the first *most* questions, or of all."""
    with core_with(settings) as core:
        for question in read_json_lines(DATA / "questions.jsonl")[:most]:
            yield _ask(core, question)


def _ask(core: SearchCore, question: Mapping[str, str]) -> Asked:
    begun, record = time.monotonic(), AnswerRecord()
    for event in core.answer(Question(text=question["question"], video=video_of(f"own:{question['video']}"))):
        record = record.after(event)
    return Asked(question, record, time.monotonic() - begun)


def figures_of(asked: Sequence[Asked]) -> dict[str, float]:
    """Return how many questions are answered rightly, told as unanswered and answered by invented figures, and the slowest."""
    return {
        "right": sum(each.right for each in asked),
        "missed": sum(each.missed for each in asked),
        "invented": sum(len(each.invented) for each in asked),
        "slowest_s": max(each.seconds for each in asked),
    }


def walk_doors(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield how an answer, a check of it, a report and a check of claims end: in a few words each."""
    video = video_of("own:v07")
    question = Question(text="박연은 언제 조선에 왔어?", video=video)
    with core_with(settings) as core:
        core.research.open()
        answer, check = AnswerRecord(), AnswerRecord()
        for event in core.answer(question):
            answer = answer.after(event)
        yield "answer", _told(answer.web_text or answer.text, answer.notice or (answer.failure.korean if answer.failure else ""))
        for event in core.check_online(question, answer):
            check = check.after(event)
        yield "check", _told(check.web_text or check.summary, check.failure.korean if check.failure else "")
        run = core.research.start(ResearchRequest(question="하멜 표류기는 어떻게 알려졌나?", video=video))
        for _ in core.research.events(run.id, ""):
            pass
        report = core.research.get(run.id, "")
        yield "research", _told(report.report, report.report_note)
        claims = core.find_claims(video).claims[:3]
        checked = core.claims.start(ClaimsRequest(video=video, claims=tuple(claims)))
        for _ in core.claims.events(checked.id, ""):
            pass
        yield "claims", f"{len(claims)} claims, {core.claims.get(checked.id, '').status.value}"


def _told(text: str, notice: str) -> str:
    return " · ".join(filter(None, (f"{len(text)} letters" if text.strip() else "no text", notice)))
