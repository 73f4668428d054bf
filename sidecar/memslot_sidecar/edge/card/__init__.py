"""The prompt card: how to use memory, which slots there are, and what changed since."""
