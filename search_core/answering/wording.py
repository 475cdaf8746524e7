"""Questions that "I don't know" may well answer: how something is said, a piece of writing, whether the video speaks of it."""

from __future__ import annotations

import re

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


def asks_about_words(question: str) -> bool:
    """Return whether *question*, normalized, asks to say something otherwise, or for the meaning of words of not knowing."""
    if _SAID_OTHERWISE.search(question):
        return True
    return _MEANING.search(question) is not None and _NOT_KNOWING.search(question) is not None


def asks_for_text(question: str) -> bool:
    """Return whether *question*, normalized, orders a piece of writing, in which not knowing is no answer of the model's."""
    return _FOR_TEXT.search(question) is not None


def asks_what_the_source_says(question: str) -> bool:
    """Return whether *question*, normalized, asks whether the video speaks of something; "it does not" then answers it."""
    return _SOURCE_SAYS.search(question) is not None and _WHAT.search(question) is None
