"""What commands print, read for findings with a file and a line, and for how tests went."""
