"""Questions about talks and the sentences that answer them: for learning which sentences are quoted, and for measuring it.

``own`` are questions written for this project: about its talks, its sample documents and the sample videos (``data/quotes``,
``passages``, ``passages_across``), some of them without an answer there, about the same subject, and about the short talks of
``data/passages_reworded``. ``written`` are about talks in Korean and English written for this, as people speak: what is asked
is mostly said in other words, and each talk has questions on its subject that it does not answer. ``of_videos`` are about real
videos (``data/quotes_videos``), as their captions come: cut anywhere, with full stops that a recogniser has set, or in English
without signs and capital letters. ``articles`` are Korean questions about an encyclopedia's articles read as talks, some with the
paragraph left out that answers.

``of_viewers`` are about the videos of ``viewer_sets`` (``data/answering_sentences``). Where a video says what answers is
given in seconds, so that no text of it stands here and it may be cut into other sentences. About a quarter of the questions ask
what would fit the subject and is not said; the news and talks were read to their end for that, of WWDC videos the part that is
asked about, the rest searched for the words.

``at_moments`` are short questions asked within half a minute of what answers (``data/answering_moments``), some before it is said
and some after, and such without an answer. ``anywhere`` are those of ``of_viewers`` without a moment, asked at any,
``written_at_moments`` short ones of ``written``, at moments made for them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from search_core.answers.question_scorer import ParsedQuestion, QuestionScorer
from search_core.domain.report import Question
from search_core.domain.video import TranscriptSegment, VideoContext
from search_core.language.korean import has_hangul
from search_core.package import shipped_files
from search_core.video.upload import samples
from tests.quality.claim_videos import sentence_hash, videos
from tests.quality.scope import ALL, Scope
from tests.quality.sets import part_of, read_articles, read_rows
from tests.quality.spoken_words import without_signs
from tests.quality.viewer_sets import as_said, is_written, video_of, without_language

ACROSS_VIDEO = "sample-webb-infrared"
"""What ``data/passages_across`` asks about."""
LEAST_PARAGRAPHS, ARTICLES, QUESTIONS = 4, 80, 8
"""Paragraphs that make a talk, articles, and questions about each."""
WITHOUT = 0.4
"""The share of the questions about articles that are also asked where no paragraph answers."""
SEED = 3
SHORT = 18
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
Spans = tuple[tuple[float, float], ...]
"""Whence and until when something is said, in seconds."""


@dataclass(frozen=True, slots=True)
class AskedTalk:
    """A question about a talk, and what a sentence has to hold to answer it."""

    kind: str
    group: str
    """Questions of one group are learnt from, or measured by, together."""
    text: str
    video: VideoContext
    holds: tuple[str, ...]
    """Any of these; empty where the talk has no answer."""
    within: str = ""
    """The text that an answering sentence stands in; empty for any."""
    names: tuple[str, ...] = ()
    """What an answering sentence has to hold besides."""
    moment_s: float | None = None

    @property
    def kept_aside(self) -> bool:
        """Return whether this is measured by and not learnt from."""
        if self.kind == "written":
            return part_of(self.group, 5) == 0
        return self.kind in ("samples", "videos", "reworded held") or part_of(self.group, 5) == 1

    @property
    def answered(self) -> bool:
        """Return whether the talk answers."""
        return bool(self.holds)

    def is_answered_by(self, sentence: str) -> bool:
        """Return whether *sentence* of the talk answers."""
        held = any(part in sentence for part in self.holds) and all(part in sentence for part in self.names)
        return held and (not self.within or sentence in self.within)

    def right_among(self, sentences: Sequence[TranscriptSegment]) -> list[int]:
        """Return which of *sentences* answer."""
        return [place for place, sentence in enumerate(sentences) if self.is_answered_by(sentence.text)]

    helping_among = right_among


@dataclass(frozen=True, slots=True)
class ViewerAsked:
    """A viewer's question about a video, and when the video answers it."""

    group: str
    """The name of the video."""
    text: str
    moment_s: float | None
    essential: Spans
    """What is said in any of these answers by itself, or comes nearest to it; empty where the video has no answer."""
    helpful: Spans
    """What is worth reading besides: what the answer is about, or more of it."""
    kind: str = "answering"

    @property
    def video(self) -> VideoContext:
        """Return the video that is asked about."""
        return video_of(self.group)

    @property
    def kept_aside(self) -> bool:
        """Return whether this is measured by and not learnt from; what is asked of a third of the videos is, in any language."""
        return part_of(without_language(self.group), 3) == 0

    @property
    def answered(self) -> bool:
        """Return whether the video answers."""
        return bool(self.essential)

    def right_among(self, sentences: Sequence[TranscriptSegment]) -> list[int]:
        """Return which of *sentences* answer."""
        return said_within(self.essential, sentences)

    def helping_among(self, sentences: Sequence[TranscriptSegment]) -> list[int]:
        """Return which of *sentences* answer or help."""
        return said_within(self.essential + self.helpful, sentences)


def parse(asked: AskedTalk | ViewerAsked, scorer: QuestionScorer) -> ParsedQuestion:
    """Return the question as it is understood in its video."""
    return scorer.parse(Question(text=asked.text, video=asked.video, moment_s=asked.moment_s), of_video=True)


def said_within(spans: Spans, sentences: Sequence[TranscriptSegment]) -> list[int]:
    """Return which of *sentences* are said in *spans*: overlap is more than half of the shorter of the two."""
    return [
        place
        for place, sentence in enumerate(sentences)
        if any(
            min(sentence.end_s, end_s) - max(sentence.start_s, start_s)
            > min(sentence.end_s - sentence.start_s, end_s - start_s) / 2
            for start_s, end_s in spans
        )
    ]


def of_viewers(scope: Scope = ALL) -> list[ViewerAsked]:
    """Return the viewers' questions of *scope*."""
    rows = read_rows("answering_sentences")
    return [_viewed(row) for row in rows if scope.reads_development or is_written(row["video"])]


def at_moments() -> list[ViewerAsked]:
    """Return the short questions at moments."""
    return [_viewed(row, "moments") for row in read_rows("answering_moments")]


def anywhere() -> Iterator[ViewerAsked]:
    """Yield the viewers' questions without a moment, each at one that tells nothing."""
    for each in of_viewers():
        if each.moment_s is None:
            share = part_of(each.text, 1_000) / 1_000
            yield replace(each, kind="anywhere", moment_s=share * each.video.transcript[-1].end_s)


def written_at_moments() -> Iterator[AskedTalk]:
    """Yield half of the short Korean questions about the written talks, within half a minute of what answers."""
    for each in written():
        if len(each.text) <= SHORT and has_hangul(each.text) and part_of(each.text, 2):
            said = each.video.transcript
            right = each.right_among(said)
            at_s = said[right[0]].start_s + part_of(each.text, 53) - 25 if right else part_of(each.text, 97) / 97 * said[-1].end_s
            yield replace(each, moment_s=min(max(0.0, at_s), said[-1].end_s))


def asked_of(*, at_moment: bool) -> Iterator[AskedTalk | ViewerAsked]:
    """Yield the questions about talks that are learnt from: those at a moment, or the others."""
    asked = (*at_moments(), *anywhere()) if at_moment else (*own(), *articles())
    for each in (*asked, *of_viewers()):
        if not each.kept_aside and (each.moment_s is not None) == at_moment:
            yield each


def _viewed(row: dict[str, Any], kind: str = "answering") -> ViewerAsked:
    essential, helpful = (tuple(map(tuple, row[name])) for name in ("essential", "helpful"))
    return ViewerAsked(row["video"], row["question"], row.get("moment_s"), essential, helpful, kind)


def split_text(text: str) -> list[str]:
    """Return the sentences of a written *text*."""
    return [sentence for sentence in _SENTENCE.split(" ".join(text.split())) if sentence]


def own() -> Iterator[AskedTalk]:
    """Yield the project's own questions."""
    shipped = {video.video_id: video for video in samples()}
    for row in read_rows("quotes"):
        kind = "samples" if row["talk"] in shipped else "talks"
        yield AskedTalk(kind, row["talk"], row["question"], shipped.get(row["talk"]) or _talk(row["talk"]), tuple(row["holds"]))
    for row in (*read_rows("passages"), *({"video": ACROSS_VIDEO, **row} for row in read_rows("passages_across"))):
        yield AskedTalk("samples", row["video"], row["question"], shipped[row["video"]], (row["holds"],) if row["holds"] else ())
    for row in read_rows("passages_reworded"):
        for asked in row["questions"]:
            holds = (asked["holds"],) if asked["holds"] else ()
            yield AskedTalk(f"reworded {row['part']}", row["talk"], asked["question"], as_said(row["said"], row["talk"]), holds)


def written() -> Iterator[AskedTalk]:
    """Yield the questions about the talks of ``data/asked_talks``, of which a third has no answer there."""
    for row in read_rows("asked_talks"):
        video = as_said(row["said"], row["title"])
        for asked in row["questions"]:
            yield AskedTalk("written", row["talk"], asked["question"], video, tuple(row["said"][at] for at in asked["answers"]))


def of_videos() -> Iterator[AskedTalk]:
    """Yield questions about development videos; English captions lose their signs."""
    rows = read_rows("quotes_videos")
    for name, video in videos().items():
        said = (
            video
            if has_hangul(video.transcript[0].text)
            else replace(video, transcript=tuple(map(without_signs, video.transcript)))
        )
        for row in rows:
            if row["video"] == sentence_hash(name):
                holds, names = tuple(row["holds"]), tuple(row["names"])
                yield AskedTalk("videos", name, row["question"], said, holds, names=names)


@cache
def _talk(name: str) -> VideoContext:
    """Return the own talk of this name, or the sample documents that *name* lists, read as one talk."""
    said = [row["text"] for row in read_rows("claims_talks") if row["talk"] == name]
    files = [] if said else [shipped_files("samples") / "library" / f"{part}.md" for part in name.split()]
    return as_said([*said, *(each for file in files for each in split_text(file.read_text(encoding="utf-8").split("---", 2)[2]))])


def articles() -> Iterator[AskedTalk]:
    """Yield questions of the development half of KorQuAD about articles with some paragraphs, read as talks."""
    corpus, paragraphs, questions = read_articles()
    rng = random.Random(SEED)
    named = [name for name in sorted(questions) if len(paragraphs[name]) >= LEAST_PARAGRAPHS]
    for article in rng.sample(named, min(ARTICLES, len(named))):
        title, names = article.replace("_", " "), paragraphs[article]
        whole = as_said([each for name in names for each in split_text(corpus[name])], title)
        for row in rng.sample(questions[article], min(QUESTIONS, len(questions[article]))):
            gold = " ".join(" ".join(corpus[name] for name in row["rel"]).split())
            yield AskedTalk("articles", article, row["text"], whole, tuple(row["answers"]), gold)
            rest = [name for name in names if not any(answer in corpus[name] for answer in row["answers"])]
            if rng.random() < WITHOUT and len(rest) >= LEAST_PARAGRAPHS - 1:
                without = as_said([each for name in rest for each in split_text(corpus[name])], title)
                yield AskedTalk("articles", article, row["text"], without, ())
