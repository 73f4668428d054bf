"""An agent with a local model: `python examples/local_agent.py MODEL.gguf`. Needs llama-cpp-python (`pip install llama-cpp-python`).

The loop itself takes any function from messages to the model's raw text. Type questions; an empty line ends.
"""

from __future__ import annotations

import argparse

import memslot


# --- the loop ---
def chat(generate, memory, history):
    wanted = ()
    for _ in range(8):
        with memory.turn(str(len(history))):
            prompt = memory.prompt_card().around(history)
            with memory.injected(*wanted, into=prompt):
                output = generate(prompt)
                acted = memory.act(output, lenient=True)
                memory.record_turn(prompt, output)
        history += acted.history(output)
        if not acted:
            break
        wanted = acted.slots
    return output


# --- the end of the loop ---


def main() -> None:
    """Talks, with a memory in the folder ``agent-memory`` that the next run still has."""
    parser = argparse.ArgumentParser(description="A conversation with a local model that has a memory.")
    parser.add_argument("model", metavar="MODEL.gguf")
    args = parser.parse_args()
    from llama_cpp import Llama  # noqa: PLC0415 - the loop needs no particular runtime

    llama = Llama(args.model, n_ctx=8192, verbose=False)
    history: list[object] = []
    with memslot.embedded("agent-memory", namespace="chat", conversation="local") as memory:
        while question := input("> "):
            history.append({"role": "user", "content": question})
            print(
                chat(
                    lambda prompt: llama.create_chat_completion(prompt)["choices"][0]["message"]["content"],
                    memory,
                    history,
                )
            )


if __name__ == "__main__":
    main()
