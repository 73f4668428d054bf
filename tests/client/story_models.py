"""Scripted models that play the minimal story: one behind a hosted API, one that is a function from messages to text.

Both know nothing but what stands in the prompt: the name is answered only if the prompt shows it, and never from what the user said.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CANARY = "canary-41c9e0"
BODY = f"The user is Ada Lovelace and wants to be called Countess ({CANARY})"
SLOT = "user_name"
QUESTIONS = ("I am Ada Lovelace, call me Countess.", "Which river flows through Paris?", "What was my name again?")
ANSWERS = ("I will remember that.", "The Seine.", "You are Ada Lovelace, and I call you Countess.")
WRITE = {"slot": SLOT, "value": BODY, "description": "who the user is"}

Prompt = Sequence[Mapping[str, Any]]


def decide(prompt: Prompt) -> tuple[str, dict[str, Any]] | str:
    """An action with its arguments, or an answer."""
    told = [str(message["content"]) for message in prompt if message.get("content")]
    question = max(index for index, text in enumerate(told) if text in QUESTIONS)
    receipts = "\n".join(told[question + 1 :])
    if told[question] == QUESTIONS[0]:
        return ANSWERS[0] if f"stored {SLOT}" in receipts else ("mem_write", WRITE)
    if told[question] == QUESTIONS[1]:
        return ANSWERS[1]
    if f"read {SLOT}" not in receipts:
        listed = any(f'"{SLOT}"' in text for text in told)
        return ("mem_read", {"slot": SLOT}) if listed else "I found no memory of that."
    shown = re.search(r"The user is ([A-Z]\w+ [A-Z]\w+) and wants to be called ([A-Z]\w+)", receipts)
    return f"You are {shown[1]}, and I call you {shown[2]}." if shown else "I found no memory of that."


class LocalModel:
    """A model that writes its actions into its text, as small ones do; ``prompts`` is what it was given."""

    def __init__(self) -> None:
        self.prompts: list[list[Any]] = []

    def __call__(self, prompt: Prompt) -> str:
        """What it says, as raw text."""
        self.prompts.append(json.loads(json.dumps(list(prompt))))
        decided = decide(prompt)
        if isinstance(decided, str):
            return decided
        action, arguments = decided
        return f"Let me see to that.\n```json\n{json.dumps({'action': action, **arguments})}\n```"


class HostedModel:
    """A service with OpenAI's chat completions; ``prompts`` is what it was sent, ``tools`` what it was offered."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.prompts: list[list[Any]] = []
        self.tools: list[str] = []

    def completion(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to a request. Like the real ones it insists that every call is answered before anything else is said."""
        messages = request["messages"]
        self.prompts.append(messages)
        self.tools = [tool["function"]["name"] for tool in request["tools"]]
        for place, message in enumerate(messages):
            for offset, call in enumerate(message.get("tool_calls") or (), start=1):
                assert messages[place + offset]["tool_call_id"] == call["id"]
                assert isinstance(json.loads(call["function"]["arguments"]), dict)
        decided = decide(messages)
        message = {"role": "assistant", "content": decided, "refusal": None}
        if not isinstance(decided, str):
            function = {"name": decided[0], "arguments": json.dumps(decided[1])}
            call = {"id": f"call_{len(self.prompts)}", "type": "function", "function": function}
            message |= {"content": None, "tool_calls": [call]}
        tokens = len(json.dumps(messages)) // 4
        return {
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": tokens, "completion_tokens": 9, "total_tokens": tokens + 9},
        }


@contextmanager
def hosted_model() -> Iterator[HostedModel]:
    """Serves a model on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions"
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            sent = json.dumps(model.completion(request)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_args: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model = HostedModel(f"http://127.0.0.1:{server.server_port}/v1/")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
