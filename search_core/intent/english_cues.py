"""English words and turns of phrase that tell what kind of material is wanted, with their weights; 1 tips an empty balance.

An expression stands on a line; a line that begins with ``|`` goes on with the one before.
"""

from __future__ import annotations

import re

from search_core.domain import SearchType

_CUES = {
    SearchType.NEWS: {
        3.0: r"""
\bnews\b
\bheadlines?\b
\bbreaking\b
""",
        2.0: r"""
\blatest\b|\brecent(?:ly)?\b
\bupdates? (?:me )?(?:on|about)\b|\bupdate$
\bgoing on (?:in|with|at)\b|\bwhat(?:['’]?s| is) (?:new|happening|up with)\b|\bhappen(?:ed|ing)\b
""",
        1.1: r"""
\btoday\b|\byesterday\b|\bthis (?:week|month|year|quarter)\b|\bright now\b|\bat the moment\b|\bcurrent(?:ly)?\b
|\bso far\b|\blast (?:night|week|month|quarter|year)\b|\byet\b|\blately\b
\bstock price\b|\belections?\b|\bpolls?\b|\bpolitic\w*\b|\bscores?\b|\bwon\b|\bwinning\b|\blayoffs?\b|\brecall\b
|\bannounce[ds]?\b|\bstrike\b|\bscandal\b|\bearthquake\b|\blaunch date\b|\bpolic(?:y|ies)\b|\bshutdown\b|\bcrisis\b
|\bwar\b|\battacks?\b|\bsummit\b|\bcongress\b|\bsenate\b|\bgovernment\b|\bcouncil\b|\bpress conference\b|\bleague\b
|\bconference\b|\bmarket\b
\bpresident\b.*\b(?:do|doing|say|said)\b|\b(?:council|trump|minister)\b.*\bdoing\b
""",
        0.9: r"""
\b(?:has|have|did) .*\b(?:cut|resign|die|win|lose|release|pass|get back|break up)\w*\b
\bleading\b|\bnew\b
\bhow much did .* make\b
""",
    },
    SearchType.BACKGROUND: {
        2.2: r"""
\bdefin(?:e|ition)\b|\bmeaning\b|\bmeans?\b|\bwhat does .* (?:mean|look like|stand for)\b|\bhistory\b|\borigins?\b
|\bdifferences? between\b|\bexplain\b|\bdescri(?:be|ption)\b|\bhow would .* look\b|\bwhat (?:type|kind|sort) of\b
""",
        1.8: r"""
^(?:please )?(?:tell me |can you tell me |do you know )?(?:who|what) (?:is|are|was|were|invented|made)\b
|^(?:who|what)['’]s\b|\bhow (?:tall|old|big|far|long|high|deep|large|heavy|wide|many|much|fast)\b
|\bwhen (?:was|did|is|were)\b|\bwhere (?:is|was|are|did)\b|\bwhy (?:is|are|do|does|did|was|were)\b
|\bhow (?:do|does|did|is|are|was|were)\b|\bwhich (?:is|was|are|country|city)\b|\bat what age\b
""",
        1.0: r"""
\bborn\b|\bbirthday\b|\bcapital of\b|\bpopulation\b|\bheight\b|\bage\b|\bnet worth\b|\bmarried\b|\binvented\b
|\bfounded\b|\bbuilt\b|\bdiscovered\b|\btheory\b|\badvantages\b|\brisks\b|\bbackground\b|\bexamples? of\b
|\bbio(?:graphy)?\b|\bfacts\b|\babout\b|\bdistance\b|\bwikipedia\b|\bword\b
^(?:the )?(?:\w+est|most \w+) \w+|\b(?:biggest|largest|tallest|highest|longest|oldest|farthest)\b
""",
    },
    SearchType.GENERAL: {
        2.4: r"""
\brecommend\w*\b|\bhow to\b|\btips\b|\bbook (?:a|me|the)\b|\bdownload\b|\btranslate\b|\bset (?:a|an|my|the|up)\b
|\bplay\b|\bturn (?:on|off|up|down|the)\b|\bremind(?:ers?)?\b|\balarms?\b|\bcalendar\b|\be-?mails?\b|\bschedule\b
|\b(?:my|the|a|grocery|shopping|to ?do) lists?\b|\bvolume\b|\blights?\b|\bmusic\b|\bsongs?\b|\bplaylist\b|\bpodcast\b
|\bradio\b|\bjokes?\b|\bremove\b|\bdelete\b|\badd\b|\bcreate\b|\bsend\b|\breply\b|\border\b|\btakeaway\b|\bdeliver\w*\b
|\bmute\b|\bopen\b|\bsave\b|\bwrite\b|\bmessages?\b
""",
        1.8: r"""
\bweather\b|\brain\b|\btemperature\b|\bsnow\b|\bforecast\b|\bwhat time\b|\btime (?:is|in|zone|difference|now)\b
|\b(?:current|local|central|pacific|eastern) time\b|\bwhat(?:['’]?s| is)? (?:the )?(?:day|date)\b
|\bis it (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\brecipes?\b|\bcook\w*\b|\broast\b|\brestaurants?\b|\btrain\b
|\btaxi\b|\buber\b|\btickets?\b|\btraffic\b|\bdirections?\b|\bnear(?:by|est)?\b|\bmeetings?\b|\bappointments?\b
|\bevents?\b|\bmovies?\b|\btweet\b|\bfacebook\b|\btwitter\b|\bcontacts?\b|\bcoffee\b|\bvacuum\b|\bshould\b
|\bis .* better\b|\bbetter\b.*\bthan\b|\bpdf\b|\bofficial site\b|\bconcert\b|\btheater\b|\bumbrella\b|\bjacket\b
\bmy\b|\b(?:do|am|can|could|should|will|did|have) i\b|\bi (?:want|need|have|would)\b
\bbest\b
""",
    },
}
ENGLISH_CUES = tuple(
    (kind, weight, re.compile(expression, re.IGNORECASE))
    for kind, groups in _CUES.items()
    for weight, expressions in groups.items()
    for expression in expressions.strip().replace("\n|", "|").splitlines()
)
