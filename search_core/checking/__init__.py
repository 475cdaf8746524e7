"""Whether the web bears out what a video says: one claim, a whole video, an answer."""
