"""How a model says in English that it cannot answer.

Clauses come in lower case with straight apostrophes.
"""

from __future__ import annotations

import re

from search_core.answering.decision import FallbackReason

_HEDGES = (
    r"(?: (?:really|actually|honestly|currently|unfortunately|quite|entirely|completely|totally|exactly|yet|"
    r"also|just|simply|specifically))*"
)
_CANNOT = (
    r"(?:can(?:no|')t|can not|could(?:n't| not)|am (?:not able|unable) to|'m (?:not able|unable) to|(?:am|'m) "
    r"not capable of|(?:was|were|is|are)(?: not|n't) able to|(?:not able|unable) to|have no (?:way|means|"
    r"ability) (?:to|of)|lack the (?:ability|capability) to|(?:do not|don't)(?: currently)? have the "
    r"(?:ability|capability|means|tools?) to|not possible (?:for me )?to|impossible (?:for me )?to)"
)
_LACK = (
    r"(?:(?:do not|don't|did not|didn't)" + _HEDGES + r" (?:have|possess|see|find)|lack|have no|see no|find no|found no|without)"
)
_NOT_DO = (
    r"(?:do(?:es)? not|do(?:es)?n't|did not|didn't|never|fails? to|neither|nor|cannot|can't|has no|have no|"
    r"contains? no|provides? no|gives? no|makes? no)"
)
_SOURCE = (
    r"(?:context|passages?|texts?|articles?|documents?|documentation|transcripts?|videos?|clips?|captions?|"
    r"subtitles|sources?|search results?|results|materials?|excerpts?|snippets?|information|data|speakers?|"
    r"talk|lecture|interview|episode|description|segments?|footage|recording|presenter|narrator|webinar|"
    r"podcast|of them|these|chapters?|notes?|content)"
)
_TELLS = (
    r"(?:contain|mention|include|provide|specify|state|say|cover|discuss|address|name|give|have|explain|"
    r"indicate|identify|answer|talk|touch|reference|refer|list|reveal|show|tell|offer|describe|go into|get "
    r"into|disclose|elaborate|detail|clarify|confirm|bring up|comment)s?"
)
_MENTIONED = (
    r"(?:mentioned|specified|stated|provided|discussed|addressed|covered|explained|indicated|described|talked "
    r"about|brought up|touched on)"
)
_MATTER = (
    r"(?:information|info|knowledge|data|details?|context|records?|insights?|answers?|facts|material|results?|"
    r"anything|updates?|news|mentions?|references?|indications?|evidence|content|specifics)"
)
_TODAY = (
    r"(?:real[ -]?time|realtime|current|latest|live|up[ -]to[ -]date|up-to-the-minute|recent|present[- ]day|"
    r"today's|breaking|future|newest)"
)

CUES: tuple[tuple[FallbackReason, bool, re.Pattern[str]], ...] = tuple(
    (reason, firm, re.compile("|".join(patterns)))
    for reason, firm, patterns in (
        (
            FallbackReason.NO_WEB_ACCESS,
            True,
            (
                (
                    _CANNOT
                    + r"[^.]{0,40}?\b(?:brows|search|surf|access|visit|open|look|use|retriev|check|connect|fetch|query|read|"
                    r"watch|view|go)\w*[^.]{0,40}?\b(?:web(?!inar)\w*|internet|online|urls?|links?|search engines?|google|"
                    r"external (?:sites?|sources?|data)|videos?|youtube)\b"
                ),
                (
                    r"\b"
                    + _LACK
                    + r"[^.]{0,40}?\b(?:internet|web|online|browsing|network|search)\b[^.]{0,20}?\b(?:access|connect\w*|"
                    r"capabilit\w+|abilit\w+|tools?)"
                ),
                (
                    r"\b"
                    + _LACK
                    + r"[^.]{0,30}?\b(?:access|connect\w*|abilit\w+|capabilit\w+|means)\b[^.]{0,40}?\b(?:web|internet|online|"
                    r"browse|brows\w+|external)\b"
                ),
                r"\b(?:not|n't) (?:directly )?connected to the (?:internet|web)\b|\b(?:i|am|'m) offline\b",
                r"\bno (?:internet|web|online) access\b|\b(?:web|internet) (?:access|search|browsing) is (?:not|un)\w*",
                (
                    r"\b(?:can't|cannot|do not|don't) (?:actually |currently )?(?:browse|google|search)(?: for (?:that|this|"
                    r"it))?(?: right now| at the moment)?$"
                ),
            ),
        ),
        (
            FallbackReason.NO_CURRENT_INFORMATION,
            True,
            (
                (
                    r"\b"
                    + _LACK
                    + r"[^.]{0,60}?\b"
                    + _TODAY
                    + r"\b[^.]{0,30}?\b(?:information|info|data|updates?|access|news|date|time|events?|capabilit\w+|knowledge|"
                    r"clock|feeds?|prices?|scores?|results?|details?|conditions?|weather|developments?|statistics|figures|"
                    r"stats|status|schedules?)"
                ),
                (
                    _CANNOT
                    + r"[^.]{0,60}?\b"
                    + _TODAY
                    + r"\b[^.]{0,30}?\b(?:information|info|data|updates?|news|date|time|events?|knowledge|prices?|scores?|"
                    r"results?|weather|developments?|status|access|political|answers?|number|count)"
                ),
                (
                    _CANNOT
                    + r"[^.]{0,20}?\b(?:predict|foresee|forecast|know the (?:current|future)|see the future|look into the "
                    r"future|tell the future)"
                ),
                (
                    r"\b(?:i|we) (?:do not|don't)"
                    + _HEDGES
                    + r" know (?:the current|today's|what (?:day|date|time) it is|what today)"
                ),
                (
                    r"\b(?:knowledge|training|data|information)\b[^.]{0,40}?\b(?:does not|doesn't) (?:extend|go|include|cover|"
                    r"reach|contain)"
                ),
                r"\b(?:beyond|after|past|later than|outside(?: of)?) my (?:last |latest )?(?:knowledge|training|cut-?off|update)",
                r"\b(?:current date|date of my response|today's date) (?:is unknown|is not known|is not available)",
                r"\bwithout (?:access to|knowing|knowledge of) (?:the |any )?(?:current|today|real)",
                (
                    r"\b(?:it is|it's|is) (?:still |also |currently |very )*(?:difficult|hard|not possible|impossible|too "
                    r"early)(?: for me)? to (?:\w+ly )?(?:predict|foresee|forecast)"
                ),
                (
                    r"\bprovide (?:me with )?(?:the current|today's) date|\b(?:it is|it's) (?:still |currently |yet "
                    r")*(?:unclear|uncertain|not (?:yet )?(?:clear|known)) (?:who|what|which|when|where) will\b"
                ),
                r"\bnot aware of (?:any )?(?:\w+ )?(?:events|developments|changes|news|updates)\b",
                r"\b(?:do not|don't) have (?:a )?(?:crystal ball|(?:built-in |system |real-time |internal )*(?:clock|calendar))",
                (
                    r"\bmy (?:knowledge|training data|training|information|data)\b[^.]{0,30}?\b(?:only )?(?:ends|stops|is "
                    r"limited to|is outdated|is out of date|only goes|is cut off)"
                ),
                r"\bi (?:would )?(?:need|require)(?: to know)? the (?:current|exact|specific) (?:current )?date",
            ),
        ),
        (
            FallbackReason.NOT_IN_SOURCE,
            True,
            (
                r"\b" + _SOURCE + r"\b[^.]{0,60}? " + _NOT_DO + r"[^.]{0,25}? (?:" + _TELLS + r"|" + _MATTER + r")\b",
                r"\b(?:none of|nothing in|nowhere in|neither of)[^.]{0,30}?\b" + _SOURCE + r"\b",
                (
                    r"^not(?: \w+ly)* (?:mentioned|specified|stated|provided|discussed|addressed|covered|indicated|applicable|"
                    r"yet determined)\b"
                ),
                (
                    r"^not (?:available|found|given|known|included|shown|in)(?:\W*$| (?:in|from|by|within)? ?(?:the|this|any|"
                    r"your|my)\b[^.]{0,30}?\b" + _SOURCE + r"\b)"
                ),
                (
                    r"\b(?:is|are|was|were)(?: not|n't)(?: \w+ly)* (?:included|given|named|found|available|contained|present|"
                    r"listed|answered|identified|mentioned|reported)[^.]{0,20}? (?:in|by|from|within) (?:the|this|that|your|"
                    r"any of)[^.]{0,30}?\b" + _SOURCE + r"\b"
                ),
                (
                    r"\bthere(?:'s| is| was| are| were)(?: no|n't any| not any|n't enough|n't sufficient| not enough| "
                    r"insufficient)(?: \w+){0,3}? (?:mention|information|info|reference|indication|details?|context|"
                    r"discussion|data)\b(?! (?:officer|desk|system|technolog|loss|leak))"
                ),
                (
                    r"(?:\bunclear|\bnot (?:\w+ly )?(?:clear|evident|apparent|obvious)|(?:\bnot|n't) able to \w+[^.]{0,30}?)"
                    r" (?:from|in) (?:the|this|your|my)[^.]{0,20}?\b" + _SOURCE + r"\b"
                ),
                (
                    r"\b(?:no|any)(?: \w+){0,2}? (?:context|passage|information|transcript|text|article|excerpt|"
                    r"source)s?[^.]{0,30}?\b(?:was|were|is|are|has been|have been)?(?: not)? ?(?:provided|given|supplied|"
                    r"included|available|found|retrieved)"
                ),
                (
                    r"^(?:insufficient|inadequate|missing|incomplete|no|empty|lack of|unknown)(?: \w+){0,3}? (?:information|"
                    r"context|data|details|evidence|answer)\b"
                ),
                (
                    r"\b(?:context|information|passage|transcript|text|answer)(?: \w+){0,3}? (?:is |was |are |were "
                    r")?(?:missing|empty|not (?:provided|given|available|supplied|found))\b"
                ),
                (
                    r"\b(?:does not|doesn't|do not|don't) (?:contain|provide|include) (?:any |enough |sufficient |the |"
                    r"relevant |specific )*(?:information|details|answer|context|mention|data)\b"
                ),
                (
                    r"\b(?:can ?not|can't|could not|couldn't) (?:be )?(?:\w+ly )?(?:answered|determined|identified|found|"
                    r"established|confirmed|inferred)[^.]{0,30}?\b(?:from|by|with|in|using|based on|without) (?:the|this|that|"
                    r"any|provided|given)\b"
                ),
                r"\bnot (?:enough|sufficient)(?: \w+){0,2} (?:information|context|data|details)\b",
                (
                    r"\b(?:provide|supply|share|include|paste|send)(?: me)?(?: with)? the (?:\w+ )?(?:retrieved |missing |"
                    r"relevant |full )?(?:context|passage|article|transcript|answer choices|excerpt|source text)"
                ),
                r"\bunable to (?:determine|answer|identify)\b[^.]{0,30}?\b(?:context|information|provided)\b",
            ),
        ),
        (
            FallbackReason.NOT_IN_SOURCE,
            False,
            (
                r"\b(?:is|are|was|were|been|being)(?: not|n't| never)(?: \w+ly)* " + _MENTIONED + r"\b",
                r"\bno (?:direct |specific |explicit |clear )*(?:mention|reference|discussion)s? (?:of|to|about|is made)\b",
            ),
        ),
        (
            FallbackReason.NO_KNOWLEDGE,
            True,
            (
                (
                    r"\bi"
                    + _HEDGES
                    + r" (?:do not|don't|didn't|wouldn't)"
                    + _HEDGES
                    + r" know\b(?! (?:about you|if you|whether you|how to help|how i))"
                ),
                (
                    r"\b(?:i am|i'm|im|i remain)"
                    + _HEDGES
                    + r" (?:not|unsure|uncertain)(?: (?:\w+ly|100%|really|too|so|quite|at all|even))*(?:(?<=unsure)|"
                    r"(?<=uncertain)| sure| certain| aware| familiar| confident| informed)\b(?! (?:what you|that'?s what|i "
                    r"understand|why you))"
                ),
                (
                    r"^(?:not sure|no idea|no clue|dunno|don't know|unsure|unknown|unclear|uncertain|not known|unanswerable|"
                    r"n/a|i give up|no answer|no data|no information|none (?:found|available)|unavailable|"
                    r"undetermined)(?:[ .,!]|$)"
                ),
                (
                    r"\bi"
                    + _HEDGES
                    + r"(?: have|'ve)(?: absolutely| really| got)? no (?:idea|clue|knowledge|information|record|recollection|"
                    r"details|data|reliable|verified|specific|answer)"
                ),
                (
                    r"\bi(?: am|'m)? (?:(?:do not|don't|didn't|haven't|have not|currently)"
                    + _HEDGES
                    + r" (?:have|got|possess|hold|hear|see|find)|lack|without)[^.]{0,50}?\b(?:"
                    + _MATTER
                    + r"|access)\b"
                ),
                (
                    r"\bi(?: am|'m| was)?"
                    + _HEDGES
                    + r" "
                    + _CANNOT
                    + _HEDGES
                    + r" (?:answer|determine|tell you|say (?:for|with|who|what|when|where|how|which|whether|if|exactly)|confirm|"
                    r"verify|find|identify|provide (?:you )?(?:with )?(?:an? |any |the |that |this |specific |accurate |exact "
                    r"|definitive |reliable |precise |\w+ly )*(?:answer|number|figure|date|time|response|count)|give (?:you "
                    r")?(?:an? |any |the )*(?:\w+ )?answer|know|locate|recall|be (?:sure|certain)|offer (?:an? )?(?:\w+ "
                    r")?answer|calculate|access|speak to)\b"
                ),
                (
                    r"^(?:"
                    + _CANNOT
                    + r")"
                    + _HEDGES
                    + r" (?:answer|determine|identify|find|confirm|verify|locate|provide (?:an? |any |the )*(?:\w+ )?answer)\b"
                ),
                (
                    r"\b(?:it is|it's|it is also|is) (?:not possible|impossible|not feasible)(?: for me)? to (?:\w+ly "
                    r")?(?:determine|provide|answer|know|say|predict|identify|tell|confirm|give)\b"
                ),
                (
                    r"^(?:it |this |that |the answer |this question |that question )?(?:can ?not|can't|could not) be (?:\w+ly "
                    r")?(?:determined|answered|verified|confirmed|identified)\b(?! (?:by|with|using|through)\b)"
                ),
                (
                    r"\bbeyond (?:my|the scope of my) (?:knowledge|expertise|information)\b|\boutside (?:of )?(?:my|the scope "
                    r"of my) knowledge\b"
                ),
                (
                    r"\bnot (?:something|a (?:topic|person|term|name|subject)) i(?: am|'m) (?:familiar|aware)\b|\bnot within "
                    r"my knowledge\b"
                ),
                (
                    r"\b(?:i|my) (?:wasn't|was not|haven't been|have not been) (?:trained on|given|provided "
                    r"with)[^.]{0,40}?\b(?:information|data|context|details|that|this)"
                ),
                (
                    r"\bi (?:wish i knew|would have to look|don't recall|do not recall|don't remember|do not remember|can't "
                    r"recall|can't remember)\b"
                ),
            ),
        ),
    )
)
"""What a model lacks, in the order in which a clause is read."""

NEGATION = re.compile(
    r"\bnot?\b|n't\b|cannot\b|\bunable\b|\black|\bwithout\b|\bnone\b|\bnothing\b|\bunknown\b|\bun(?:sure|"
    r"certain|clear|answerable|determined|available)\b|\bbeyond\b|\bafter\b|\boutside\b|\bpast\b|"
    r"\binsufficient|\binadequate|\bmissing\b|\bempty\b|\bimpossible\b|\bn/a\b|\bnor\b|\bneither\b|\bnever\b|"
    r"\bnowhere\b|\bfails?\b|\bdunno\b|\bincomplete\b|\blimited\b|\boutdated\b|\bends\b|\bstops\b|\bonly "
    r"goes\b|\bgive up\b|\bwish i knew\b|\boffline\b|\b(?:need|require|difficult|hard|too early)\b|"
    r"\bprovide\b|\bplease (?:provide|supply|share|paste|send|include)\b|\bout of date\b|\bcut off\b|\blater "
    r"than\b"
)
"""One of these is in every clause that holds a cue; most clauses are done with after this."""
