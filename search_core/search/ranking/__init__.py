"""How relevant a result is to the question and the video, why, and the order of results."""
