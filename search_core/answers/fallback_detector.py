"""Whether an answer of a language model, English or Korean, says that the model could not answer.

A cue alone decides nothing. It counts when it opens the answer (after regret and formulas) or closes a short one, when no answer
follows it, when the words are the model's own and no quotation, and when the reason is lack of knowledge, not of permission.
Where cues find nothing in a short answer, a learnt classifier is asked, if the embedder it was learnt with is ready.
"""

from __future__ import annotations

import json
import logging
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from search_core.answers import english_cues, korean_cues
from search_core.answers.clauses import MASK, Clause, clauses, normalize, without_quotes
from search_core.answers.cue_text import FallbackReason
from search_core.embedding import Embedder
from search_core.errors import EmbeddingError
from search_core.text.korean import has_hangul
from search_core.text.korean.function_words import ENGLISH_FUNCTION_WORDS
from search_core.text.sentences import sentence_spans

BEGINNING_CHARS = {"ko": 100, "en": 160}
"""What is embedded: two or three sentences, some ten milliseconds of one core."""
_LANGUAGES = (english_cues, korean_cues)
_MASKED = re.compile(rf"{MASK}[{MASK}\s]*+")
_MARKUP = re.compile(r"[*_#`>]+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class FallbackDecision:
    """The verdict on one answer.

    ``reason`` is ``FallbackReason.NONE`` (an empty text) unless triggered. ``evidence`` is the sentence that gave the verdict, as
    it stands in the answer, and empty when nothing triggered or the answer is empty.
    """

    triggered: bool
    reason: FallbackReason = FallbackReason.NONE
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the vector of a beginning and its features add to the log odds that nothing is known."""

    model: str
    """The embedder whose vectors ``vector`` was learnt with; another one's say something else."""
    vector: NDArray[np.float64]
    features: NDArray[np.float64]
    bias: dict[str, float]
    """Of Korean and of other answers: in each language as many answers as may be are taken for none."""


@cache
def shipped_weights() -> Weights:
    """Return the weights that ship."""
    stored = json.loads(resources.files(__package__).joinpath("data/unknown.json").read_text(encoding="utf-8"))
    vector, features = np.array(stored["vector"]), np.array(stored["features"])
    return Weights(model=stored["model"], vector=vector, features=features, bias=stored["bias"])


def begins_unknowing(masked: str, question: str, embedder: Embedder) -> bool:
    """Return whether an answer to *question*, its quotes *masked*, begins like one that knows nothing.

    Never for an *embedder* that the weights were not learnt with. Raises EmbeddingError.
    """
    weights = shipped_weights()
    if embedder.name != weights.model:
        return False
    beginning = beginning_of(masked)
    odds = embedder.embed([beginning])[0] @ weights.vector + read_features(beginning, question) @ weights.features
    return bool(odds + weights.bias[language_of(beginning)] > 0)


def beginning_of(masked: str) -> str:
    """Return the first sentences of an answer whose quotes are *masked*, without marks of emphasis, a dash for each quote."""
    text = " ".join(_MARKUP.sub("", _MASKED.sub("… ", masked)).split())
    most = BEGINNING_CHARS[language_of(text)]
    ends = [end for _, end in sentence_spans(text[: 2 * most]) if end <= most]
    return text[: ends[-1] if ends and ends[-1] > most / 3 else most]


def read_features(beginning: str, question: str) -> NDArray[np.float64]:
    """Return whether *beginning* brings a number that *question* lacks, tells of others, and guesses."""
    text = normalize(beginning)
    return np.array(
        [
            not set(_DIGITS.findall(text)) <= set(_DIGITS.findall(question)),
            any(cues.NO_CUE.search(text) or cues.REPORTED.search(text) for cues in _LANGUAGES),
            any(cues.HEDGED.search(text) for cues in _LANGUAGES),
        ],
        dtype=np.float64,
    )


def language_of(text: str) -> str:
    """Return by which bias an answer is judged that begins with *text*."""
    return "ko" if has_hangul(text) else "en"


_SAID_OTHERWISE = re.compile(
    r"\btranslat\w+|\b(?:how (?:do|would|can|should|to)(?: you| i| we| one)? (?:say|write|spell|express|"
    r"phrase)|rephrase|paraphrase|reword|rewrite|proofread|correct (?:this|the|my)|complete the sentence|"
    r"fill in the blank|(?:more )?polite(?:ly)? (?:way|say|version))\b|번역|(?:영어|한국어|우리말|일본어|"
    r"중국어|한글)로|영작|다른 말로|바꿔 ?(?:줘|주|써|말)|고쳐 ?(?:줘|주|써)|높임말|존댓말|반말|맞춤법|"
    r"띄어쓰기|어떻게 말|따라 ?해"
)
_MEANING = re.compile(
    r"\b(?:mean\w*|who (?:said|wrote|sang|sings)|phrase|sentence|expression|quot\w+|lyrics?|idiom|grammar|"
    r"line|saying)\b|뜻|의미|표현|문장|문법|대사|가사|명언|라고 (?:말|한|했|답|대답)|말한 ?사람"
)
_FOR_TEXT = re.compile(
    r"\b(?:write|compose|draft|create|generate|give me|make up|invent|act as|role-?play|pretend|imagine|"
    r"tell me|come up with|produce)\b[^.?]{0,60}\b(?:poem|story|essay|letter|email|e-mail|dialogue?s?|"
    r"script|scene|song|lyrics|speech|monologue|joke|tweet|post|paragraph|novel|reply|response|message|"
    r"examples?|sentences?|conversation|character|haiku|limerick|blog|article|play|excuse)\b|(?:시|소설|"
    r"이야기|동화|에세이|수필|편지|이메일|메일|대본|대화|대화문|대사|연설문|독백|글|가사|문구|예문|문장|"
    r"농담|답장|메시지|콩트|역할극|보고서|시나리오|자기소개서)(?:을|를|로)?[^.?]{0,14}?(?:써|쓰|적어|작성|"
    r"만들|지어|창작|들려|상상)|(?:역할|척)[^.?]{0,10}(?:해|하)"
)
_SOURCE_SAYS = re.compile(
    r"\b(?:does|did|do|is|was|are|were|has|have)\b[^?]{0,60}\b(?:video|transcript|speaker|talk|lecture|"
    r"clip|article|text|document|passage|he|she|they)\b[^?]{0,60}\b(?:mention\w*|say|said|talk\w*|"
    r"discuss\w*|cover\w*|address\w*|explain\w*|include\w*|provide\w*|refer\w*)\b[^?]{0,80}\?|\b(?:is|was|"
    r"are|were)\b[^?]{0,60}\b(?:mentioned|discussed|covered|said|shown)\b[^?]{0,60}\?|(?:언급|나오|나와|"
    r"나왔|다루|다뤘|다뤄|말하|말했|말씀|얘기|이야기|설명|등장|소개)[^?.]{0,12}(?:나요|니까|는지|가요|"
    r"던가요|어\?|어요\?|요\?|니\?|냐|습니까)"
)
_WHAT = re.compile(
    r"\b(?:what|who|whom|whose|when|where|why|how|which)\b|무엇|뭐|뭘|누구|누가|언제|어디|왜|어떻|어떤|얼마|몇|어느|무슨"
)
_NOT_KNOWING = re.compile(
    r"\b(?:i |you |to |we )?(?:do not|don't|not) know\b|\bnot sure\b|\bno idea\b|\bignoran\w+\b|\bnot "
    r"knowing\b|\bi know nothing\b|모르겠|모른다|모릅니다|알 수 없|무지의|몰라"
)


def asks_for_words(question: str) -> bool:
    """Return whether *question*, normalized, asks for a text, for other words, or for the meaning of words of not knowing.

    Not knowing is then no answer of the model's.
    """
    if _SAID_OTHERWISE.search(question) or _FOR_TEXT.search(question):
        return True
    return _MEANING.search(question) is not None and _NOT_KNOWING.search(question) is not None


def asks_what_the_source_says(question: str) -> bool:
    """Return whether *question*, normalized, asks whether the video speaks of something; "it does not" then answers it."""
    return _SOURCE_SAYS.search(question) is not None and _WHAT.search(question) is None


logger = logging.getLogger(__name__)

READ_CHARS = 4000
"""A model that cannot answer says so within as many letters."""
LEAD_LETTERS = 10
"""A cue after more letters of content than these does not open the answer."""
SHORT_LETTERS = 260
"""What the source lacks may also close an answer of so many letters, when the question's own words stand in it."""
LOOSE_REST_LETTERS = 150
"""More content than this after "is not mentioned", with no word of where, is an answer."""
BARE_REST_LETTERS = 20
"""The same after words that may also speak of the world ("알 수 없습니다")."""
REST_LETTERS = 500
"""More content than this after a cue is an answer, whatever came first."""
MACHINE_REST_LETTERS = 1200
"""The same after a cue that names a want of access or of current information, which no person says."""
CONCEDED_LETTERS = 12
"""So many letters after "I am not sure, but" are an answer."""
CLASSIFIED_CHARS = 500
"""A longer answer says something, whatever it begins with."""
_MACHINE = frozenset({FallbackReason.NO_WEB_ACCESS, FallbackReason.NO_CURRENT_INFORMATION})
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_TERM = re.compile(r"[a-z]{4,}|[가-힣]{2,}|\d{2,}")
_SPEAKS_OF_SOURCE = re.compile(
    r"\b(?:it|they|he|she|context|video|article|text|passage|transcript|speaker|source|document)s?\b|영상|"
    r"자막|문서|자료|기사|본문|강연|발표자|화자"
)
_DATED = re.compile(
    r"\bas of (?:my|the last|\d|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|early|mid|late)|(?:업데이트|기준|시점|지식|학습)[^.]{0,12}?(?:으로|까지|로는|에는|"
    r"에 따르면|상으로)"
)
_NUMBER = re.compile(r"\d{2,}")


class _ReadClause(NamedTuple):
    clause: Clause
    reason: FallbackReason
    firm: bool
    filler: bool

    @property
    def content(self) -> int:
        return 0 if self.reason or self.filler else self.clause.letters


class FallbackDetector:
    """Distinguishes answers from statements that no answer is known; safe to share between threads."""

    def __init__(self, embedder: Callable[[], Embedder] | None = None) -> None:
        """*embedder* gives the one that is ready; without it cues decide alone."""
        self._embedder = embedder

    def detect(self, answer: str, question: str | None = None) -> FallbackDecision:
        """Return whether *answer* shows that its model could not answer *question* for want of knowledge or access.

        A refusal on grounds of conduct, a hedged answer and a text about not knowing do not trigger. Reads the first 4,000
        characters; the time does not grow with what follows. What the classifier finds counts as a want of knowledge.
        """
        start, end = _own_words(answer)
        if start == end:
            return FallbackDecision(True, FallbackReason.EMPTY_ANSWER)
        written = _blank_outer_quotes(answer[start : min(end, start + READ_CHARS)])
        text = without_quotes(written)
        parts, asked = list(clauses(text)), normalize((question or "")[:READ_CHARS])
        chosen = _decisive(_read(text, parts), asked, cut=max(0, end - start - READ_CHARS))
        if chosen is not None:
            (first, last), reason = chosen.clause.sentence, chosen.reason
        elif may_be_classified(text, parts, asked) and not _quotes_a_cue(written, text) and self._begins_unknowing(text, asked):
            says_something = next((part for part in parts if not _is_filler(part.text)), parts[0])
            (first, last), reason = says_something.sentence, FallbackReason.NO_KNOWLEDGE
        else:
            return FallbackDecision(False)
        return FallbackDecision(True, reason, answer[start + first : start + last])

    def _begins_unknowing(self, text: str, asked: str) -> bool:
        try:
            return self._embedder is not None and begins_unknowing(text, asked, self._embedder())
        except EmbeddingError as error:
            logger.warning("Whether an answer is one is judged by cues alone: %s", error)
            return False


def may_be_classified(text: str, parts: Sequence[Clause], asked: str) -> bool:
    """Return whether the beginning of *text* can speak for all of it, and for nothing but want of knowledge.

    *parts* are its clauses, *asked* is the question, normalized.
    """
    if not parts or len(text) > CLASSIFIED_CHARS or text.rstrip().endswith("?"):
        return False
    if asks_for_words(asked) or asks_what_the_source_says(asked):
        return False
    return not _speaks_of_conduct(parts, asked, machine=False)


def _quotes_a_cue(written: str, masked: str) -> bool:
    return written != masked and bool(_read(written, list(clauses(written))))


def _own_words(answer: str) -> tuple[int, int]:
    """Return where *answer* begins and ends without spaces and without the thoughts some models write first; equal when empty."""
    start, end = 0, len(answer)
    thought = _THOUGHT.match(answer, len(answer) - len(answer.lstrip()))
    if thought:
        start = thought.end()
    rest = answer[start:]
    if not _WORD.search(rest) and not _has_symbol(rest.strip()[:READ_CHARS]):
        return end, end
    return start + len(rest) - len(rest.lstrip()), start + len(rest.rstrip())


def _has_symbol(text: str) -> bool:
    """Return whether *text* has a sign that can be an answer by itself: a picture, a currency, a sign of mathematics."""
    return any(unicodedata.category(character) in ("So", "Sc", "Sm") for character in text)


def _blank_outer_quotes(text: str) -> str:
    """Return *text* with the marks around it made spaces when the whole of it is one quotation."""
    if len(text) > 2 and (text[0], text[-1]) in (('"', '"'), ("“", "”"), ("'", "'"), ("「", "」")):
        inner = text[1:-1]
        if text[0] not in inner and text[-1] not in inner.replace("n't", ""):
            return f" {inner} "
    return text


def _read(text: str, parts: Sequence[Clause]) -> list[_ReadClause]:
    """Return each clause with what it lacks and whether it carries no content; nothing at all when no clause lacks anything."""
    reasons = [_reason(part.text, text[part.sentence[0] : part.sentence[1]]) for part in parts]
    if not any(reason for reason, _ in reasons):
        return []
    read: list[_ReadClause] = []
    for part, (reason, firm) in zip(parts, reasons, strict=True):
        goes_on = bool(read) and read[-1].filler and read[-1].clause.sentence == part.sentence and part.text.startswith("and ")
        read.append(_ReadClause(part, reason, firm, not reason and (goes_on or _is_filler(part.text))))
    return read


def _reason(clause: str, sentence: str) -> tuple[FallbackReason, bool]:
    """Return what *clause* says the model lacks, ``NONE`` for nothing, and whether it names the model or its source."""
    if not sentence.endswith("?") and not any(cues.NO_CUE.search(clause) for cues in _LANGUAGES):
        for cues in _LANGUAGES:
            for reason, firm, pattern in cues.CUES:
                found = pattern.search(clause)
                if found and not (cues is english_cues and _is_of_others(clause[: found.start()], reason, sentence)):
                    return reason, firm
    return FallbackReason.NONE, False


def _is_of_others(before: str, reason: FallbackReason, sentence: str) -> bool:
    """Return whether English words of not knowing that follow *before* are reported, or are about machines and not by one."""
    return english_cues.REPORTED.search(before) is not None or (
        reason in _MACHINE and not english_cues.OWN.search(normalize(sentence))
    )


def _is_filler(clause: str) -> bool:
    return any(cues.FILLER.search(clause) for cues in _LANGUAGES)


def _decisive(read: Sequence[_ReadClause], asked: str, *, cut: int) -> _ReadClause | None:
    """Return the clause that makes the answer no answer, if one does; *cut* counts the characters that were not read."""
    wording = asks_for_words(asked)
    of_source = asks_what_the_source_says(asked)
    rest = cut + sum(part.content for part in read)
    for index, part in enumerate(read):
        rest -= part.content
        if part.reason and _has_place(read, index, rest, asked):
            meant = part.reason in _MACHINE or not (wording or (of_source and part.reason is FallbackReason.NOT_IN_SOURCE))
            if meant and not _is_refusal(read, index, asked) and not _is_answered(read, index, asked):
                return part
    return None


def _has_place(read: Sequence[_ReadClause], index: int, rest: int, asked: str) -> bool:
    """Return whether a cue can speak for the whole answer, by the content before it and the *rest* letters after it."""
    part = read[index]
    of_source = part.reason is FallbackReason.NOT_IN_SOURCE
    before_it = [other for other in read[:index] if other.content]
    before = sum(other.content for other in before_it if not (of_source and _introduces(other, part)))
    if part.reason in _MACHINE:
        return before <= LEAD_LETTERS and rest <= MACHINE_REST_LETTERS
    if before <= LEAD_LETTERS:
        return rest <= (REST_LETTERS if part.firm else LOOSE_REST_LETTERS if of_source else BARE_REST_LETTERS)
    if not (of_source and part.firm and before + rest <= SHORT_LETTERS):
        return False
    answered = _terms(" ".join(other.clause.text for other in before_it))
    return bool(_terms(part.clause.text) & _terms(asked) - answered)


def _introduces(other: _ReadClause, cue: _ReadClause) -> bool:
    """Return whether *other* only says, in the same sentence, what the source does speak of."""
    return other.clause.sentence == cue.clause.sentence and _SPEAKS_OF_SOURCE.search(other.clause.text) is not None


def _terms(text: str) -> set[str]:
    """Return the beginnings of the words that carry meaning, so that inflected forms meet."""
    return {word[:2] if has_hangul(word) else word[:5] for word in _TERM.findall(text) if word not in ENGLISH_FUNCTION_WORDS}


def _is_refusal(read: Sequence[_ReadClause], index: int, asked: str) -> bool:
    """Return whether reasons of conduct stand around the cue; words of the question are no reasons."""
    reason = read[index].reason
    if reason is FallbackReason.NOT_IN_SOURCE and read[index].firm:
        return False
    around = read[max(0, index - 1) : index + 3] if reason in _MACHINE else read
    return _speaks_of_conduct((part.clause for part in around), asked, machine=reason in _MACHINE)


def _speaks_of_conduct(parts: Iterable[Clause], asked: str, *, machine: bool) -> bool:
    """Return whether *parts* name reasons of conduct that the question lacks or, but of a *machine*, will not help."""
    return any(
        found[0] not in asked
        for part in parts
        for cues in _LANGUAGES
        for pattern in ((cues.POLICY,) if machine else (cues.POLICY, cues.REFUSAL))
        for found in pattern.finditer(part.text)
    )


def _is_answered(read: Sequence[_ReadClause], index: int, asked: str) -> bool:
    """Return whether an answer follows after all: "not sure, but …", or a guess after not knowing."""
    reason = read[index].reason
    after = [part for part in read[index + 1 :] if part.content]
    if reason is FallbackReason.NO_KNOWLEDGE:
        letters = sum(part.content for part in after)
        return letters >= CONCEDED_LETTERS and any(part.clause.contrasts or _is_guess(part.clause.text) for part in after)
    if reason is FallbackReason.NOT_IN_SOURCE:
        here = read[index].clause.sentence
        return any(
            part.clause.contrasts and part.clause.sentence == here and not _SPEAKS_OF_SOURCE.search(part.clause.text)
            for part in after
        )
    if after and after[0].clause.contrasts and sum(part.content for part in after) >= CONCEDED_LETTERS:
        return True
    return any(_is_dated_answer(sentence, asked) for sentence in _sentences(read[index + 1 :]))


def _sentences(read: Sequence[_ReadClause]) -> list[str]:
    texts_of: dict[tuple[int, int], list[str]] = {}
    for part in read:
        texts_of.setdefault(part.clause.sentence, []).append(part.clause.text)
    return [" ".join(texts) for texts in texts_of.values()]


def _is_dated_answer(sentence: str, asked: str) -> bool:
    """Return whether *sentence* answers as of some day: it speaks of what was asked, and of the date asked for."""
    return (
        _DATED.search(sentence) is not None
        and not _terms(sentence).isdisjoint(_terms(asked))
        and set(_NUMBER.findall(asked)) <= set(_NUMBER.findall(sentence))
    )


def _is_guess(clause: str) -> bool:
    return any(cues.HEDGED.search(clause) for cues in _LANGUAGES)
