"""The messages and stubs of the API, generated from `proto/memslot/v1`."""
