"""Understanding a question in its video: what it asks, what it leaves to the video, and the query that says both."""
