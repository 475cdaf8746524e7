"""The steps of a check: the statements of the video, the pages of the web, and what the two come to."""
