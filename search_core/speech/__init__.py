"""Speech of videos and recordings into text: sound decoded in a process that can be killed, recognised in pieces and joined."""
