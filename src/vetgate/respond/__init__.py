"""What vetgate does at each kind of event. Services import one module of it, and not all that a hook call takes."""
