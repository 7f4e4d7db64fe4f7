"""Shell commands: read, expanded and followed as far as they can be known without running anything."""
