"""A server that gives canned answers over real gRPC: for what is hard to bring a sidecar to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import grpc
from google.protobuf.message import Message

from memslot._core import methods
from memslot._core.methods import AnyMethod

Canned = Message | Iterable[Message]
_METHODS = {made.name: made for made in vars(methods).values() if isinstance(made, methods.Method)}


class CannedSidecar:
    """Answers each method (`Service/Method`) with its message, or streams its messages; a context manager. `requests` is what was asked."""

    def __init__(self, answers: Mapping[str, Canned]) -> None:
        self.requests: list[Any] = []
        self._server = grpc.server(ThreadPoolExecutor(2))
        for name, answer in answers.items():
            service, _, rpc = name.partition("/")
            handler = grpc.method_handlers_generic_handler(
                f"memslot.v1.{service}", {rpc: self._handler(_METHODS[name], answer)}
            )
            self._server.add_generic_rpc_handlers([handler])
        self.target = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> CannedSidecar:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop(None).wait()

    def _handler(self, method: AnyMethod, answer: Canned) -> Any:
        def reply(request: Message, context: Any) -> Any:
            self.requests.append(request)
            return answer if isinstance(answer, Message) else iter(answer)

        stream = not isinstance(answer, Message)
        make: Any = grpc.unary_stream_rpc_method_handler if stream else grpc.unary_unary_rpc_method_handler
        return make(
            reply, request_deserializer=method.request.FromString, response_serializer=method.reply.SerializeToString
        )
