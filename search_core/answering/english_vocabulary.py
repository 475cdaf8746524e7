"""Parts of English sentences about not knowing, from which the cues are built."""

from __future__ import annotations

HEDGES = (
    r"(?: (?:really|actually|honestly|currently|unfortunately|quite|entirely|completely|totally|exactly|yet|"
    r"also|just|simply|specifically))*"
)
CANNOT = (
    r"(?:can(?:no|')t|can not|could(?:n't| not)|am (?:not able|unable) to|'m (?:not able|unable) to|(?:am|'m) "
    r"not capable of|(?:was|were|is|are)(?: not|n't) able to|(?:not able|unable) to|have no (?:way|means|"
    r"ability) (?:to|of)|lack the (?:ability|capability) to|(?:do not|don't)(?: currently)? have (?:the|a|any) "
    r"(?:way|ability|capability|means|tools?) to|not possible (?:for me )?to|impossible (?:for me )?to)"
)
LACK = (
    r"(?:(?:do not|don't|did not|didn't)" + HEDGES + r" (?:have|possess|see|find)|lack|have no|see no|find no|found no|without)"
)
NOT_DO = (
    r"(?:do(?:es)? not|do(?:es)?n't|did not|didn't|never|fails? to|neither|nor|cannot|can't|has no|have no|"
    r"contains? no|provides? no|gives? no|makes? no)"
)
SOURCE = (
    r"(?:context|passages?|texts?|articles?|documents?|documentation|transcripts?|videos?|clips?|captions?|"
    r"subtitles|sources?|search results?|results|materials?|excerpts?|snippets?|information|data|speakers?|"
    r"talk|lecture|interview|episode|description|segments?|footage|recording|presenter|narrator|webinar|"
    r"podcast|of them|these|chapters?|notes?|content)"
)
TELLS = (
    r"(?:contain|mention|include|provide|specify|state|say|cover|discuss|address|name|give|have|explain|"
    r"indicate|identify|answer|talk|touch|reference|refer|list|reveal|show|tell|offer|describe|go into|get "
    r"into|disclose|elaborate|detail|clarify|confirm|bring up|comment)(?:s|es)?"
)
MENTIONED = (
    r"(?:mentioned|specified|stated|provided|discussed|addressed|covered|explained|indicated|described|talked "
    r"about|brought up|touched on)"
)
MATTER = (
    r"(?:information|info|knowledge|data|details?|context|records?|insights?|answers?|facts|material|results?|"
    r"anything|updates?|news|mentions?|references?|indications?|evidence|content|specifics)"
)
TODAY = (
    r"(?:real[ -]?time|realtime|current|latest|live|up[ -]to[ -]date|up-to-the-minute|recent|present[- ]day|"
    r"today's|breaking|future|newest|newer|later)"
)
