"""The audit trail in a folder, read by rsyslog."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from tests.deploy.logs.proof import reconcile
from tests.deploy.logs.rsyslog import Rsyslog
from tests.deploy.logs.traffic import ODD_NAMES, VALIDATOR, call_all_kinds, key, lines_of, load, once
from tests.system.process import Served, eventually

pytestmark = [pytest.mark.container, pytest.mark.slow]

ROTATIONS = 6
REPEATED_A_KILL = 10
LISTEN = ("--listen", "127.0.0.1:0", "--slot-limit", 1000)


def begin_next_file(served: Served, folder: Path) -> None:
    """Lets the sidecar begin the next file, and waits for it."""
    before = len(list(folder.iterdir()))
    served.signal(signal.SIGHUP)
    eventually(lambda: len(list(folder.iterdir())) > before, "the next file is begun")


def test_a_folder_is_collected_whole_and_once(tmp_path: Path, rsyslogd: str) -> None:
    """Under load, with file after file begun at once and rsyslog restarted in order, each line arrives once, parsed, valid, with its types,
    and as a message of syslog's."""
    with Rsyslog(rsyslogd, tmp_path) as rsyslog:
        assert rsyslog.checked() == ""
        rsyslog.start()
        with Served("--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit", *LISTEN) as served:
            served.ready()
            with load(served):
                call_all_kinds(served)
                for number in range(ROTATIONS):
                    begin_next_file(served, tmp_path / "audit")
                    if number % 2:
                        rsyslog.stop()
                        rsyslog.start()
            assert served.stop() == 0
        files = sorted((tmp_path / "audit").iterdir())
        assert reconcile(tmp_path / "data", *files) == ""
        lines = lines_of(files)
        trail = [json.loads(line) for line in lines]
        eventually(lambda: {*map(key, rsyslog.events())} >= {*map(key, trail)}, "all lines arrive")
        rsyslog.stop()
        events = rsyslog.events()
        assert len(events) == len(trail)
        assert once(events) == trail
        for event in events:
            VALIDATOR.validate(event)
        assert {name for event in events for name in event["names"]} >= set(ODD_NAMES)
        assert rsyslog.unparsed() == []
        told = [re.fullmatch(r"<(18[02]|179)>1 (\S+) \S+ memslot (\S+) (\S+) - (.*)\n", m) for m in rsyslog.messages()]
        assert sorted(match[5] for match in told if match) == sorted(lines)
        for match in filter(None, told):
            event = json.loads(match[5])
            assert match.group(2, 3, 4) == (event["time"], event["instance_id"], event["operation"])
            assert (match[1] == "182") == (event["code"] in ("OK", None))


def test_a_killed_rsyslog_loses_nothing_and_repeats_what_the_event_id_tells(tmp_path: Path, rsyslogd: str) -> None:
    """Killed again and again, with files begun meanwhile and while it is away, rsyslog writes each line at least once; without the repeats,
    which have the same event id and part, the events are those of the trail."""
    with Rsyslog(rsyslogd, tmp_path) as rsyslog:
        with Served("--data-dir", tmp_path / "data", "--audit-file", tmp_path / "audit", *LISTEN) as served:
            served.ready()
            with load(served):
                for _ in range(ROTATIONS):
                    rsyslog.start()
                    received = len(rsyslog.events())
                    eventually(lambda n=received: len(rsyslog.events()) > n, "it collects")
                    rsyslog.kill()
                    begin_next_file(served, tmp_path / "audit")
                    begin_next_file(served, tmp_path / "audit")
            assert served.stop() == 0
        files = sorted((tmp_path / "audit").iterdir())
        assert reconcile(tmp_path / "data", *files) == ""
        trail = [json.loads(line) for line in lines_of(files)]
        rsyslog.start()
        eventually(lambda: {*map(key, rsyslog.events())} >= {*map(key, trail)}, "all lines arrive")
        assert once(rsyslog.events()) == trail
        assert reconcile(tmp_path / "data", "--at-least-once", rsyslog.out / "fields.jsonl") == ""
        assert len(rsyslog.events()) - len(trail) <= REPEATED_A_KILL * ROTATIONS * len(files)
