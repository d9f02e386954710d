"""Networks written for other places, one target a file."""
