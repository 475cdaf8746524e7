"""The nouns that cross room borders, all frozen; each module's own names are named here, too."""

from search_core.domain.claim import *
from search_core.domain.conversation import *
from search_core.domain.query import *
from search_core.domain.reply import *
from search_core.domain.report import *
from search_core.domain.research import *
from search_core.domain.result import *
from search_core.domain.scorer import *
from search_core.domain.stance import *
from search_core.domain.transcription import *
from search_core.domain.video import *
