"""Qwen Code, which began as a fork of Gemini CLI and speaks the words of another agent."""
