"""``transcribe FILE``: the speech of a video or a recording as subtitles."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing
from pathlib import Path

from search_core.commands.video_argument import sound_file, transcribe
from search_core.core import SearchCore
from search_core.language.sentences import visible
from search_core.search.presenting.wording import transcript_source
from search_core.settings import Settings
from search_core.video.subtitles import write_vtt


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the transcript of a recording as WebVTT, and notes on standard error."""
    with closing(SearchCore.from_settings(settings)) as core:
        video = transcribe(core, sound_file(Path(args.source)))
    print(visible(write_vtt(video)), end="")
    for note in (transcript_source(video), *video.warnings):
        print(f"· {visible(note)}", file=sys.stderr)
    return 0
