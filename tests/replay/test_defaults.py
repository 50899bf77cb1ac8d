"""Histories leave out what has its default (`lean_json`), so a default stays what it was."""

from tests.replay.defaults import defaults, recorded


def test_no_default_has_changed():
    known, now = recorded(), defaults()
    changed = [name for name in known if name in now and now[name] != known[name]]
    assert not changed, f"histories would be read otherwise: {changed}"


def test_every_default_is_written_down():
    missing = defaults().keys() - recorded().keys()
    assert not missing, f"run `python -m tests.replay.defaults`: {sorted(missing)}"
