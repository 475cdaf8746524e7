"""Speed and memory, printed as ratios: ``make bench``."""
