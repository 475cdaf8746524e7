"""How models say, clause by clause, that they cannot answer, in English and Korean, and exceptions to that.

Clauses come in lower case with straight apostrophes. In Korean a cue is a predicate that ends its clause or gives a reason:
before a noun ("알 수 없는 이유") the same stem only describes that noun.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from search_core.language.sentences import sentence_spans


class FallbackReason(StrEnum):
    """Why an answer is none: what the model says it lacks, or that no source supports the answer."""

    NONE = ""
    EMPTY_ANSWER = "empty_answer"
    NO_WEB_ACCESS = "no_web_access"
    NO_CURRENT_INFORMATION = "no_current_information"
    NOT_IN_SOURCE = "not_in_source"
    NO_KNOWLEDGE = "no_knowledge"
    NOT_BORNE_OUT = "not_borne_out"


class AbstentionPattern(NamedTuple):
    """A pattern of clauses in which a model says what it lacks."""

    reason: FallbackReason
    rest: int
    """If more letters of content than this follow the clause, the text is an answer after all."""
    pattern: re.Pattern[str]


_CANNOT = (
    r"(?:can(?:no|')t|can not|could(?:n't| not)|(?:not able|n't able|unable) to|not capable of|(?:no|not have a) way (?:to|of)"
    r"|(?:lack|not have) the (?:ability|capability) to|(?:not possible|impossible) (?:for me )?to)"
)
_LACK = r"(?:(?:do|did)(?:n't| not)(?: \w+ly)* (?:have|possess|see|find)|lack|have no|without)"
_TODAY = r"(?:real[ -]?time|current|latest|live|up[ -]to[ -]date|recent|today's|future|newer|later)"
_NEWS = (
    r"(?:information|data|updates?|access|news|dates?|time|events?|knowledge|prices?|scores?|results?|weather|quotes|sources"
    r"|flight|president|articles|capabilit\w+)"
)
_SOURCE = (
    r"(?:context|passages?|texts?|articles?|documents?|transcripts?|videos?|clip|captions|sources?|(?:search )?results?"
    r"|information|data|speakers?|talk|lecture|interview|episode|recording|presenter|material)"
)
_NOT_DO = r"(?:do(?:es)?(?: not|n't)|did(?: not|n't)|never|(?:has|contains?|provides?|makes?|mentions?) no)"
_TELL = (
    r"(?:contain|mention|include|provide|specif|state|say|cover|discuss|address|name|give|explain|indicate|identify|answer|talk"
    r"|refer|reveal|show|go into|information|details?)"
)
_MATTER = r"(?:information|info|knowledge|data|details?|context|records?|evidence)"
_GIVEN = r"(?:available|found|provided|given|known|mentioned|specified|stated|applicable|determined)"
_OPENS = r"^(?:(?:but|and|so|sorry|unfortunately|however),? )*(?:the |provided |retrieved )*"
_NOT = r"(?:않|못|없|불가|어렵|어려|힘들|부족)(?:\w{0,7}[\W\d]*$|\w{0,2}(?:[어아워]서?|니|고|며|기 때문에|으므로),? )"
_SAID = r"(?:영상|자막|스크립트|문맥|맥락|자료|문서|기사|본문|지문|강연|인터뷰|발표|화자|제공된|제공해|주어진|해당)"
_TOLD = r"(?:언급|다루|나오|나와|포함|설명|말하|말씀|이야기|밝히|제시|찾|확인|알|답)"
_WORDS = r"(?:정보|데이터|자료|지식|내용|기록|답변?|언급|말)"
_IS = r"(?:은|는|이|가|을|를|도|에 대해서는|에 대해)? ?(?:전혀 |아직 |따로 )?"


def _cues(reason: FallbackReason, rest: int, *patterns: str) -> list[AbstentionPattern]:
    return [AbstentionPattern(reason, rest, re.compile(pattern)) for pattern in patterns]


CUES = (
    *_cues(
        FallbackReason.NO_WEB_ACCESS,
        1200,
        rf"{_CANNOT}[^.]{{0,40}}?\b(?:brows|search|access|visit|open|look|watch|view)\w*[^.]{{0,40}}?"
        r"\b(?:web|internet|online|links?|videos?)\b",
        rf"\b{_LACK}[^.]{{0,20}}?\b(?:internet|web|browsing)\b|\bnot connected to the (?:internet|web)\b"
        rf"|{_CANNOT} (?:browse|search)\W*$",
        rf"(?:웹|인터넷|온라인|사이트|링크|영상|검색)[^.]{{0,20}}(?:검색|접속|접근|열람|연결|시청|기능)[^.]{{0,24}}{_NOT}",
    ),
    *_cues(
        FallbackReason.NO_CURRENT_INFORMATION,
        1200,
        rf"(?:\b{_LACK}|{_CANNOT})[^.]{{0,60}}?\b{_TODAY}\b[^.]{{0,30}}?\b{_NEWS}\b",
        rf"{_CANNOT}[^.]{{0,20}}?\b(?:predict|foresee|know what (?:day|date|time)|provide [^.]{{0,12}}?weather)\b",
        r"\bmy (?:knowledge|training|information|data)\b[^.]{0,30}?\b(?:ends|stops|outdated|cut-?off is|last updated)\b",
        r"\b(?:beyond|after|outside) (?:my (?:knowledge|training)|(?:\w+ )?20\d\d\W*$)|\bnot yet (?:known|decided)\b",
        rf"(?:실시간|최신|현재|최근|오늘|지금|미래)[^.]{{0,30}}(?:접근|제공|확인|알|예측|말씀)[^.]{{0,16}}{_NOT}",
        rf"이후[^.]{{0,20}}(?:모르|모릅|알지 ?{_NOT}|알 수 {_NOT})",
        rf"(?:날씨|환율|주가|뉴스)[^.]{{0,30}}(?:제공|확인)[^.]{{0,10}}{_NOT}",
    ),
    *_cues(
        FallbackReason.NOT_IN_SOURCE,
        500,
        rf"\b{_SOURCE}\b[^.]{{0,60}}? {_NOT_DO}[^.]{{0,25}}?\b{_TELL}",
        rf"\b(?:none of|nothing in|outside|beyond|unclear from)[^.]{{0,20}}?\b{_SOURCE}\b",
        rf"(?:n't|\bnot) (?:\w+ )?(?:in|from|by)\b[^.]{{0,20}}?\b{_SOURCE}\b",
        rf"(?:\bthere (?:is|was|are)(?: no|n't any|n't enough| not enough)|{_OPENS}(?:no|not enough|insufficient))(?: \w+)? "
        rf"(?:{_MATTER}|mention)(?:\W*$| (?:about|on|for|of|in|is|was|to|provided|available|regarding)\b)(?! (?:lost|support))",
        rf"{_OPENS}(?:{_SOURCE} )*(?:is |was )?(?:not(?: yet)? {_GIVEN}|missing|empty)"
        r"(?:\W*$| (?:in|by|from) (?:the|this|your|provided|context)\b)|\bsilent on\b|\bfound nothing\b",
        r"\b(?:provide|need)(?: me)?(?: with)? the (?:\w+ )*?(?:context|passage|article|transcript|answer choices)\b",
        rf"{_SAID}[^.]{{0,50}}{_TOLD}[^.]{{0,14}}{_NOT}|{_SAID}[^.]{{0,40}}{_WORDS}{_IS}{_NOT}",
    ),
    *_cues(
        FallbackReason.NOT_IN_SOURCE,
        150,
        r"\b(?:is|are|was|were)(?: not|n't| never)(?: \w+ly)* (?:mentioned|specified|stated|provided|discussed|covered)\b",
        rf"^(?:\w+ ){{0,2}}(?:언급|명시|확인|제공)되지\w* {_NOT}|^(?:언급|해당|정보|내용) ?{_IS}없\w*\W*$",
        rf"(?:언급하|다루|나오|말하|말씀하|이야기하|밝히|설명하|제시하)지\w* {_NOT}",
    ),
    *_cues(
        FallbackReason.NO_KNOWLEDGE,
        500,
        r"\bi(?: \w+ly)? (?:do not|don't|didn't)(?: \w+ly)? know\b",
        r"\bi(?: am|'m)(?: \w+ly| afraid i'm)* (?:not (?:\w+ )?(?:sure|certain|aware|familiar)|unsure)\b",
        r"^(?:\w+, )?(?:not sure|no idea|no clue|i? ?dunno|idk|unknown|unclear|n/a|no answer|i give up)(?:[.,!]|$)",
        r"\b(?:i|we)(?: \w+ly)? (?:do not|don't|have no|lack|didn't|have not|haven't)[^.]{0,40}?"
        rf"\b(?:{_MATTER}|answer|idea|clue|access)\b",
        rf"(?:\bi(?: am|'m| was)?(?: \w+ly)? |^|\bis |\bit's |\bi was){_CANNOT}(?: \w+ly)?(?: be)? "
        r"(?:answer|determin|say|tell|confirm|verify|find|locate|identif|(?:provide|give) [^.]{0,30}?(?:answer|number|date)\b)",
        r"모르겠\w{0,6}(?=\W|$)|(?:모릅니다|몰라요|모른다|몰라|모름|모르네요)\W*$|(?:본 적|알려진 (?:바|것|정보))\w* ?없",
        rf"(?:제가|저는|저도|{_WORDS})[^.]{{0,30}}(?:알|찾|확인|파악|답|갖고|가지고)[^.]{{0,14}}{_NOT}",
        rf"{_WORDS}{_IS}{_NOT}|확실하지 ?않\w*\W*$|지식[^.]{{0,12}}벗어",
        r"(?:수 없는|기 어려운|기 힘든) (?:내용|부분|사항|정보|질문)(?:입니다|이에요|예요)",
    ),
    *_cues(
        FallbackReason.NO_KNOWLEDGE,
        20,
        rf"(?:알|파악|확인|판단|답변?|찾을?) ?(?:을 |이 )?(?:할 |하기 |드릴 |드리기 )?(?:수\w* )?{_NOT}",
        rf"(?:알|찾|기억하)지\w* {_NOT}",
    ),
)
"""Patterns of abstention, in the order in which a clause is tried against them."""
MACHINE = frozenset({FallbackReason.NO_WEB_ACCESS, FallbackReason.NO_CURRENT_INFORMATION})
"""Lack of access or of current information, which only machines mention."""

OF_OTHERS = re.compile(
    r"^\W*(?:(?:even )?if|when|unless|whether|because|did you|do you|don't you)\b|\bnot only\b"
    r"|\b(?:you|they|we|he|she|people|scientists|experts|nobody|who|models|systems|says|said|argues|claims|believes|warns)\b"
    r"[^.]{0,30}?(?:\b(?:no|never|un\w+|without|lacks?)|not|n't)\b"
    r"|(?:사람|학자|전문가|연구진?|그|그녀|우리|누구|정부|회사|사용자|소비자|투자자)(?:들)?(?:은|는|도|가|이) "
    r"|[다라자]고 (?:말|밝|답|전|설명|발표|해|했|합)|(?:없|않|모르)\w{0,2}(?:다면|으면|는 (?:것|말|뜻))|(?:옳|맞)지 ?않"
)
"""Clauses that admit nothing: conditions ("if I cannot …"), somebody else who does not know, and reported speech."""
GUESS = re.compile(
    r"\bi(?:'d)? (?:think|believe|guess|suppose|would say)\b|\b(?:probably|perhaps|maybe|likely|might be|may be|it seems"
    r"|as of (?:my|\d|\w+ \d))\b|아마|것 같|듯합|듯해|추정|추측|생각(?:합|해|됩)|보입니다|기준|가능성이"
)
"""Words of an unsure answer ("probably")."""
REFUSAL = re.compile(
    r"\b(?:inappropriate|unethical|ethic\w*|illegal\w*|harm(?!less)\w*|dangerous|violen\w+|hateful|privacy|private|confidential"
    r"|personal (?:\w+ )?(?:information|data|details|life)|guidelines|polic(?:y|ies)|offensive|respect\w*|discriminat\w+"
    r"|stereotyp\w+|sensitive|explicit|copyright\w*|promot\w+)\b"
    r"|\b(?:can(?:no|')t|won't|unable to|not able to|must)(?: \w+)? (?:help|assist|comply|support|engage|decline|create)\b"
    r"|개인 ?정보|사생활|불법|위법|해치|해를 ?끼|범죄|폭력|유해|위험|윤리|도덕|정책|지침|차별|혐오|편견|부적절|적절하지"
    r"|바람직|민감|존중|기밀|비밀|법적|법률|저작권|자해|자살|금지|거절|거부|(?:도와|도움|응하|응할|들어|지원|수행|작성)\w*"
    r"[^.]{0,12}수 ?\w? ?없|요청\w*[^.]{0,20}없"
)
"""Words of a refusal on grounds of conduct: the model will not answer, which differs from cannot."""
EMPTY = re.compile(
    r"^\W*(?:(?:hmm+|but|however|and|so|unfortunately),? )*"
    r"(?:i(?: a|')m (?:so |very )?(?:sorry|afraid|an?\b|happy)|sorry|apolog|my (?:knowledge|apolog|training)|thank|as an? "
    r"|as of my|(?:that's an? )?good |(?:based on|according to|from) (?:the|this|your) [\w ]{1,40}$|please|if you"
    r"|you (?:can|could|may|should)|i(?: can|'ll| will|'d)\b|(?:try|check|visit) )|^\W*(?:but|however|unfortunately)\W*$"
    r"|^\W*(?:(?:하지만|그러나|다만),? ?)*(?:죄송|감사|저는 ai)|(?:확인|참고|문의|검색)하\w{0,3} 수 있"
    r"|(?:주세요|보세요|바랍니다|감사합니다|드립니다)\W*$"
)
"""Formulas that answer nothing: regret, "as an AI", a hint at other sources, an offer to continue."""
OF_SOURCE = re.compile(rf"\b(?:it|they|he|she|{_SOURCE})\b|{_SAID}")
"""Words for the source ("the video", "it"): their clause says nothing about what was asked."""

_NOT_KNOWING = r"^(?=.*(?:\bnot know|n't know|not sure|no idea|모르|모릅|몰라|알 수 없))"
ASKS_FOR_WORDS = re.compile(
    r"\b(?:translat\w+|how (?:do|would|can|to)[\w ]{0,8} (?:say|write|express)|rephrase|paraphrase|rewrite|proofread|polite)\b"
    r"|\b(?:write|compose|draft|create|give me|act as|pretend|imagine|tell me|come up with)\b[^.?]{0,60}\b(?:poem|story|essay"
    r"|letter|e-?mail|dialogue|script|scene|song|speech|joke|tweet|post|reply|message|sentences?|conversation|insult)"
    rf"|{_NOT_KNOWING}.*(?:\b(?:mean|phrase|idiom|who said|who wrote|lyric)|뜻|의미|표현|문장|가사)"
    r"|번역|영어로|한국어로|바꿔|고쳐|어떻게 말"
    r"|(?:시|소설|이야기|동화|편지|메일|대본|대화|글|문구|예문)(?:을|를)? ?(?:써|쓰|적어|작성|지어)"
)
"""Questions for a translation, a text or a meaning: "I don't know" in the answer may then be what was asked for."""
ASKS_WHAT_IS_SAID = re.compile(
    r"^\W*(?:does|did|do|is|was|are|were|has)\b[^?]{0,80}\b(?:mention|sa(?:y|id)|talk|discuss|cover|address|explain)\w*\b"
    r"|^(?!.*(?:무엇|뭐|누|언제|어디|왜|어떻|어떤|얼마|몇|무슨)).*(?:언급|나오|나와|다루|말하|이야기|설명)[^?.]{0,12}(?:나요|니까|는지|요\?)"
)
"""Questions whether the video mentions something, which "it does not" answers."""

MASK = "\u25a0"
"""Replaces each letter of quoted words."""

_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|「[^」\n]{1,300}」|『[^』\n]{1,300}』|"
    r"«[^»\n]{1,300}»|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){1,200}'(?!\w)"
)
_CLAUSE_END = re.compile(
    (
        r"(?:,\s*+|(?<!\s)\s++[–—-]++\s++|—|;\s*+)(?=(?:but|however|though|yet)\b)|(?<!\s)\s++(?=(?:but|"
        r"however)\b(?!\s+not\s+limited))|;\s+|:\s+|,\s+(?=(?:so|and|as)\s+(?:i|we|my|no|the|there)\b|I\b|"
        r"it\b|the\b|there\b)|(?<=지만)[,\s]\s*|(?<=는데)[,\s]\s*|(?<=[은인]데)[,\s]\s*|(?<=으나)[,\s]\s*|"
        r"(?<=니다만)[,\s]\s*|(?<=니다),\s*"
    ),
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\W*(?:but|however|though|yet|nevertheless|that said|still|하지만|그러나|다만|그렇지만|그런데|그래도)\b", re.IGNORECASE
)
_CONCEDED = re.compile(r"(?:지만|는데|[은인]데|으나|니다만)[,\s]*$")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "＇": "'"})
_MARKUP = re.compile(r"[*_#]+")
_LONE_JAMO = re.compile(r"[ㄱ-ㅣ]+")
_SPACE = re.compile(r"\s+")
_HANGUL = re.compile(r"[가-힣]")
_LETTER = re.compile(rf"[^\W_]|{MASK}")


class Clause(NamedTuple):
    """One clause; its ``text`` is normalised for matching (NFC, straight apostrophes, lower case, no emphasis)."""

    text: str
    sentence: tuple[int, int]
    """Start and end of its sentence in the answer."""
    contrasts: bool
    """True if it begins with a contrast or follows one in its sentence ("but …", "…지만 …")."""
    letters: int
    """Number of letters and digits, also in quotes; a Hangul syllable counts as two."""


def without_quotes(answer: str) -> str:
    """Return *answer* with its quotes masked; the length stays the same."""
    return _QUOTED.sub(lambda found: re.sub(r"\S", MASK, found[0]), answer)


def clauses(answer: str) -> Iterator[Clause]:
    """Yield the clauses of *answer* in order; *answer* is masked and of limited length."""
    for start, end in sentence_spans(answer, inline_lists=True):
        contrasts = False
        for piece in _CLAUSE_END.split(unicodedata.normalize("NFC", answer[start:end])):
            text = normalize(piece)
            letters = len(_LETTER.findall(text)) + len(_HANGUL.findall(text))
            if letters:
                contrasts = contrasts or _CONTRAST.match(text) is not None
                yield Clause(text, (start, end), contrasts, letters)
                contrasts = contrasts or _CONCEDED.search(text) is not None


def normalize(text: str) -> str:
    """Return *text* normalised for cues: lower case, without emphasis and laughter (ㅋㅋ)."""
    plain = unicodedata.normalize("NFC", text).translate(_APOSTROPHES)
    return _SPACE.sub(" ", _LONE_JAMO.sub(" ", _MARKUP.sub("", plain))).strip().lower()
