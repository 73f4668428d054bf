"""Every scenario on every face, and all faces compared with each other."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conformance.drivers import BUILD_LIMIT_S, Driver
from tests.conformance.faces import FACES, Face
from tests.conformance.normalising import differences, normalised
from tests.conformance.places import Places
from tests.conformance.running import NotOffered, Run
from tests.conformance.scenarios import Scenario, scenarios
from tests.conformance.table import DIFFERENT, KEY, NOT_OFFERED, NOT_RUN, SAME

_TOLD = "verdict"


@pytest.mark.timeout(BUILD_LIMIT_S + 100)
@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
@pytest.mark.parametrize("face", FACES, ids=lambda face: face.name)
def test_a_scenario_holds_on_each_face_alike(
    face: Face,
    scenario: Scenario,
    places: Places,
    driver_of: Callable[[Face], Driver],
    shared_folder: Path,
    told: dict[str, str],
) -> None:
    """What a scenario promises holds on each face, with the same results and the same reasons as on any other."""
    missing = face.missing()
    if missing:
        told[_TOLD] = NOT_RUN
        assert os.environ.get("CI") != "true", missing
        pytest.skip(missing)
    root = f"conf-{uuid.uuid4().hex[:12]}"
    driver = driver_of(face)
    run = Run(scenario, driver, places, root=root, door=face.door)
    try:
        run()
    except NotOffered as reason:
        if not face.partial:
            pytest.fail(f"{face.name} does not do what every client does: {reason}")
        told[_TOLD] = NOT_OFFERED
        return
    log = driver.written()
    assert [body for body in run.bodies if body in log] == [], "the driver logged a body"
    _compare(shared_folder / scenario.name.replace("/", "."), face.name, normalised(run.answers, root))
    told[_TOLD] = SAME


@pytest.fixture
def told(face: Face, scenario: Scenario, record_property: Callable[[str, object], None]) -> Iterator[dict[str, str]]:
    """Where a test says what became of it; the table shows it."""
    said: dict[str, str] = {}
    yield said
    record_property(KEY, [scenario.name, face.name, said.get(_TOLD, DIFFERENT)])


def _compare(folder: Path, face: str, answers: list[object]) -> None:
    """Leaves the answers for the other faces, whichever worker runs them, and compares with those that are there: of any two faces, the
    later one sees the earlier."""
    folder.mkdir(exist_ok=True)
    mine = json.dumps(answers, indent=1, sort_keys=True, ensure_ascii=False)
    unfinished = folder / f"{face}.part"
    unfinished.write_text(mine, encoding="utf-8")
    unfinished.replace(folder / f"{face}.json")
    for other in sorted(folder.glob("*.json")):
        theirs = json.loads(other.read_text(encoding="utf-8"))
        assert list(differences(answers, theirs)) == [], f"{face} and {other.stem} answer differently"
