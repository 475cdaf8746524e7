"""English patterns that decide whether a cue counts: who is spoken of, guesses, polite formulas, refusals.

Clauses come in lower case with straight apostrophes.
"""

from __future__ import annotations

import re

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
