"""A client in a process of its own, for the tests: writes slots one after the other and prints each name that was acknowledged.

Usage: python writing_client.py ADDRESS NAMESPACE COUNT
"""

from __future__ import annotations

import sys

import grpc

from memslot.v1 import slot_service_pb2, slot_service_pb2_grpc


def main(address: str, namespace: str, count: int) -> None:
    """Writes ``count`` slots, each with its name as its body."""
    with grpc.insecure_channel(address) as channel:
        slots = slot_service_pb2_grpc.SlotServiceStub(channel)
        for number in range(count):
            name = f"of {namespace}: {number}"
            slots.Write(slot_service_pb2.WriteRequest(namespace=namespace, name=name, body=name.encode()), timeout=60)
            sys.stdout.write(name + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
