"""Replaying recorded agent runs: what the prompts would have cost with tool results kept in slots."""
