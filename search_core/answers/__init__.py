"""Answers about a video, from its transcript or the web, and the detection of answers that are none."""
