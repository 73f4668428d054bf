"""The client without I/O: every method as a generator of calls, which a sync and an async driver perform."""
