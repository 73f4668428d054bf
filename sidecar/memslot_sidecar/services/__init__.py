"""The gRPC services: protobuf to domain and back. One file a service; no rule of the domain lives here."""
