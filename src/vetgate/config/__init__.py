"""Configuration: vetgate.yaml over presets, closed, placed and trusted. `schema.Config` is what the rest sees."""
