"""Whether sources on the web agree with a video's statements, add to them, contradict them, or report a later change."""
