"""The driver of the Python client, run as ``python -m tests.conformance.python_driver``."""

from __future__ import annotations

import traceback
from typing import Any

from google.protobuf import json_format
from tests.conformance.driver_loop import Answer, Request, failure, serve
from tests.conformance.python_measuring import measure
from tests.conformance.python_verbs import VERBS

import memslot
from memslot._core.raw import unary_methods


class Clients:
    """The clients that were opened, by name."""

    def __init__(self) -> None:
        self._opened: dict[str, memslot.Memory] = {}
        self._targets: dict[str, str] = {}

    def answer(self, request: Request) -> Answer:
        """Does what one line asks for."""
        operation = getattr(self, f"_{request['op']}")
        try:
            done: Answer = operation(request)
        except (memslot.MemslotError, ValueError, TypeError) as error:
            return {"error": told(error)}
        return done

    def _open(self, request: Request) -> Answer:
        said = {key: request[key] for key in ("namespace", "agent", "conversation", "token") if key in request}
        if "timeout_ms" in request:
            said["timeout"] = request["timeout_ms"] / 1000
        if "ca_file" in request:
            said["tls"] = request["ca_file"]
        self._opened[request["client"]] = memslot.connect(request["target"], **said)
        self._targets[request["client"]] = request["target"]
        return {"ok": True}

    def _close(self, request: Request) -> Answer:
        name = request["client"]
        memory = self._opened[name] if request.get("keep") else self._opened.pop(name)
        memory.close()
        return {"ok": True}

    def _call(self, request: Request) -> Answer:
        method = unary_methods()[request["method"].removeprefix("memslot.v1.")]
        message = json_format.ParseDict(request["request"], method.request())
        timeout = {"timeout": request["timeout_ms"] / 1000} if "timeout_ms" in request else {}
        reply = self._opened[request["client"]].call(method.name, message, **timeout)
        return {"reply": json_format.MessageToDict(reply)}

    def _do(self, request: Request) -> Answer:
        verb = VERBS[request["verb"]]
        return {"result": verb(self._opened[request["client"]], request.get("arguments", {}))}

    def _measure(self, request: Request) -> Answer:
        return {"result": measure(self._targets[request["client"]], request)}


def told(error: Exception) -> dict[str, Any]:
    """An error as the drivers tell it, with all that it would print."""
    text = "\n".join([str(error), repr(error), *traceback.format_exception(error)])
    if not isinstance(error, memslot.MemslotError):
        return failure(code="INVALID_ARGUMENT", kind=type(error).__name__, text=text)
    own = isinstance(error, memslot.OutcomeUnknown | memslot.Unreachable | memslot.ClientClosed)
    return failure(
        code=error.code,
        reason="" if own else error.reason,
        own_reason=error.reason if own else "",
        metadata=error.metadata,
        field=error.field,
        details=[json_format.MessageToDict(detail) for detail in error.details],
        kind=type(error).__name__,
        text=text,
    )


if __name__ == "__main__":
    serve(Clients().answer)
