"""Where the lines of the audit trail go."""
