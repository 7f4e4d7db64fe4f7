"""A surface: what an agent may ask, over the Model Context Protocol. Nothing that only a person may do is in here."""
