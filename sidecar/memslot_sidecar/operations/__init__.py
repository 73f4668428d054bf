"""One file a use case: validation, limits, ordering and preconditions, once for every backend and every way in."""
