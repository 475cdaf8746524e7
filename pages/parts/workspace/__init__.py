"""The thread over a video."""
