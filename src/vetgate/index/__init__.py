"""The project index: what is defined where, who calls it and how, and what every function looks like."""
