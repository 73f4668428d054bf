"""Bodies on their way into one prompt, and out of the history again."""
