"""An agent with a hosted model: `python examples/hosted_agent.py --url http://127.0.0.1:8000/v1/ --model NAME`.

Any service with OpenAI's chat completions will do; the key is taken from OPENAI_API_KEY. Needs httpx (`pip install httpx`).
Type questions; an empty line ends.
"""

from __future__ import annotations

import argparse
import os

import httpx

import memslot

MODEL = "gpt-4o-mini"


# --- the loop ---
def chat(http, memory, history):
    tools, wanted = memory.tool_schemas(), ()
    for _ in range(8):
        with memory.turn(str(len(history))):
            prompt = memory.prompt_card(with_schemas=True).around(history)
            with memory.injected(*wanted, into=prompt):
                reply = http.post("chat/completions", json={"model": MODEL, "messages": prompt, "tools": tools}).json()
                message = reply["choices"][0]["message"]
                acted = memory.act(message)
                memory.record_turn(prompt, message, schemas=tools, usage=reply["usage"])
        history += acted.history(message)
        if not acted:
            break
        wanted = acted.slots
    return message["content"]


# --- the end of the loop ---


def service(url: str, key: str = "") -> httpx.Client:
    """A connection to the service at ``url``; an answer that is none raises."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    hooks = {"response": [httpx.Response.raise_for_status]}
    return httpx.Client(base_url=url, headers=headers, event_hooks=hooks, timeout=120)


def main() -> None:
    """Talks, with a memory in the folder ``agent-memory`` that the next run still has."""
    parser = argparse.ArgumentParser(description="A conversation with a hosted model that has a memory.")
    parser.add_argument("--url", required=True)
    parser.add_argument("--model", default=MODEL)
    args = parser.parse_args()
    globals()["MODEL"] = args.model
    history: list[object] = []
    with (
        memslot.embedded("agent-memory", namespace="chat", conversation="hosted") as memory,
        service(args.url, os.environ.get("OPENAI_API_KEY", "")) as http,
    ):
        while question := input("> "):
            history.append({"role": "user", "content": question})
            print(chat(http, memory, history))


if __name__ == "__main__":
    main()
