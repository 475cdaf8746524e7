"""Deep research: a question planned, searched in parts, read up on and answered in a report with cited sentences."""
