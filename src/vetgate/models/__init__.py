"""Where language models are reached. Imported only when a judge asks: what is in here is heavy, and an extra."""
