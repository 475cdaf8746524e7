"""Query fields that reveal where a reader comes from and change nothing on the page."""

from __future__ import annotations

import re
from collections.abc import Iterable

Fields = list[tuple[str, str]]

_LISTED = """
fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid spm scm _ga _gl _openstat
ref_src ref_url vero_id vero_conv oly_enc_id oly_anon_id wickedid s_kwcid ef_id rb_clickid mkt_tok trk trkcampaign cmpid ncid
ito srnd smid smtyp sr_share __twitter_impression guccounter guce_referrer guce_referrer_sig wt.mc_id wt_mc xtor n_media n_query
n_rank n_match n_network napm nvar cx_testid cx_testvariant cx_artpos cx_experienceid ocid cvid soc_src soc_trk share_id sharer
"""
"""From the published rule sets of ClearURLs and Firefox's query stripping, with Naver's advertising fields."""
_NAMES = frozenset(_LISTED.split())
_PREFIXES = (
    *("utm_", "pk_", "mtm_", "hsa_", "_hs", "matomo_", "piwik_", "ga_", "at_campaign", "at_medium"),
    *("n_ad", "n_camp", "n_keyword"),
)
_SITE_NAMES = re.compile(r"(^|\.)(github|gitlab|bitbucket|codeberg)\.")
"""Sites where ``ref`` names a version of the page."""
_AMP_VALUES = frozenset({"", "1", "true", "amp"})


def without_tracking(host: str, fields: Iterable[tuple[str, str]]) -> Fields:
    """Return the *fields* of a query that choose the page, in order."""
    return [(name, value) for name, value in fields if not _tracks(host, name.lower(), value)]


def _tracks(host: str, name: str, value: str) -> bool:
    if name in ("ref", "referrer", "referer"):
        return _SITE_NAMES.search(host) is None
    if name == "amp":
        return value.lower() in _AMP_VALUES
    if name == "outputtype":
        return value.lower() == "amp"
    return name in _NAMES or name.startswith(_PREFIXES)
