"""Reports as Korean text: lists, summaries, dates, the coverage ledger, and files to take away."""
