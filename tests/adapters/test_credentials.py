"""Which agents share a credential, and so the limits of their provider."""

import pytest

from adapters.agent_programs.credentials import Credentials
from domain.agents.profiles import AgentProfile, Login

ONE, TWO = "key" + "-one", "key" + "-two"


@pytest.fixture
def told(tmp_path):
    """Tell an agent's credential in an environment."""

    def told(profile, model=None, **variables):
        credentials = Credentials(
            tmp_path, lambda names: {n: variables[n] for n in names if n in variables}
        )
        return credentials.of(profile, model)

    return told


def profile(*variables, name="mine", files=(), sets=None, **more):
    login = Login(variables=variables, files=files)
    sets = sets or {}
    return AgentProfile(name=name, command=("x",), login=login, set_environment=sets, **more)


CLAUDE = profile("ANTHROPIC_API_KEY", name="claude", provider="anthropic")
MANY = profile("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", name="many")


def test_agents_with_the_same_key_share_it_and_those_with_another_do_not(told):
    one = told(CLAUDE, ANTHROPIC_API_KEY=ONE)
    assert one
    assert ONE not in one
    assert told(MANY, "anthropic/large", ANTHROPIC_API_KEY=ONE, OPENAI_API_KEY=TWO) == one
    assert told(CLAUDE, ANTHROPIC_API_KEY=TWO) != one
    own = profile("ANTHROPIC_API_KEY", provider="anthropic", sets={"ANTHROPIC_API_KEY": TWO})
    assert told(own, ANTHROPIC_API_KEY=ONE) == told(CLAUDE, ANTHROPIC_API_KEY=TWO)
    assert told(MANY, "google/small", GEMINI_API_KEY=ONE) == one
    assert told(MANY, OPENAI_API_KEY=ONE) == one


def test_the_same_key_at_another_server_is_another_credential(told):
    here = profile("OPENAI_API_KEY", sets={"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"})
    there = profile("OPENAI_API_KEY", sets={"OPENAI_BASE_URL": "http://127.0.0.1:2/v1"})
    other = profile("OPENAI_API_KEY", sets={"SEARCH_BASE_URL": "http://127.0.0.1:2/v1"})
    usual = told(profile("OPENAI_API_KEY"), OPENAI_API_KEY=ONE)
    assert len({told(each, OPENAI_API_KEY=ONE) for each in (here, there)} | {usual}) == 3
    assert told(other, OPENAI_API_KEY=ONE) == usual


def test_what_cannot_be_told_is_no_credential(told):
    keys = {"ANTHROPIC_API_KEY": ONE, "OPENAI_API_KEY": TWO}
    assert told(MANY, **keys) == ""
    assert told(MANY, "mistral/large", **keys) == ""
    assert told(MANY) == ""
    assert told(profile("OLLAMA_HOST"), OLLAMA_HOST="127.0.0.1:1") == ""
    assert told(profile()) == ""


def test_a_login_is_reported_by_where_it_lies(told, tmp_path):
    (tmp_path / "login.json").write_text("{}")
    here = profile("A_KEY", files=("login.json",), environment=("A_HOME",))
    same = profile("A_KEY", files=("login.json",), name="other")
    login = told(here)
    assert login
    assert told(same) == login
    (tmp_path / "login.json").write_text('{"renewed": true}')
    assert told(here) == login
    assert told(here, A_HOME="/elsewhere") not in {login, ""}
    assert told(here, "openai/x") not in {login, told(here, "anthropic/x")}
