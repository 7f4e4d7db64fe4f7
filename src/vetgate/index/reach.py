"""For whom a definition is, where it is not for everybody: the words that languages share."""

from __future__ import annotations

# For its class, for heirs as well, for its package, for its file; and what may see more than its own module in Rust.
PRIVATE, PROTECTED, PACKAGE, FILE = "private", "protected", "package", "file"
CRATE, SUPER = "crate", "super"
