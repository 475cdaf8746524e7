"""Finds the claims of a video by rules: check-worthy sentences, each understandable alone, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from search_core.claims.discourse import Discourse
from search_core.claims.merging import group_same
from search_core.claims.sentences import SpokenSentence, spoken_sentences
from search_core.claims.splitting import split_statement
from search_core.claims.times import name_times
from search_core.domain import Claim, ClaimMoment, FoundClaims, VideoContext
from search_core.relevance import Embedder
from search_core.sentences import shorten
from search_core.stance.check_worthiness import CHECK_WORTHY, score_check_worthiness
from search_core.stance.framing import without_lead

MAX_SENTENCES = 6000
"""A day of speech; what is said behind is not looked at."""
MAX_CLAIMS = 400
MAX_SENTENCE_CHARS = 600
"""Characters of a sentence that are read; a longer one is no spoken sentence."""
EMBED_WITHIN_S = 2.5
"""How long the model may take over one video; what it has not read by then is judged by words."""
NOTHING_SAID = "영상에 자막이 없어서 확인할 주장을 찾지 못했어요."
WITHOUT_MODEL = "의미 분석 모델 없이 낱말과 숫자만 보고 골랐어요. 놓친 주장이 있을 수 있어요."

PARTLY_BY_MODEL = "시간이 모자라서 일부 문장은 의미 분석 모델 없이 낱말과 숫자만 보고 골랐어요."


@dataclass(frozen=True, slots=True)
class Found:
    """One claim and the sentence it was made in."""

    sentence: int
    text: str
    score: float


def find_claims(video: VideoContext, embedder: Embedder | None = None, *, within_s: float = EMBED_WITHIN_S) -> FoundClaims:
    """Return the claims of *video* in the order of their first moments; asks no language model.

    The *embedder* reads for at most *within_s* seconds.
    """
    said = spoken_sentences(video.transcript)
    sentences = said[:MAX_SENTENCES]
    if not sentences:
        return FoundClaims(notes=(NOTHING_SAID,))
    texts = [without_lead(sentence.text) for sentence in sentences]
    worth = score_check_worthiness(texts, embedder, within_s=within_s)
    groups = find_in(texts, worth.scores, video)
    claims = sorted((_claim(group, sentences) for group in groups), key=lambda claim: -claim.score)[:MAX_CLAIMS]
    in_order = sorted(claims, key=lambda claim: claim.moments[0].start_s)
    return FoundClaims(
        claims=tuple(replace(claim, number=number) for number, claim in enumerate(in_order, 1)),
        sentences=len(sentences),
        by_meaning=worth.by_meaning,
        notes=_notes(by_meaning=worth.by_meaning, left_out=len(said) - len(sentences), weaker=len(groups) - len(claims)),
    )


def find_in(sentences: Sequence[str], scores: Sequence[float], video: VideoContext | None = None) -> list[list[Found]]:
    """Return the claims made in *sentences* of the given *scores*: for each the places where it is made, the first one first."""
    discourse = Discourse(video)
    published = video.published_at.date() if video is not None and video.published_at is not None else None
    found: list[Found] = []
    for place, (given, score) in enumerate(zip(sentences, scores, strict=True)):
        sentence = shorten(without_lead(given), MAX_SENTENCE_CHARS)
        if score < CHECK_WORTHY:
            discourse.understand(sentence)
            continue
        for statement in split_statement(sentence):
            text = discourse.understand(name_times(statement, published))
            found.append(Found(place, " ".join(text.split()), score))
    return [[found[each] for each in group] for group in group_same([each.text for each in found])]


def _claim(group: Sequence[Found], sentences: Sequence[SpokenSentence]) -> Claim:
    moments = dict.fromkeys(each.sentence for each in group)
    return Claim(
        number=0,
        text=group[0].text,
        moments=tuple(ClaimMoment(sentences[place].start_s, sentences[place].end_s, sentences[place].text) for place in moments),
        score=round(max(each.score for each in group), 4),
    )


def _notes(*, by_meaning: float, left_out: int, weaker: int) -> tuple[str, ...]:
    notes = []
    if by_meaning < 1:
        notes.append(PARTLY_BY_MODEL if by_meaning else WITHOUT_MODEL)
    if left_out:
        notes.append(f"영상이 길어서 앞의 {MAX_SENTENCES:,}문장만 살펴봤어요. 뒤의 {left_out:,}문장은 빠졌어요.")
    if weaker:
        notes.append(f"확인할 만한 주장이 많아서 {MAX_CLAIMS}개만 남겼어요. {weaker:,}개는 빠졌어요.")
    return tuple(notes)
