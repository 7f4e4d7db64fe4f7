"""Claude Code: its hooks' wire format, its settings, its transcripts."""
