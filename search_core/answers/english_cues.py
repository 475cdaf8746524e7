"""How a model says in English that it cannot answer.

Clauses come in lower case with straight apostrophes.
"""

from __future__ import annotations

import re

from search_core.answers.cue_text import read_cues

CUES = read_cues(r"""
HEDGES = (?: (?:really|actually|honestly|currently|unfortunately|quite|entirely|completely|totally|exactly|yet|also|just|simply
    |specifically))*
CANNOT = (?:can(?:no|')t|can not|could(?:n't| not)|am (?:not able|unable) to|'m (?:not able|unable) to|(?:am|'m) not capable of
    |(?:was|were|is|are)(?: not|n't) able to|(?:not able|unable) to|have no (?:way|means|ability) (?:to|of)|lack the (?:ability
    |capability) to|(?:do not|don't)(?: currently)? have (?:the|a|any) (?:way|ability|capability|means|tools?) to
    |not possible (?:for me )?to|impossible (?:for me )?to)
LACK = (?:(?:do not|don't|did not|didn't)<HEDGES> (?:have|possess|see|find)|lack|have no|see no|find no|found no|without)
NOT_DO = (?:do(?:es)? not|do(?:es)?n't|did not|didn't|never|fails? to|neither|nor|cannot|can't|has no|have no|contains? no
    |provides? no|gives? no|makes? no)
SOURCE = (?:context|passages?|texts?|articles?|documents?|documentation|transcripts?|videos?|clips?|captions?|subtitles|sources?
    |search results?|results|materials?|excerpts?|snippets?|information|data|speakers?|talk|lecture|interview|episode|description
    |segments?|footage|recording|presenter|narrator|webinar|podcast|of them|these|chapters?|notes?|content)
TELLS = (?:contain|mention|include|provide|specify|state|say|cover|discuss|address|name|give|have|explain|indicate|identify
    |answer|talk|touch|reference|refer|list|reveal|show|tell|offer|describe|go into|get into|disclose|elaborate|detail|clarify
    |confirm|bring up|comment)(?:s|es)?
MENTIONED = (?:mentioned|specified|stated|provided|discussed|addressed|covered|explained|indicated|described|talked about
    |brought up|touched on)
MATTER = (?:information|info|knowledge|data|details?|context|records?|insights?|answers?|facts|material|results?|anything
    |updates?|news|mentions?|references?|indications?|evidence|content|specifics)
TODAY = (?:real[ -]?time|realtime|current|latest|live|up[ -]to[ -]date|up-to-the-minute|recent|present[- ]day|today's|breaking
    |future|newest|newer|later)

no_web_access
  <CANNOT>[^.]{0,40}?\b(?:brows|search|surf|access|visit|open|look|use|retriev|check|connect|fetch|query|read|watch|view
    |go)\w*[^.]{0,40}?\b(?:web(?!inar)\w*|internet|online|urls?|links?|search engines?|google|external (?:sites?|sources?|data)
    |videos?|youtube)\b
  \b<LACK>[^.]{0,40}?\b(?:internet|web|online|browsing|network|search)\b[^.]{0,20}?\b(?:access|connect\w*|capabilit\w+|abilit\w+
    |tools?)
  \b(?:not|n't) (?:directly )?connected to the (?:internet|web)\b|\b(?:i|am|'m) offline\b
  \b(?:<CANNOT>|do not|don't) (?:actually |currently )?(?:browse|google|search)(?: for (?:that|this|it))?(?: right now
    | at the moment)?\W*$

no_current_information
  \b<LACK>[^.]{0,60}?\b<TODAY>\b[^.]{0,30}?\b(?:information|info|data|updates?|access|news|date|time|events?|capabilit\w+
    |knowledge|clock|feeds?|prices?|scores?|results?|details?|conditions?|weather|developments?|statistics|figures|stats|status
    |schedules?)
  <CANNOT>[^.]{0,60}?\b<TODAY>\b[^.]{0,30}?\b(?:information|info|data|updates?|news|date|time|events?|knowledge|prices?|scores?
    |results?|weather|developments?|status|access|political|answers?|number|count|articles?|reports?)
  <CANNOT>[^.]{0,12}?\b(?:provide|give|tell|check|access|get|look up|see|know)\b[^.]{0,30}?\b(?:weather|forecasts?
    |exchange rates?|(?:stock|share) prices?|live scores?|traffic|headlines)
  <CANNOT> know what (?:day|date|time)\b
  <CANNOT>[^.]{0,20}?\b(?:predict|foresee|forecast|know the (?:current|future)|see the future|look into the future
    |tell the future)
  \b(?:beyond|after|past|later than|outside(?: of)?) (?:my (?:last |latest )?(?:knowledge|training|cut-?off|update)
    |(?:\w+ )?20\d\d\W*$)
  \bwithout (?:access to|knowing|knowledge of) (?:the |any )?(?:current|today|real)
  \bprovide (?:me with )?(?:the current|today's) date|\b(?:it is|it's) (?:still |currently |yet )*(?:unclear|uncertain
    |not (?:yet )?(?:clear|known)) (?:who|what|which|when|where) will\b
  \bnot aware of (?:any )?(?:\w+ )?(?:events|developments|changes|news|updates)\b
  \bmy (?:knowledge|training data|training|information|data)\b[^.]{0,30}?\b(?:only )?(?:ends|stops|is limited to|is outdated
    |is out of date|only goes|is cut off)
  \bi(?:'d| would)? (?:need|require)(?: to know)? (?:today's|the (?:current|exact|specific)) (?:current )?date
  \b(?:is|are) (?:not|n't) (?:yet|currently) (?:known|determined|decided)\b

not_in_source
  \b<SOURCE>\b[^.]{0,60}? <NOT_DO>[^.]{0,25}? (?:<TELLS>|<MATTER>)\b
  \b(?:outside|beyond)(?: of)? (?:what |the scope of )?(?:the|this) (?:video|transcript|talk|lecture|clip|interview|episode)\b
  \b(?:none of|nothing in|nowhere in|neither of)[^.]{0,30}?\b<SOURCE>\b
  ^not(?: \w+ly)* (?:mentioned|specified|stated|provided|discussed|addressed|covered|indicated|applicable|yet determined)\b
  ^not (?:available|found|given|known|included|shown|in)(?:\W*$| (?:in|from|by|within)? ?(?:the|this|any|your
    |my)\b[^.]{0,30}?\b<SOURCE>\b)
  \bthere(?:'s| is| was| are| were)(?: no|n't any| not any|n't enough|n't sufficient| not enough
    | insufficient)(?: \w+){0,3}? (?:mention|information|info|reference|indication|details?|context|discussion
    |data)\b(?! (?:officer|desk|system|technolog|loss|leak|to support|showing|linking|suggesting))
  (?:\bunclear|\bnot (?:\w+ly )?(?:clear|evident|apparent|obvious)|(?:\bnot|n't) able to \w+[^.]{0,30}?) (?:from|in) (?:the|this
    |your|my)[^.]{0,20}?\b<SOURCE>\b
  \b(?:no|any)(?: \w+){0,2}? (?:context|passage|information|transcript|text|article|excerpt|source)s?[^.]{0,30}?\b(?:was|were|is
    |are|has been|have been)?(?: not)? ?(?:provided|given|supplied|included|available|found|retrieved)
  ^(?:insufficient|inadequate|missing|incomplete|lack of)(?: \w+){0,3}? (?:information|context|data|details|evidence|answer)\b
    |^(?:no|empty|unknown)(?: \w+){0,2} (?:information|context|data|details|answer)(?:\W*$| (?:about|on|regarding|of|for|to
    |in the|in this)\b)
  \b(?:context|information|passage|transcript|text|answer)(?: \w+){0,3}? (?:is |was |are |were )?(?:missing|empty|not (?:provided
    |given|available|supplied|found))\b
  \b(?:does not|doesn't|do not|don't) (?:contain|provide|include) (?:any |enough |sufficient |the |relevant |specific )*(?
    :information|details|answer|context|mention|data)\b
  \b(?:can ?not|can't|could not|couldn't) (?:be )?(?:\w+ly )?(?:answered|determined|identified|found|established|confirmed
    |inferred)[^.]{0,30}?\b(?:from|by|with|in|using|based on|without) (?:the|this|that|any|provided|given)\b
  \bnot (?:enough|sufficient)(?: \w+){0,2} (?:information|context|data|details)\b
  \b(?:provide|supply|share|include|paste|send)(?: me)?(?: with)? the (?:\w+ )?(?:retrieved |missing |relevant |full )?(?:context
    |passage|article|transcript|answer choices|excerpt|source text)
  \bsilent (?:on|about)\b|\bi (?:found|find|see|saw) nothing\b|\bfound (?:nothing|no mention)\b
  \b(?:is|was|are|were)(?:n't| not)(?: \w+)? (?:in|part of) (?:the|this|that|your)(?: \w+)? <SOURCE>\b
  \bunable to (?:determine|answer|identify)\b[^.]{0,30}?\b(?:context|information|provided)\b

not_in_source, loose
  \b(?:is|are|was|were|been|being)(?: not|n't| never)(?: \w+ly)* <MENTIONED>\b
  \bno (?:direct |specific |explicit |clear )*(?:mention|reference|discussion)s? (?:of|to|about|is made)\b

no_knowledge
  \bi<HEDGES> (?:do not|don't|didn't|wouldn't)<HEDGES> know\b(?! (?:about you|if you|whether you|how to help|how i))
  \b(?:i am|i'm|im|i remain)<HEDGES> (?:not|unsure|uncertain)(?: (?:\w+ly|100%|too|so|quite|at all|even))*(?:(?<=unsure)
    |(?<=uncertain)| sure| certain| aware| familiar| confident| informed)\b(?! (?:what you|that'?s what|i understand|why you))
  ^(?:(?:sorry|hmm+|well|oh|unfortunately|i'm afraid),? )?(?:(?:not sure|no idea|no clue|(?:i )?dunno|idk|don't know|unsure
    |uncertain)(?:[ .,!]|$)|(?:unknown|unclear|not known|unanswerable|n/a|i give up|no answer|no data|no information
    |none (?:found|available)|unavailable|undetermined)(?:[.,!]|$))
  \bi<HEDGES>(?: have|'ve)(?: absolutely| really| got)? no (?:idea|clue|knowledge|information|record|recollection|details|data
    |reliable|verified|specific|answer)
  \bi(?: am|'m)? (?:(?:do not|don't|didn't|haven't|have not|currently)<HEDGES> (?:have|got|possess|hold|hear|see|find)|lack
    |without)[^.]{0,50}?\b(?:<MATTER>|access)\b
  \bi(?: am|'m| was)?<HEDGES> <CANNOT><HEDGES> (?:answer|determine|tell you|say (?:for|with|who|what|when|where|how|which|whether
    |if|exactly)|confirm|verify|find|identify|provide (?:you )?(?:with )?(?
    :an? |any |the |that |this |specific |accurate |exact |definitive |reliable |precise |\w+ly )*(?:answer|number|figure|date
    |time|response|count)|give (?:you )?(?:an? |any |the )*(?:\w+ )?answer|know|locate|recall|be (?:sure|certain)
    |offer (?:an? )?(?:\w+ )?answer|calculate|access|speak to)\b
  ^(?:<CANNOT>)<HEDGES> (?:answer|determine|identify|find|confirm|verify|locate|provide (?:an? |any |the )*(?:\w+ )?answer)\b
  \b(?:it is|it's|it is also|is) (?:not possible|impossible|not feasible)(?: for me)? to (?:\w+ly )?(?:determine|provide|answer
    |know|say|predict|identify|tell|confirm|give)\b
  \bnot (?:something|a (?:topic|person|term|name|subject)) i(?: am|'m)? (?:familiar|aware|have|know|can)\b
    |\bnot within my knowledge\b
  \bi(?: really| honestly| just)? (?:couldn't|can't|cannot|could not) (?:say|tell)\W*$|\bi (?:wish i knew|would have to look
    |don't recall|do not recall|don't remember|do not remember|can't recall|can't remember)\b
""")
"""What a model lacks, in the order in which a clause is read."""


NO_CUE = re.compile(
    r"^\W*(?:(?:even )?if|when|whenever|in case|unless|whether|because|since you|did you|do you|don't you|"
    r"many people|some people)\b|\b(?:you|they|he|she|we|people|users?|scientists|historians|experts|"
    r"researchers|nobody|one|who) (?:\w+ )?(?:are unable|is unable|may not be able|might not|may be unable)|"
    r"\byou (?:can|could|may|might|will|would|do|did|are|were)(?:n't|not| not)\b|\byou can't\b|\b(?:not only|"
    r"not just)\b|, (?:says|said|argues|argued|writes|wrote|warns|warned) (?:the|he|she|they)\b"
)
"""A condition, or another person who cannot."""
HEDGED = re.compile(
    r"\b(?:i (?:think|believe|guess|suppose|suspect|assume|would say|would guess)|i'd (?:say|guess)|my "
    r"(?:best )?guess|probably|perhaps|maybe|likely|might be|may be|could be|possibly|presumably|it seems|"
    r"appears? to|most likely|generally|typically|usually|as far as i)\b"
)
"""Gives an answer without being sure of it."""

FILLER = re.compile(
    r"^\W*(?:but|however|so|and|also|unfortunately|therefore|thus|instead|alternatively|yes|well|hmm+|oh|ah|"
    r"okay|still|that said)\W*$|^\W*(?:(?:hmm+|oh|ah|well|um|uh|okay|ok|sure|yes|no|but|however|so|and|also|"
    r"additionally|instead|alternatively|unfortunately|therefore|thus|for now|in the meantime|otherwise|for "
    r"that)[,!.]? )*(?:i(?: am|'m)(?: really| very| so| truly)? (?:sorry|afraid|happy|glad|here|an?\b|just|"
    r"only|still|based|designed)|sorry|apolog|i (?:sincerely |do )?apologi|my apologies|hello|hi\b|thank|"
    r"great question|good question|(?:that's|that is|this is|what) an? (?:\w+ )?question|as an? "
    r"(?:\w+[ -]){0,4}(?:ai|model|assistant|language model|llm|bot)|as of (?:my|the|now)[^.]{0,60}$|(?:based "
    r"on|according to|from|in|given|after reviewing) (?:the|this|your|these)(?: \w+){1,4}$|please|feel free|"
    r"let me know|let's|is there (?:anything|something)|do you have|would you like|how (?:else )?can i|(?:if|"
    r"once|when) you(?:'re|'d|'ve| have| are| could| can| provide| need| want| would| tell| let| give| "
    r"share)?\b|you(?: can|'ll| could| may| might| should| would| will|'d)(?: \w+)? (?:\w+ )?(?:check|find|"
    r"consult|look|visit|use|refer|search|try|want|need|have|ask|contact|verify|also|easily|determine|"
    r"calculate|follow|simply|get)|i(?: would|'d)? (?:highly |strongly )?(?:recommend|suggest|advise|"
    r"encourage|urge)|(?:it is|it's|it would be|it might be|it may be) (?:always |also |a |\w+ly )?(?:best|"
    r"recommended|good|advisable|important|better|helpful|essential|worth)|(?:for|to (?:find|get|obtain|know|"
    r"determine|calculate|learn|check|stay|receive|see|verify|access|answer))\b[^.]{0,80}|i(?: can|'ll| will| "
    r"could|'d| would)(?: still| try to| however| only| certainly| definitely| gladly)? (?:be (?:happy|glad)|"
    r"help|assist|offer|suggest|provide (?:you )?(?:with )?(?:some |you )?(?:general|information|the (?:date|"
    r"current)|a|my)|tell you (?:how|that)|try|do my best|recommend|only|explain how|guide|share (?:some "
    r")?general|give you (?:some )?general)|my (?:knowledge|training|data|information|responses?|purpose|"
    r"database|last|capabilities|abilities)\b|i was (?:trained|last|created|designed|developed|built|made)|i "
    r"can only|i (?:rely|exist|operate|only|hope)\b|try (?:a|searching|checking|asking|using|looking)|"
    r"check(?:ing)? |visit(?:ing)? |consult(?:ing)? |look(?:ing)? (?:at|up|for|on)|ask(?:ing)? |"
    r"search(?:ing)? |refer(?:ring)? to|here are (?:some|a few) (?:\w+ )?(?:ways|suggestions|options|"
    r"resources|methods|sources|tips|steps|things)|(?:there are|here are) (?:many|several|a few|some) (?:ways|"
    r"methods))"
)
"""Carries nothing of an answer: regret, what the speaker is, where else to look, an offer to go on."""

POLICY = re.compile(
    r"\b(?:(?:in)?appropriate|(?:un)?ethic\w*|illegal\w*|unlawful\w*|against the law|harm(?!less)\w*|"
    r"dangerous|violen\w+|hateful|privacy|private|confidential\w*|personal (?:\w+ )?(?:information|data|"
    r"details|life)|consent|guidelines|polic(?:y|ies)|unsafe|offensive|respect\w*|discriminat\w+|prejudic\w+|"
    r"stereotyp\w+|against my programming|sensitive|comfortable|abusive|malicious|criminal|crimes?|suicid\w+|"
    r"self-harm|stigma\w*|sexual\w*|explicit content|copyright\w*|defam\w+|condone|promot(?:e|ing) \w+)\b"
)
"""Reasons of conduct."""

REFUSAL = re.compile(
    r"\b(?:can(?:no|')t|can not|won't|will not|unable to|not able to|must decline|(?:have|need) to decline|"
    r"refuse to)\b[^.]{0,20}?\b(?:help|assist|fulfil\w*|comply|support|do that|engage|participate|continue|"
    r"create|write|generate|give (?:instructions|advice)|provide (?:\w+ )?(?:instructions|advice|guidance|"
    r"assistance|support))|\bi (?:must )?(?:decline|refuse)\b"
)
"""Will not, which is something else than cannot."""

OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|me|myself|as an ai|language model)\b|^\W*(?:(?:but|so|and|currently|"
    r"unfortunately|sorry|however),? )*(?:can't|cannot|can not|unable|not able|don't|do not|no |lack|it is|"
    r"it's|not possible|impossible|the (?:current|exact|outcome|future|date)|today's|please|that (?:is|"
    r"information|falls))"
)
"""Speaks of the speaker, or has no subject; a model that is spoken about ("language models cannot …") does neither."""
REPORTED = re.compile(
    r"(?<!never )\b(?:argues|claims|says|explains|believes|warns|notes|concludes|thinks|admits|said|argued|"
    r"claimed|explained|warned|admitted)\b|(?<!not )(?<!n't )\bthey (?:argue|claim|believe|say|think|warn)\b"
)
"""Introduces reported speech, when it comes first."""
