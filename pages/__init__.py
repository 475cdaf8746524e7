"""All that knows the screen: one script per page, and the parts they share."""
