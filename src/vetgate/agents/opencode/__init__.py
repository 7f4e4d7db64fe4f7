"""OpenCode, which runs plugins in its own process: ours asks the same hook as with every other agent."""
