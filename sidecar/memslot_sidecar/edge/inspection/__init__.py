"""Bodies in prompts: fingerprints of what is stored, and where a prompt holds any of it."""
