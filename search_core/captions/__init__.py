"""What subtitle files are made of: cues, their times and their markup."""

from search_core.captions.cues import Cue, holds_cues, is_webvtt, read_cues
from search_core.captions.markup import plain_lines, voices
from search_core.captions.timing import subtitle_seconds

__all__ = ["Cue", "holds_cues", "is_webvtt", "plain_lines", "read_cues", "subtitle_seconds", "voices"]
