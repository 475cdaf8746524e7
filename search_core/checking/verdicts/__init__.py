"""The web's stance to the statements of a video: agreement, addition, contradiction, later change, or none."""
