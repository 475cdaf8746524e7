"""What stands in English around a cue, or makes a clause none: somebody else, guesses, formulas, refusals.

Clauses come in lower case with straight apostrophes.
"""

from __future__ import annotations

import re

NO_CUE = re.compile(
    r"^\W*(?:(?:even )?if|when|whenever|in case|unless|whether|because|since you|did you|do you|don't you|"
    r"many people|some people)\b|\b(?:you|they|he|she|we|people|users?|scientists|historians|experts|"
    r"researchers|nobody|one|who) (?:\w+ )?(?:are unable|is unable|may not be able|might not|may be unable)|"
    r"\byou (?:can|could|may|might|will|would|do|did|are|were)(?:n't|not| not)\b|\byou can't\b|\b(?:not only|"
    r"not just|no longer)\b"
)
"""A condition, or somebody else who cannot."""
HEDGED = re.compile(
    r"\b(?:i (?:think|believe|guess|suppose|suspect|assume|would say|would guess)|i'd (?:say|guess)|my "
    r"(?:best )?guess|probably|perhaps|maybe|likely|might be|may be|could be|possibly|presumably|it seems|"
    r"appears? to|most likely|generally|typically|usually|as far as i)\b"
)
"""Gives an answer without being sure of it."""

FILLER = re.compile(
    r"^\W*(?:but|however|so|and|also|unfortunately|therefore|thus|instead|alternatively|yes|well|hmm+|oh|"
    r"ah|okay|still|that said)\W*$|^\W*(?:(?:hmm+|oh|ah|well|um|uh|okay|ok|sure|yes|no|but|however|so|and|"
    r"also|additionally|instead|alternatively|unfortunately|therefore|thus|for now|in the meantime|"
    r"otherwise|for that)[,!.]? )*(?:i(?: am|'m)(?: really| very| so| truly)? (?:sorry|afraid|happy|glad|"
    r"here|an?\b|just|only|still|based|designed)|sorry|apolog|i (?:sincerely |do )?apologi|my apologies|"
    r"hello|hi\b|thank|great question|good question|(?:that's|that is|this is|what) an? (?:\w+ )?question|"
    r"as an? (?:\w+[ -]){0,4}(?:ai|model|assistant|language model|llm|bot)|as of (?:my|the|"
    r"now)[^.]{0,60}$|(?:based on|according to|from|in|given|after reviewing) (?:the|this|your|these)(?: "
    r"\w+){1,4}$|please|feel free|let me know|let's|is there (?:anything|something)|do you have|would you "
    r"like|how (?:else )?can i|(?:if|once|when) you(?:'re|'d|'ve| have| are| could| can| provide| need| "
    r"want| would| tell| let| give| share)?\b|you(?: can|'ll| could| may| might| should| would| will|"
    r"'d)(?: \w+)? (?:\w+ )?(?:check|find|consult|look|visit|use|refer|search|try|want|need|have|ask|"
    r"contact|verify|also|easily|determine|calculate|follow|simply|get)|i(?: would|'d)? (?:highly |"
    r"strongly )?(?:recommend|suggest|advise|encourage|urge)|(?:it is|it's|it would be|it might be|it may "
    r"be) (?:always |also |a |\w+ly )?(?:best|recommended|good|advisable|important|better|helpful|"
    r"essential|worth)|(?:for|to (?:find|get|obtain|know|determine|calculate|learn|check|stay|receive|see|"
    r"verify|access|answer))\b[^.]{0,80}|i(?: can|'ll| will| could|'d| would)(?: still| try to| however| "
    r"only| certainly| definitely| gladly)? (?:be (?:happy|glad)|help|assist|offer|suggest|provide (?:you "
    r")?(?:with )?(?:some |you )?(?:general|information|the (?:date|current)|a|my)|tell you (?:how|that)|"
    r"try|do my best|recommend|only|explain how|guide|share (?:some )?general|give you (?:some )?general)|"
    r"my (?:knowledge|training|data|information|responses?|purpose|database|last|capabilities|"
    r"abilities)\b|i was (?:trained|last|created|designed|developed|built|made)|i can only|i (?:rely|"
    r"exist|operate|only|hope)\b|try (?:a|searching|checking|asking|using|looking)|check(?:ing)? |"
    r"visit(?:ing)? |consult(?:ing)? |look(?:ing)? (?:at|up|for|on)|ask(?:ing)? |search(?:ing)? |"
    r"refer(?:ring)? to|here are (?:some|a few) (?:\w+ )?(?:ways|suggestions|options|resources|methods|"
    r"sources|tips|steps|things)|(?:there are|here are) (?:many|several|a few|some) (?:ways|methods))"
)
"""Carries nothing of an answer: regret, what the speaker is, where else to look, an offer to go on."""

POLICY = re.compile(
    r"\b(?:(?:in)?appropriate|(?:un)?ethic\w*|illegal\w*|unlawful\w*|against the law|harm(?!less)\w*|"
    r"dangerous|violen\w+|hateful|privacy|private|confidential\w*|personal (?:\w+ )?(?:information|data|"
    r"details|life)|consent|guidelines|polic(?:y|ies)|unsafe|offensive|respect\w*|discriminat\w+|"
    r"prejudic\w+|stereotyp\w+|against my programming|sensitive|comfortable|abusive|malicious|criminal|"
    r"crimes?|suicid\w+|self-harm|stigma\w*|sexual\w*|explicit content|copyright\w*|defam\w+|condone|"
    r"promot(?:e|ing) \w+)\b"
)
"""Reasons of conduct."""

REFUSAL = re.compile(
    r"\b(?:can(?:no|')t|can not|won't|will not|unable to|not able to|must decline|(?:have|need) to "
    r"decline|refuse to)\b[^.]{0,20}?\b(?:help|assist|fulfil\w*|comply|support|do that|engage|participate|"
    r"continue|create|write|generate|give (?:instructions|advice)|provide (?:\w+ )?(?:instructions|advice|"
    r"guidance|assistance|support))|\bi (?:must )?(?:decline|refuse)\b"
)
"""Will not, which is something else than cannot."""
