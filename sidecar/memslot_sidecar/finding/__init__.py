"""Finding: keeps the index of slots in step with the change feed, and answers searches from it."""
