"""Gates of all kinds in order, and those with commands: run safely, read for what went wrong, kept with their tree."""
