"""Prompts that stay flat: `python -m examples.flat_prompt [--plot FILE.svg]`.

An agent with 1,000 memories of 200 characters talks for 50 turns. Its model is scripted; everything else is real: the prompt card, the
actions, the receipts, and the books of each turn. In every turn the model reads one memory and writes another. A prompt holds the system
message, the card, the last three exchanges with their receipts, and the question; what was read goes to the application.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import deque
from pathlib import Path

import memslot

TURNS, MEMORIES, CHARACTERS = 50, 1_000, 200
CARD_CHARS = 900
EXCHANGES = 3
SYSTEM = "You plan journeys for a travel agency. Answer in one sentence."


def main() -> int:
    """Prints the table, and draws the picture if one is asked for."""
    parser = argparse.ArgumentParser(
        description="Prompt sizes over 50 turns, with memslot and with all memory inlined."
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw a picture, .png or .svg (needs memslot[report])"
    )
    args = parser.parse_args()
    report = run()
    show(report)
    if args.plot is not None:
        from memslot_sidecar.commands.report_plot import draw  # noqa: PLC0415 - an extra

        draw(report, args.plot, characters=False)
    return 0


def run(turns: int = TURNS, memories: int = MEMORIES, characters: int = CHARACTERS) -> memslot.TokenReport:
    """Talks, and returns the report on all turns."""
    settings = {"slot_limit": memories, "body_limit_bytes": 4 * characters}
    with memslot.embedded(namespace="flat", conversation="talk", settings=settings) as memory:
        for number in range(memories - 1):
            memory.write(
                f"fact_{number:04}", prose(characters, number), description=f"what is known of customer {number}"
            )
        memory.write("progress", prose(characters, memories))
        exchanges: deque[str] = deque(maxlen=EXCHANGES)
        for turn in range(1, turns + 1):
            with memory.turn(f"{turn:03}"):
                exchanges.append(exchange(memory, turn, exchanges, characters))
        return memory.token_report(limit=turns)


def exchange(memory: memslot.Memory, turn: int, exchanges: deque[str], characters: int) -> str:
    """One call of the model, booked: returns what the history keeps of it, the question, the answer, and the receipts."""
    card = memory.prompt_card(max_chars=CARD_CHARS)
    question = f"User: what should customer {turn:03} do next?"
    prompt = "\n\n".join(part for part in (SYSTEM, card.text, *exchanges, card.tail, question) if part)
    output = says(turn, prose(characters, 10_000 + turn))
    acted = memory.act(output)
    memory.record_turn(prompt, output)
    return f"{question}\nAssistant: {acted.user_text.strip()}\n{acted.model_text}"


def says(turn: int, note: str) -> str:
    """What the model says: an answer, and two actions."""
    actions = [
        {"action": "mem_read", "slot": f"fact_{turn:04}"},
        {"action": "mem_write", "slot": "progress", "value": note},
    ]
    return "Take the early train and call the hotel.\n" + "\n".join(map(json.dumps, actions))


def prose(characters: int, seed: int) -> str:
    """A text of a length, different for each seed."""
    rng = random.Random(seed)
    text = ""
    while len(text) < characters:
        text += "".join(rng.choices("aeioulmnrst", k=rng.randrange(3, 9))) + " "
    return text[: characters - 1] + "."


def show(report: memslot.TokenReport) -> None:
    """Prints every fifth turn, and the verdict."""
    print(
        f"{'turn':>5} {'prompt, characters':>20} {'tokens':>8} {'inlined, characters':>20} {'tokens':>8} {'times smaller':>14}"
    )
    for account in [report[0], *report[4::5]]:
        sent, inlined = account.prompt, account.inlined
        ratio = inlined.characters / sent.characters
        print(
            f"{account.turn:>5} {sent.characters:>20,} {sent.tokens:>8,} {inlined.characters:>20,} {inlined.tokens:>8,} {ratio:>14.1f}"
        )
    print(f"tokens are counted by {report[0].token_counter}")
    print(report.verdict_text)


if __name__ == "__main__":
    raise SystemExit(main())
