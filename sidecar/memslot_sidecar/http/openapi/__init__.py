"""/openapi.json: what there is by HTTP, told from the contract's descriptors and comments."""
