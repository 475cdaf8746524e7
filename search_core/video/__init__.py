"""Videos: addresses, subtitle files and records are read into a ``VideoContext``.

``YouTubeReader`` is imported from its own module when a video is to be read: it brings the clients of YouTube.
"""

from search_core.domain.video import VideoContext
from search_core.video.address import YouTubeCause, YouTubeError, youtube_video_id
from search_core.video.discovery import discover
from search_core.video.mapping import to_mapping
from search_core.video.readers import Readers, read_upload
from search_core.video.upload import VideoUpload, sample_questions, samples, transcribed_video

VideoContext.readers = Readers()
