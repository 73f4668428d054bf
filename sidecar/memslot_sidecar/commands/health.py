"""``memslot health``: whether a sidecar serves; for health checks of containers without a shell, and for scripts that wait."""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING

from memslot_sidecar.commands import printing
from memslot_sidecar.commands.connection import NotReached, Refused, add_connection
from memslot_sidecar.errors import StartupError

if TYPE_CHECKING:
    import grpc

_ABOUT = """Asks a sidecar's grpc.health.v1 whether it serves. That is answered from the first moment on, needs no
credentials, touches no store and leaves no audit event; the address of --health-listen answers it too."""
_EXIT_CODES = (
    "exit codes: 0 it serves; 1 it does not serve now, or has no such service; 2 wrong usage; 6 no sidecar answered"
)
_PAUSE_S = 0.1


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``health``."""
    parser = subparsers.add_parser(
        "health",
        help="ask whether a sidecar serves",
        description=_ABOUT,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--service",
        default="",
        metavar="NAME",
        help="of this service, e.g. memslot.v1.SlotService (default: of the whole)",
    )
    parser.add_argument(
        "--wait", type=float, default=0.0, metavar="SECONDS", help="ask again for so long until it serves (default: 0)"
    )
    add_connection(parser, namespace=False)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Asks. Raises NotReached, or Refused when it does not serve."""
    import grpc  # noqa: PLC0415 - help needs none of it

    target = args.target or os.environ.get("MEMSLOT_TARGET") or "127.0.0.1:7420"
    until = time.monotonic() + args.wait
    options: list[tuple[str, str | int]] = [("grpc.enable_http_proxy", 0), ("grpc.max_reconnect_backoff_ms", 500)]
    if target.startswith("unix:"):
        options.append(("grpc.default_authority", "localhost"))
    with grpc.insecure_channel(target, options) as channel:
        while problem := _problem(channel, target, args):
            if time.monotonic() >= until:
                raise problem
            time.sleep(_PAUSE_S)
    if args.json:
        printing.print_json({"status": "SERVING", "target": target})
    else:
        printing.say("SERVING")
    return 0


def _problem(channel: grpc.Channel, target: str, args: argparse.Namespace) -> StartupError | None:
    """Why the sidecar does not serve; None when it does."""
    import grpc  # noqa: PLC0415
    from grpc_health.v1 import health_pb2  # noqa: PLC0415

    request = health_pb2.HealthCheckRequest(service=args.service)
    check = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        health_pb2.HealthCheckRequest.SerializeToString,
        health_pb2.HealthCheckResponse.FromString,
    )
    try:
        reply = check(request, timeout=args.timeout)
    except grpc.RpcError as error:
        return _failure(error.code(), target, args.service)
    status = health_pb2.HealthCheckResponse.ServingStatus.Name(reply.status)
    return None if status == "SERVING" else Refused(f"the sidecar at {target} says {status}")


def _failure(code: grpc.StatusCode, target: str, service: str) -> StartupError:
    import grpc  # noqa: PLC0415

    if code is grpc.StatusCode.NOT_FOUND:
        return Refused(f"the sidecar at {target} has no service {service}")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return Refused(f"what answers at {target} tells nothing of its health")
    return NotReached(f"no sidecar answered at {target} ({code.name})")
