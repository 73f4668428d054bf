"""The audit trail: one event an operation as a line of JSON, never a body; those of mutations follow the change feed."""
