"""The pages of the app: one script for each, and their shared parts."""
