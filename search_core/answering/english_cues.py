"""How a model says in English that it cannot answer.

Clauses come in lower case with straight apostrophes.
"""

from __future__ import annotations

import re

from search_core.answering.decision import FallbackReason
from search_core.answering.english_vocabulary import CANNOT, HEDGES, LACK, MATTER, MENTIONED, NOT_DO, SOURCE, TELLS, TODAY

CUES: tuple[tuple[FallbackReason, bool, re.Pattern[str]], ...] = tuple(
    (reason, firm, re.compile("|".join(patterns)))
    for reason, firm, patterns in (
        (
            FallbackReason.NO_WEB_ACCESS,
            True,
            (
                (
                    CANNOT
                    + r"[^.]{0,40}?\b(?:brows|search|surf|access|visit|open|look|use|retriev|check|connect|fetch|query|read|"
                    r"watch|view|go)\w*[^.]{0,40}?\b(?:web(?!inar)\w*|internet|online|urls?|links?|search engines?|google|"
                    r"external (?:sites?|sources?|data)|videos?|youtube)\b"
                ),
                (
                    r"\b"
                    + LACK
                    + r"[^.]{0,40}?\b(?:internet|web|online|browsing|network|search)\b[^.]{0,20}?\b(?:access|connect\w*|"
                    r"capabilit\w+|abilit\w+|tools?)"
                ),
                (
                    r"\b"
                    + LACK
                    + r"[^.]{0,30}?\b(?:access|connect\w*|abilit\w+|capabilit\w+|means)\b[^.]{0,40}?\b(?:web|internet|online|"
                    r"browse|brows\w+|external)\b"
                ),
                r"\b(?:not|n't) (?:directly )?connected to the (?:internet|web)\b|\b(?:i|am|'m) offline\b",
                r"\bno (?:internet|web|online) access\b|\b(?:web|internet) (?:access|search|browsing) is (?:not|un)\w*",
                (
                    r"\b(?:"
                    + CANNOT
                    + r"|do not|don't) (?:actually |currently )?(?:browse|google|search)(?: for (?:that|this|it))?(?: right now|"
                    r" at the moment)?\W*$"
                ),
            ),
        ),
        (
            FallbackReason.NO_CURRENT_INFORMATION,
            True,
            (
                (
                    r"\b"
                    + LACK
                    + r"[^.]{0,60}?\b"
                    + TODAY
                    + r"\b[^.]{0,30}?\b(?:information|info|data|updates?|access|news|date|time|events?|capabilit\w+|knowledge|"
                    r"clock|feeds?|prices?|scores?|results?|details?|conditions?|weather|developments?|statistics|figures|"
                    r"stats|status|schedules?)"
                ),
                (
                    CANNOT
                    + r"[^.]{0,60}?\b"
                    + TODAY
                    + r"\b[^.]{0,30}?\b(?:information|info|data|updates?|news|date|time|events?|knowledge|prices?|scores?|"
                    r"results?|weather|developments?|status|access|political|answers?|number|count|articles?|reports?)"
                ),
                (
                    CANNOT + r"[^.]{0,12}?\b(?:provide|give|tell|check|access|get|look up|see|know)\b[^.]{0,30}?\b(?:weather|"
                    r"forecasts?|exchange rates?|(?:stock|share) prices?|live scores?|traffic|headlines)"
                ),
                CANNOT + r" know what (?:day|date|time)\b",
                (
                    CANNOT + r"[^.]{0,20}?\b(?:predict|foresee|forecast|know the (?:current|future)|see the future|look into the "
                    r"future|tell the future)"
                ),
                (
                    r"\b(?:i|we) (?:do not|don't)"
                    + HEDGES
                    + r" know (?:the current|today's|what (?:day|date|time) it is|what today)"
                ),
                (
                    r"\b(?:knowledge|training|data|information)\b[^.]{0,40}?\b(?:does not|doesn't) (?:extend|go|include|cover|"
                    r"reach|contain)"
                ),
                (
                    r"\b(?:beyond|after|past|later than|outside(?: of)?) (?:my (?:last |latest )?(?:knowledge|training|"
                    r"cut-?off|update)|(?:\w+ )?20\d\d\W*$)"
                ),
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
                r"\bi(?:'d| would)? (?:need|require)(?: to know)? (?:today's|the (?:current|exact|specific)) (?:current )?date",
                r"\b(?:is|are) (?:not|n't) (?:yet|currently) (?:known|determined|decided)\b",
            ),
        ),
        (
            FallbackReason.NOT_IN_SOURCE,
            True,
            (
                r"\b" + SOURCE + r"\b[^.]{0,60}? " + NOT_DO + r"[^.]{0,25}? (?:" + TELLS + r"|" + MATTER + r")\b",
                (
                    r"\b(?:outside|beyond)(?: of)? (?:what |the scope of )?(?:the|this) (?:video|transcript|talk|lecture|clip|"
                    r"interview|episode)\b"
                ),
                r"\b(?:none of|nothing in|nowhere in|neither of)[^.]{0,30}?\b" + SOURCE + r"\b",
                (
                    r"^not(?: \w+ly)* (?:mentioned|specified|stated|provided|discussed|addressed|covered|indicated|applicable|"
                    r"yet determined)\b"
                ),
                (
                    r"^not (?:available|found|given|known|included|shown|in)(?:\W*$| (?:in|from|by|within)? ?(?:the|this|any|"
                    r"your|my)\b[^.]{0,30}?\b" + SOURCE + r"\b)"
                ),
                (
                    r"\b(?:is|are|was|were)(?: not|n't)(?: \w+ly)* (?:included|given|named|found|available|contained|present|"
                    r"listed|answered|identified|mentioned|reported)[^.]{0,20}? (?:in|by|from|within) (?:the|this|that|your|"
                    r"any of)[^.]{0,30}?\b" + SOURCE + r"\b"
                ),
                (
                    r"\bthere(?:'s| is| was| are| were)(?: no|n't any| not any|n't enough|n't sufficient| not enough| "
                    r"insufficient)(?: \w+){0,3}? (?:mention|information|info|reference|indication|details?|context|"
                    r"discussion|data)\b(?! (?:officer|desk|system|technolog|loss|leak|to support|showing|linking|suggesting))"
                ),
                (
                    r"(?:\bunclear|\bnot (?:\w+ly )?(?:clear|evident|apparent|obvious)|(?:\bnot|n't) able to \w+[^.]{0,30}?) "
                    r"(?:from|in) (?:the|this|your|my)[^.]{0,20}?\b" + SOURCE + r"\b"
                ),
                (
                    r"\b(?:no|any)(?: \w+){0,2}? (?:context|passage|information|transcript|text|article|excerpt|"
                    r"source)s?[^.]{0,30}?\b(?:was|were|is|are|has been|have been)?(?: not)? ?(?:provided|given|supplied|"
                    r"included|available|found|retrieved)"
                ),
                (
                    r"^(?:insufficient|inadequate|missing|incomplete|lack of)(?: \w+){0,3}? (?:information|context|data|"
                    r"details|evidence|answer)\b|^(?:no|empty|unknown)(?: \w+){0,2} (?:information|context|data|details|"
                    r"answer)(?:\W*$| (?:about|on|regarding|of|for|to|in the|in this)\b)"
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
                r"\bsilent (?:on|about)\b|\bi (?:found|find|see|saw) nothing\b|\bfound (?:nothing|no mention)\b",
                (r"\b(?:is|was|are|were)(?:n't| not)(?: \w+)? (?:in|part of) (?:the|this|that|your)(?: \w+)? " + SOURCE + r"\b"),
                r"\bunable to (?:determine|answer|identify)\b[^.]{0,30}?\b(?:context|information|provided)\b",
            ),
        ),
        (
            FallbackReason.NOT_IN_SOURCE,
            False,
            (
                r"\b(?:is|are|was|were|been|being)(?: not|n't| never)(?: \w+ly)* " + MENTIONED + r"\b",
                r"\bno (?:direct |specific |explicit |clear )*(?:mention|reference|discussion)s? (?:of|to|about|is made)\b",
            ),
        ),
        (
            FallbackReason.NO_KNOWLEDGE,
            True,
            (
                (
                    r"\bi"
                    + HEDGES
                    + r" (?:do not|don't|didn't|wouldn't)"
                    + HEDGES
                    + r" know\b(?! (?:about you|if you|whether you|how to help|how i))"
                ),
                (
                    r"\b(?:i am|i'm|im|i remain)"
                    + HEDGES
                    + r" (?:not|unsure|uncertain)(?: (?:\w+ly|100%|really|too|so|quite|at all|even))*(?:(?<=unsure)|"
                    r"(?<=uncertain)| sure| certain| aware| familiar| confident| informed)\b(?! (?:what you|that'?s what|i "
                    r"understand|why you))"
                ),
                (
                    r"^(?:(?:sorry|hmm+|well|oh|unfortunately|i'm afraid),? )?(?:(?:not sure|no idea|no clue|(?:i )?dunno|idk|"
                    r"don't know|unsure|uncertain)(?:[ .,!]|$)|(?:unknown|unclear|not known|unanswerable|n/a|i give up|no "
                    r"answer|no data|no information|none (?:found|available)|unavailable|undetermined)(?:[.,!]|$))"
                ),
                (
                    r"\bi"
                    + HEDGES
                    + r"(?: have|'ve)(?: absolutely| really| got)? no (?:idea|clue|knowledge|information|record|recollection|"
                    r"details|data|reliable|verified|specific|answer)"
                ),
                (
                    r"\bi(?: am|'m)? (?:(?:do not|don't|didn't|haven't|have not|currently)"
                    + HEDGES
                    + r" (?:have|got|possess|hold|hear|see|find)|lack|without)[^.]{0,50}?\b(?:"
                    + MATTER
                    + r"|access)\b"
                ),
                (
                    r"\bi(?: am|'m| was)?"
                    + HEDGES
                    + r" "
                    + CANNOT
                    + HEDGES
                    + r" (?:answer|determine|tell you|say (?:for|with|who|what|when|where|how|which|whether|if|exactly)|confirm|"
                    r"verify|find|identify|provide (?:you )?(?:with )?(?:an? |any |the |that |this |specific |accurate |exact "
                    r"|definitive |reliable |precise |\w+ly )*(?:answer|number|figure|date|time|response|count)|give (?:you "
                    r")?(?:an? |any |the )*(?:\w+ )?answer|know|locate|recall|be (?:sure|certain)|offer (?:an? )?(?:\w+ "
                    r")?answer|calculate|access|speak to)\b"
                ),
                (
                    r"^(?:"
                    + CANNOT
                    + r")"
                    + HEDGES
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
                    r"\bnot (?:something|a (?:topic|person|term|name|subject)) i(?: am|'m)? (?:familiar|aware|have|know|"
                    r"can)\b|\bnot within my knowledge\b"
                ),
                (
                    r"\b(?:i|my) (?:wasn't|was not|haven't been|have not been) (?:trained on|given|provided "
                    r"with)[^.]{0,40}?\b(?:information|data|context|details|that|this)"
                ),
                (
                    r"\bi(?: really| honestly| just)? (?:couldn't|can't|cannot|could not) (?:say|tell)\W*$|\bi (?:wish i knew|"
                    r"would have to look|don't recall|do not recall|don't remember|do not remember|can't recall|can't "
                    r"remember)\b"
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
    r"\bnowhere\b|\bfails?\b|\bdunno\b|\bidk\b|\bsilent\b|\bincomplete\b|\blimited\b|\boutdated\b|\bends\b|"
    r"\bstops\b|\bonly goes\b|\bgive up\b|\bwish i knew\b|\boffline\b|\b(?:need|require|difficult|hard|too "
    r"early)\b|\bprovide\b|\bplease (?:provide|supply|share|paste|send|include)\b|\bout of date\b|\bcut off\b|"
    r"\blater than\b"
)
"""One of these is in every clause that holds a cue; most clauses are done with after this."""
