"""What was done once, judged now: where edits are taken from, how each is judged, and what it comes to."""
