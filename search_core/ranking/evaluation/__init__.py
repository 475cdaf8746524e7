"""The quality of searches by people's labels, and the threshold they recommend."""
