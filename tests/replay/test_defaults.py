"""Histories leave out what has its default (`lean_json`), so a default stays what it was."""

from typing import Any, cast

import pytest

from tests.replay.defaults import of_a_fresh_process, recorded


@pytest.fixture(scope="module")
def defaults() -> dict[str, Any]:
    return of_a_fresh_process()


def holds(now: Any, known: Any) -> bool:
    """Tell whether a default is as it was; a model in it may have got fields."""
    if isinstance(now, dict) and isinstance(known, dict):
        both = cast(dict[str, Any], now), cast(dict[str, Any], known)
        return all(name in both[0] and holds(both[0][name], was) for name, was in both[1].items())
    return now == known


def test_no_default_has_changed(defaults: dict[str, Any]):
    known = recorded()
    now = {name: value for name, value in defaults.items() if name in known}
    changed = [name for name, value in now.items() if not holds(value, known[name])]
    assert not changed, f"histories would be read otherwise: {changed}"


def test_every_default_is_written_down(defaults: dict[str, Any]):
    missing = defaults.keys() - recorded().keys()
    assert not missing, f"run `python -m tests.replay.defaults`: {sorted(missing)}"
