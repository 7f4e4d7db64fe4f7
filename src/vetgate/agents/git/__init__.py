"""Git: its hooks call us with words and lines."""
