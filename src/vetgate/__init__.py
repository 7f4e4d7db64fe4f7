"""vetgate: a gate for what AI coding agents write."""

__version__ = "0.1.0"
