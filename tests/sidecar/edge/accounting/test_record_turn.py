"""The books of a turn: what a prompt is made of, and what it would be with all memory in it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from tests.sidecar.edge.accounting.agent import SYSTEM, carded, filler, injected, memory, writing

import memslot
from memslot import errors
from memslot_sidecar.edge.accounting.counters import counter_of
from memslot_sidecar.edge.injection.delimiting import Shown, delimit
from memslot_sidecar.model import Origin

SCHEMA = {"type": "function", "function": {"name": "mem_read", "description": "reads", "parameters": {}}}
FOREIGN = {"name": "get_weather", "description": "of a town", "input_schema": {}}


@pytest.mark.parametrize("counter", ["chars", "estimate", "o200k"])
def test_a_prompt_without_memory(counter: str) -> None:
    """A prompt that has nothing to do with memory is all rest, counted by the counter that is named."""
    with memory() as mem:
        account = mem.record_turn(SYSTEM, "Hello!", turn="1", token_counter=counter)
    count = counter_of(counter).count
    assert account.prompt == memslot.Amount(len(SYSTEM), count(SYSTEM))
    assert account.output == memslot.Amount(6, count("Hello!"))
    assert account.inlined == account.prompt
    assert (account.turn, account.conversation, account.token_counter) == ("1", "c", counter)
    assert (account.slots, account.body_bytes_outside) == (0, 0)


def test_messages_count_as_their_texts() -> None:
    """Of messages all texts are counted, schemas with them; of the schemas those of memory actions are instruction."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": [{"type": "text", "text": "你好"}]}]
    texts = ["system", SYSTEM, "user", "text", "你好"]
    with memory() as mem:
        account = mem.record_turn(messages, turn="1", schemas=[SCHEMA, FOREIGN], token_counter="chars")
    own, both = (len(json.dumps(schemas, separators=(",", ":"))) for schemas in ([SCHEMA], [SCHEMA, FOREIGN]))
    assert account.prompt.characters == sum(map(len, texts)) + both
    assert account.instruction.characters == own
    assert account.inlined.characters == account.prompt.characters - own


def test_every_part_of_a_prompt_is_told_apart() -> None:
    """Card, receipts, injections of this turn and leaked bodies are counted apart; what is left and all live bodies is the inlined prompt."""
    leaked, shown, inside = filler(300, 1), filler(200, 2), filler(500, 3)
    card = "Memory is outside. Slots: leaked, shown, inside"
    with memory() as mem:
        mem.write("leaked", leaked)
        mem.write("shown", shown)
        acted = mem.act("Sure. " + writing("inside", inside), turn="1")
        receipt = acted.model_text
        injection = injected(mem, "shown", "2")
        rest = f"{SYSTEM}\n\n\nbook a train\n"
        prompt = f"{SYSTEM}\n{card}\n{receipt}\nbook a train\n{leaked}{injection}"
        account = mem.record_turn(prompt, "Done.", turn="2", card=card, token_counter="chars")
        first = mem.record_turn(SYSTEM, "Sure. " + writing("inside", inside), turn="1", token_counter="chars")
    assert account.prompt.characters == len(prompt)
    assert account.instruction.characters == len(card)
    assert account.receipts.characters == len(receipt)
    assert account.leaked.characters == pytest.approx(len(leaked), abs=2)
    assert account.injected.characters == len(injection)
    assert account.inlined.characters == pytest.approx(len(rest) + 1_000, abs=2)
    assert (account.slots, account.body_bytes_outside) == (3, 1_000)
    assert account.actions == memslot.Amount()
    assert first.actions.characters == len(writing("inside", inside))
    assert first.actions.tokens == first.actions.characters


@pytest.mark.parametrize("language", [1, 2])
def test_the_kept_card_and_its_tail_are_instruction(language: int) -> None:
    """The card that the server keeps for the conversation is found without being told, and so is what it says to have changed since."""
    with memory() as mem:
        mem.write("a", filler(200))
        card = carded(mem, language).card
        mem.write("b", filler(200, 1))
        tail = carded(mem, language).tail
        assert tail
        account = mem.record_turn(
            [
                {"role": "system", "content": f"{SYSTEM}\n{card}"},
                {"role": "user", "content": f"{tail}\nWhat now?"},
            ],
            turn="1",
        )
    assert account.instruction.characters == len(card) + len(tail)
    rest = len("system") + len(SYSTEM) + 1 + len("user") + len("\nWhat now?")
    assert account.inlined.characters == rest + 400


def test_an_injection_of_another_turn_leaks() -> None:
    """What an injection showed for an earlier turn is a leak when it is still in the prompt."""
    body = filler(300)
    with memory() as mem:
        mem.write("a", body)
        left = delimit(body, Shown("a", Origin.USER)).text
        account = mem.record_turn(f"{SYSTEM}\n{left}", turn="3", token_counter="chars")
    assert account.injected == memslot.Amount()
    assert account.leaked.characters >= len(body)


@pytest.mark.parametrize("form", ["text", "openai", "anthropic", "one text"])
def test_actions_in_the_history_are_memslots(form: str) -> None:
    """An action that an earlier turn wrote, and whose value was overwritten since, is no part of the inlined prompt, in any form."""
    old, said = filler(400, 1), "Noted!"
    action = writing("plan", old)
    arguments = {"slot": "plan", "value": old}
    message = {
        "text": {"role": "assistant", "content": f"{said}{action}"},
        "openai": {
            "role": "assistant",
            "content": said,
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "mem_write", "arguments": json.dumps(arguments)}}
            ],
        },
        "anthropic": {
            "role": "assistant",
            "content": [
                {"type": "text", "text": said},
                {"type": "tool_use", "id": "1", "name": "mem_write", "input": arguments},
            ],
        },
        "one text": f"{SYSTEM}{said}{action}",
    }[form]
    messages = [{"role": "system", "content": SYSTEM}, message]
    with memory() as mem:
        mem.act(action, turn="1")
        mem.write("plan", "short")
        account = mem.record_turn(message if isinstance(message, str) else messages, turn="2", token_counter="chars")
    assert account.inlined.characters < len(SYSTEM) + 100
    assert account.prompt.characters > 400


def test_receipts_are_told_by_length_and_name() -> None:
    """Only lines that a turn of this conversation got are receipts: those of other conversations, and lines like them, are not."""
    with memory() as mem:
        mem.act(writing("user_pref", "x"), turn="1")
        mem.act('{"action": "mem_lookup"}', turn="2")
        history = "stored user_pref\nstored user_prefs\nstore user_pref\nnames: user_pref\nname: user_pref\n"
        account = mem.record_turn(history, turn="3", token_counter="chars")
    assert account.receipts.characters == len("stored user_pref") + len("names: user_pref")
    with memory(conversation="other") as mem:
        assert mem.record_turn(history, turn="3").receipts == memslot.Amount()


def test_refusals_name_the_field_and_the_remedy() -> None:
    """A turn without a name, a prompt in no form or two, a card that is not there, and an unknown counter are refused and not booked."""
    with memory() as mem:
        for field, call in {
            "turn": lambda: mem.record_turn("p"),
            "prompt": lambda: mem.record_turn("", turn="1"),
            "card": lambda: mem.record_turn("p", turn="1", card="never sent"),
            "token_counter": lambda: mem.record_turn("p", turn="1", token_counter="gpt-9"),
            "schemas_json": lambda: mem.record_turn("p", turn="1", schemas="{"),
            "usage.prompt_tokens": lambda: mem.record_turn("p", turn="1", usage={"prompt_tokens": -1}),
            "usage.cached_tokens": lambda: mem.record_turn("p", turn="1", usage={"cached_tokens": 2**63 - 1}),
        }.items():
            with pytest.raises(errors.InvalidField) as refused:
                call()
            assert refused.value.field == field
            assert "never sent" not in str(refused.value)
        with mem.turn("of the context"):
            assert mem.record_turn("p").turn == "of the context"
        assert len(mem.token_report()) == 1


def test_a_turn_that_is_recorded_again_is_booked_anew() -> None:
    """The later account of a turn takes the place of the earlier one."""
    with memory() as mem:
        mem.record_turn("p" * 100, turn="1")
        mem.record_turn("p" * 10, turn="1")
        assert [one.prompt.characters for one in mem.token_report()] == [10]


def test_live_bodies_follow_every_change() -> None:
    """After any change the live bodies are those of the store: written, overwritten, appended, forgotten, expired, in any counter."""
    rng = random.Random(4)
    with memory(slot_limit=300) as mem:
        bodies: dict[str, str] = {}
        for step in range(120):
            name = f"s{rng.randrange(30)}"
            match rng.randrange(4):
                case 0:
                    mem.forget(name)
                    bodies.pop(name, None)
                case 1 if name in bodies:
                    mem.append(name, "더")
                    bodies[name] += "더"
                case 2:
                    mem.update_info(name, description=str(step)) if name in bodies else None
                case _:
                    bodies[name] = filler(rng.randrange(1, 400), step)
                    mem.write(name, bodies[name])
            if step % 5 == 0:
                for counter in ("chars", "estimate"):
                    account = mem.record_turn("p", turn="1", token_counter=counter)
                    count = counter_of(counter).count
                    assert account.slots == len(bodies)
                    assert account.body_bytes_outside == sum(len(body.encode()) for body in bodies.values())
                    assert account.inlined.characters == 1 + sum(map(len, bodies.values()))
                    assert account.inlined.tokens == count("p") + sum(map(count, bodies.values()))


def test_no_body_is_in_what_is_kept(tmp_path: Path) -> None:
    """Bodies and prompts are in no report, no log, no audit event and not in the file of turns."""
    canary = "CANARY-7f3a91-" + filler(300)
    with memory(tmp_path) as mem:
        mem.write("a", canary)
        mem.act(writing("b", canary), turn="1")
        account = mem.record_turn(
            [{"role": "user", "content": canary}],
            f"I know {canary}",
            turn="1",
            schemas=[SCHEMA],
            usage={"prompt_tokens": 5},
        )
        told = [repr(account), repr(mem.token_report()), mem.token_report(language="zh").verdict_text]
        told += [problem.text for problem in mem.token_report().problems]
        assert account.leaked.characters > 0
    kept = [path for path in tmp_path.iterdir() if path.name.startswith(("turns.db", "audit"))]
    assert {"turns.db", "audit.jsonl"} <= {path.name for path in kept}
    for text in (*told, *(path.read_bytes().decode("latin-1") for path in kept)):
        assert "CANARY" not in text
        assert canary[40:80] not in text


def test_books_survive_a_restart_and_go_with_their_namespace(tmp_path: Path) -> None:
    """A restarted sidecar reports the turns of the one before; a namespace that is deleted takes its turns along."""
    with memory(tmp_path) as mem:
        first = mem.record_turn("p" * 50, turn="1", usage=memslot.Usage(12, 3, None))
    with memory(tmp_path) as mem:
        assert list(mem.token_report()) == [first]
        mem.write("a", "b")
        mem.namespaces.delete("n", force=True)
        assert not mem.token_report()
    with memory(tmp_path) as mem:
        assert not mem.token_report()


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
            memslot.Usage(9, 4, 2),
        ),
        ({"input_tokens": 9, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 4}}, memslot.Usage(9, 4, 2)),
        (
            {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 3},
            memslot.Usage(8, 4, 2),
        ),
        ({"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 5}, memslot.Usage(9, None, 7)),
        ({}, memslot.Usage()),
    ],
    ids=["chat completions", "responses", "anthropic", "gemini", "silent"],
)
def test_usage_of_providers(said: dict[str, object], expected: memslot.Usage) -> None:
    """What each provider says of a call is read as the same three figures, and stands in the books."""
    assert memslot.Usage.of(said) == expected
    with memory() as mem:
        assert mem.record_turn("p", turn="1", usage=said).usage == expected
