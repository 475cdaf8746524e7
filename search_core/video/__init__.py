"""Videos: addresses, subtitle files and records become a ``VideoContext``."""

from search_core.domain import VideoContext
from search_core.video.address import youtube_video_id
from search_core.video.discovery import discover
from search_core.video.file_reading import FileReading, read_upload
from search_core.video.mapping import to_mapping
from search_core.video.readers import Readers
from search_core.video.samples import sample_questions, samples
from search_core.video.transcribed import transcribed_video
from search_core.video.upload import VideoUpload
from search_core.video.youtube import YouTubeReader
from search_core.video.youtube_failure import YouTubeCause, YouTubeError

__all__ = [
    "FileReading",
    "VideoUpload",
    "YouTubeCause",
    "YouTubeError",
    "YouTubeReader",
    "discover",
    "read_upload",
    "sample_questions",
    "samples",
    "to_mapping",
    "transcribed_video",
    "youtube_video_id",
]

VideoContext.readers = Readers()
