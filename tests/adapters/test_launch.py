"""What an agent is started with: its profile's variables and its user's."""

import json

import pytest

from adapters.acp.launch import Launch
from adapters.files.agent_profiles import AgentFiles
from domain.agents.profiles import AgentProfile
from domain.core.ids import SessionId

NAME = "MY_CONFIG"


def started(folder, own, users):
    """Return the variable of an agent whose profile and user set it."""
    profile = AgentProfile(
        name="mine", command=("mine",), environment=(NAME,), set_environment={NAME: own}
    )
    known = {NAME: users} if users is not None else {}
    launch = Launch(folder / "data", lambda names: {n: known[n] for n in names if n in known})
    return launch.command(profile, SessionId("s-1"), folder).environment[NAME]


def test_two_objects_are_one_and_the_user_has_the_last_word(tmp_path):
    merged = started(tmp_path, '{"a": 1, "b": 2}', '{"b": 3, "c": {"d": 4}}')
    assert json.loads(merged) == {"a": 1, "b": 3, "c": {"d": 4}}


@pytest.mark.parametrize("users", [None, "", "no object", "[]", '"text"', "1"])
def test_what_is_no_object_does_not_replace_the_profiles(tmp_path, users):
    assert started(tmp_path, '{"a": 1}', users) == '{"a": 1}'


def test_a_text_of_the_profile_is_not_replaced(tmp_path):
    assert started(tmp_path, "ours", '{"a": 1}') == "ours"


def test_codex_has_the_shell_that_keeps_its_path_beside_its_users_configuration(tmp_path):
    profile = AgentFiles().profile("codex")
    given = {"CODEX_CONFIG": '{"model": "own"}'}
    launch = Launch(tmp_path / "data", lambda names: {n: given[n] for n in names if n in given})
    made = launch.command(profile, SessionId("s-1"), tmp_path)
    assert json.loads(made.environment["CODEX_CONFIG"]) == {
        "allow_login_shell": False,
        "model": "own",
    }
