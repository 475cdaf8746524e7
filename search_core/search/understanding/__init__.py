"""Understanding a question in its video: its intent, what it leaves out, and the query."""
