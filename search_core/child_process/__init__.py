"""Work on strangers' bytes in processes that can be killed: ``pool`` is this side of them, ``serving`` the other."""
