"""Cursor. From its documents of November 2026: it was not run against this."""
