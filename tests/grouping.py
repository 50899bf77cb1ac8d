"""Which tests run one after another in one worker of xdist, and which begin first.

A file is a group, as its fixtures of the module are filled once. Files that share an engine share
a group too: engines take seconds to start, and stories minutes to fill. The longest groups begin first,
by the seconds that `pytest --write-seconds` has noted.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

SECONDS = Path(__file__).with_name("seconds.json")
GUESSED_SECONDS = {
    "chaos": 120,
    "deploy": 60,
    "agents": 20,
    "page": 8,
    "e2e": 10,
    "workflows": 2,
    "replay": 0.5,
}
"""How long a test of a folder takes whose file nobody has measured yet; of all others a moment."""

MOMENT = 0.2

LANES = {"place": 1, "engine": 2, "whole_engine": 4, "image": 1, "agents": 2}
"""How many groups the tests of each shared thing make.

There are more than are run at a time, so that no worker waits at the end for another's last group.
Those of real agents are few, as agents that run at once starve each other.
"""


def file_of(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def shared_by(item: pytest.Item) -> str:
    """Return what a test shares with tests of other files, empty where that is nothing dear."""
    if item.get_closest_marker("agents"):
        return "agents"
    fixtures = getattr(item, "fixturenames", ())
    in_page = Path(item.fspath).parent.name == "page"
    names = ("place", "engine") if in_page else ("whole_engine", "image")
    return next((name for name in names if name in fixtures), "")


def expected_seconds(items: Iterable[pytest.Item], known: dict[str, float]) -> dict[str, float]:
    """Return how long each file takes, as it was measured or else as its folder and tests let expect."""
    tests = Counter(file_of(item) for item in items)
    return {file: known.get(file) or guessed(file) * count for file, count in tests.items()}


def guessed(file: str) -> float:
    """Return how long a test of a file may take."""
    return next((GUESSED_SECONDS[p] for p in Path(file).parts if p in GUESSED_SECONDS), MOMENT)


def lanes_of(files: Iterable[str], count: int, seconds: dict[str, float]) -> dict[str, int]:
    """Spread files over lanes so that all take about as long."""
    filled = dict.fromkeys(range(count), 0.0)
    lanes: dict[str, int] = {}
    for file in sorted(files, key=lambda file: (-seconds.get(file, MOMENT), file)):
        lane = min(range(count), key=lambda lane: filled[lane])
        lanes[file] = lane
        filled[lane] += seconds.get(file, MOMENT)
    return lanes


def group(items: list[pytest.Item]) -> None:
    """Mark each test with its group, and put the groups into their order, the longest first."""
    known: dict[str, float] = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    seconds = expected_seconds(items, known)
    shared = {item: shared_by(item) for item in items}
    lanes = {
        name: lanes_of({file_of(i) for i in items if shared[i] == name}, count, seconds)
        for name, count in LANES.items()
    }
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        file, name = file_of(item), shared[item]
        key = f"{name}-{lanes[name][file]}" if name else file
        groups.setdefault(key, []).append(item)
    for key, members in groups.items():
        for item in members:
            item.add_marker(pytest.mark.xdist_group(key))

    def length(members: list[pytest.Item]) -> float:
        return sum(seconds[file] for file in {file_of(i) for i in members})

    items[:] = [
        item for members in sorted(groups.values(), key=length, reverse=True) for item in members
    ]
