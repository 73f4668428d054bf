"""The index's own SQLite file: what is indexed, at which revision, and the vectors. All of it can be made anew from the store."""
