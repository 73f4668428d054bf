"""Runs one scenario on one face."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.conformance.bodies import bodies_in
from tests.conformance.contract import canonical, method_named, with_namespace
from tests.conformance.drivers import BUILD_LIMIT_S, Driver
from tests.conformance.errors import broken_promises, comparable, outcome_unknown
from tests.conformance.matching import mismatches
from tests.conformance.places import Places, Proxy
from tests.conformance.scenarios import Scenario, Step
from tests.conformance.templates import Values

UNTIL_LIMIT_S = 20.0
_UNTIL_PAUSE_S = 0.02
_OPENED = {"namespace", "timeout_ms", "agent", "conversation"}


class NotOffered(Exception):
    """The face has no such thing, and says why."""


class Run:
    """One run of a scenario. ``answers`` are those of its steps, in order; ``bodies`` all that was stored."""

    def __init__(self, scenario: Scenario, driver: Driver, places: Places, *, root: str, door: str) -> None:
        self._scenario = scenario
        self._driver = driver
        self._places = places
        self._root = root
        self._door = door
        self._proxy: Proxy | None = None
        self._opened: list[str] = []
        self.bodies: set[str] = set()
        self.answers: list[Any] = []

    def __call__(self) -> None:
        """Runs all steps. Raises AssertionError where an answer is not as expected, NotOffered where the face cannot be asked."""
        values = Values({"root": self._root})
        try:
            self._prepare()
            for step in self._scenario.steps:
                self.answers += self._step(step, values)
        finally:
            self._end()

    def _prepare(self) -> None:
        if self._scenario.settings is not None:
            self._open({"open": "settings", "door": "tcp"})
            request = {"namespace": self._root, "settings": self._scenario.settings}
            answer = self._ask("settings", "NamespaceService/UpdateNamespace", request, {})
            assert "error" not in answer, answer
        if self._scenario.open_at_start:
            self._open({"open": "a", "door": self._scenario.door})

    def _end(self) -> None:
        if self._proxy is not None:
            self._proxy.__exit__(None, None, None)
        for client in self._opened:
            self._driver.ask(op="close", client=client)

    def _step(self, step: Step, values: Values) -> list[Any]:
        times = step.get("times", 1)
        found: list[Any] = []
        for number in range(times):
            inner = values.within(i=number, ii=f"{number:02}") if times > 1 else values
            answer = self._once(step, inner)
            if answer is not None and step.get("compare", True):
                found.append(answer)
        return found

    def _once(self, step: Step, values: Values) -> Any:
        if "open" in step:
            return self._open(values.fill(step))
        if "close" in step:
            return self._close(step["close"])
        if "proxy" in step:
            return self._disturb(step["proxy"])
        if "together" in step:
            return self._together(step, values)
        if step.get("until"):
            return self._until(step, values)
        return self._asked(step, values)

    def _open(self, step: Mapping[str, Any]) -> None:
        door = step.get("door", "tcp")
        if self._door == "http":
            door = "http-unix" if door == "unix" else "http"
        target = self._places.target(step.get("place", "sidecar"), door)
        if step.get("place") == "proxy":
            target = self._proxied(target)
        said = {"namespace": self._root, **{key: step[key] for key in _OPENED if key in step}}
        answer = self._driver.ask(BUILD_LIMIT_S, op="open", client=step["open"], target=target, **said)
        assert answer.get("ok"), answer
        self._opened.append(step["open"])

    def _close(self, client: str) -> None:
        """Closes a client that stays there, closed; it is closed again at the end."""
        answer = self._driver.ask(op="close", client=client, keep=True)
        if "unsupported" in answer:
            raise NotOffered(answer["unsupported"])
        assert answer.get("ok"), answer

    def _proxied(self, target: str) -> str:
        scheme, _, address = target.rpartition("//")
        if self._proxy is None:
            self._proxy = Proxy(address)
            self._proxy.__enter__()
        return f"{scheme}//{self._proxy.target}" if scheme else self._proxy.target

    def _disturb(self, action: str) -> None:
        assert self._proxy is not None, "no client was opened at the proxy"
        getattr(self._proxy, action)()

    def _together(self, step: Step, values: Values) -> dict[str, Any]:
        branches = [
            (branch, values.within(i=number, ii=f"{number:02}"))
            for branch in step["together"]
            for number in range(step.get("each", 1))
        ]

        def run(branch: list[Step], inner: Values) -> list[Any]:
            return [answer for one in branch for answer in self._step(one, inner)]

        with ThreadPoolExecutor(len(branches)) as pool:
            futures = [pool.submit(run, branch, inner) for branch, inner in branches]
            found = {"together": [future.result() for future in futures]}
        for problem in mismatches(values.fill(step.get("expect", {})), found):
            raise AssertionError(problem)
        return found

    def _until(self, step: Step, values: Values) -> Any:
        end = time.monotonic() + UNTIL_LIMIT_S
        while True:
            try:
                return self._asked(step, values)
            except AssertionError:
                if time.monotonic() > end:
                    raise
            time.sleep(_UNTIL_PAUSE_S)

    def _asked(self, step: Step, values: Values) -> Any:
        client = step.get("client", "a")
        timeout = {"timeout_ms": step["timeout_ms"]} if "timeout_ms" in step else {}
        if "call" in step:
            answer = self._ask(client, step["call"], values.fill(step.get("request", {})), timeout)
        else:
            answer = self._do(client, step["do"], values.fill(step.get("arguments", {})))
        self._check(step, answer, values)
        return {"error": comparable(answer["error"])} if "error" in answer else answer

    def _ask(self, client: str, name: str, request: dict[str, Any], timeout: Mapping[str, int]) -> Any:
        method = method_named(name)
        asked = with_namespace(method, request, self._root)
        self.bodies |= bodies_in(asked)
        answer = self._driver.ask(op="call", client=client, method=f"memslot.v1.{name}", request=asked, **timeout)
        return canonical(method, answer["reply"]) if "reply" in answer else self._failed(answer)

    def _do(self, client: str, verb: str, arguments: dict[str, Any]) -> Any:
        self.bodies |= bodies_in(arguments)
        answer = self._driver.ask(op="do", client=client, verb=verb, arguments=arguments)
        return {"result": answer["result"]} if "result" in answer else self._failed(answer)

    def _failed(self, answer: Mapping[str, Any]) -> Any:
        if "unsupported" in answer:
            raise NotOffered(answer["unsupported"])
        error = dict(answer["error"])
        for problem in broken_promises(error, self.bodies):
            raise AssertionError(problem)
        return {"error": {**error, "outcome_unknown": outcome_unknown(error)}}

    def _check(self, step: Step, answer: Any, values: Values) -> None:
        if "error" in answer and answer["error"]["reason"] in step.get("either", ()):
            return
        if "error" in step:
            expected = {"error": values.fill(step["error"])}
        elif "do" in step:
            expected = {"result": values.fill(step.get("expect", {}))}
        else:
            expected = values.fill(step.get("expect", {}))
        if "error" in answer and "error" not in step:
            raise AssertionError(f"{_named(step)}: failed: {_brief(answer['error'])}")
        for problem in mismatches(expected, answer):
            raise AssertionError(f"{_named(step)}: {problem}")
        for name, path in step.get("save", {}).items():
            values.save(name, _at(answer if "do" not in step else answer["result"], path))


def _named(step: Step) -> str:
    return f"{step.get('call') or 'do ' + step['do']} of {step.get('client', 'a')}"


def _brief(error: Mapping[str, Any]) -> str:
    return f"{error['code']} {error['reason']} {error['metadata']} {error['text'][:600]}"


def _at(answer: Any, path: str) -> Any:
    for key in path.split("."):
        answer = answer[int(key)] if isinstance(answer, list) else answer[key]
    return answer
