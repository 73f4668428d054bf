"""The ways to a sidecar: a gRPC channel, sync or async, or the sidecar in this process."""
