"""Videos: addresses, subtitle files and records are read into a ``VideoContext``."""

from search_core.domain.video import VideoContext, VideoReaders
from search_core.runtime import Lazy


def _readers() -> VideoReaders:
    from search_core.video.readers import Readers  # brings the parsers of files, which no search needs

    return Readers()


VideoContext.readers = Lazy(_readers)

__all__ = ["VideoContext"]
