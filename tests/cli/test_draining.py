"""`treadle hosts drain`: what is sent, how long is waited, and what is said of what stays."""

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from cli.hosts import draining

DRAIN = "POST /v1/hosts/ab12/drain"
STAYS = {"stream": "thread-a", "reason": "its repository is the folder /srv/a on this host"}


def host(state="draining", **drain):
    """Return a host as the server shows it; one that drains if anything is said of that."""
    found = {"drained": False, "is_answering": True, "at_work": [], "moving": [], "staying": []}
    shown = {**found, **drain} if drain else None
    known = {"host": "ab12", "name": "alpha", "state": state, "silent": False, "threads": []}
    more = {"slots": 2, "labels": [], "agents": [], "silent_seconds": 1.0, "version": "0.1.0"}
    return {**known, **more, "drain": shown}


def run(*arguments):
    return CliRunner().invoke(app, ["hosts", *arguments])


@pytest.fixture(autouse=True)
def _soon(monkeypatch, api, settings):
    del settings
    monkeypatch.setattr(draining, "LOOK_SECONDS", 0.01)
    api.answers[DRAIN] = (200, host(moving=["thread-b"], at_work=["thread-b"]))


def test_it_says_what_has_yet_to_end_and_to_move(api):
    done = run("drain", "ab12")
    assert "At work until their turns end: 1. To move to other hosts: 1" in done.stderr
    assert done.exit_code == 0


def test_it_waits_until_the_host_has_drained_and_names_what_stays(api):
    api.answers["GET /v1/hosts"] = (200, {"hosts": [host(drained=True, staying=[STAYS])]})
    done = run("drain", "ab12", "--wait", "60")
    assert done.exit_code == 0
    assert "alpha has drained. Its worker can be stopped." in done.stderr
    assert "thread-a stays on alpha: its repository is the folder /srv/a" in done.stderr


def test_it_fails_when_the_time_is_over_first(api):
    api.answers["GET /v1/hosts"] = (200, {"hosts": [host(moving=["thread-b"])]})
    assert run("drain", "ab12", "--wait", "1").exit_code == 1


def test_it_ends_when_somebody_takes_the_host_back_meanwhile(api):
    api.answers["GET /v1/hosts"] = (200, {"hosts": [host("up")]})
    done = run("drain", "ab12", "--wait", "60")
    assert isinstance(done.exception, CommandError)
    assert "alpha is up by now" in str(done.exception)


def test_this_machine_is_named_by_its_data_folder(api, settings):
    for arguments in ((), ("ab12", "--here")):
        assert "name a host, or give --here" in str(run("drain", *arguments).exception)
    assert "no worker has run" in str(run("drain", "--here").exception)
    (settings.data_dir / "host-id").write_text("ab12")
    assert run("drain", "--here", "--until-start").exit_code == 0


def test_the_list_says_how_far_it_is(api):
    for shown, words in (
        (host(at_work=["a"], moving=["a", "b"]), "draining: 1 at work, 2 to move"),
        (host(is_answering=False), "draining: its worker has not answered yet"),
        (host(drained=True), "drained"),
    ):
        api.answers["GET /v1/hosts"] = (200, {"hosts": [shown]})
        assert words in " ".join(run().stdout.split())
