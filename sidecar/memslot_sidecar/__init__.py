"""The memslot sidecar: slots that survive, names without bodies, one audit event each."""
