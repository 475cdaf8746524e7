"""Speech of videos and recordings into text: sound decoded in a killable process, recognised in pieces and joined."""
