"""What strangers hand in or put on their pages to do harm; every case is generated."""
