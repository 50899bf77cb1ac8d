"""How agents stand: judged from files, corrected by what a try told, until something changes."""

import os
from datetime import UTC, datetime

import pytest

from adapters.agent_programs.host import Host
from adapters.agent_programs.known_agents import key_of
from adapters.agent_programs.statuses import AgentStatuses
from adapters.files.agent_profiles import AgentFiles
from domain.agents.checks import Capabilities, CheckKind, CheckResult, Seen
from domain.agents.errors import AgentNotInstalledError
from domain.agents.offers import OfferedOption, OfferedValue
from domain.agents.status import LoginState

NOW = datetime(2026, 11, 22, tzinfo=UTC)
PROFILE = """
command: [my-agent, --acp]
environment: [MY_KEY]
set_environment: {MY_MODE: concealed-value}
files: {config.toml: concealed-text}
install: {npm: my-agent@1.2.3}
login:
  variables: [MY_KEY]
  files: [.my/login.json]
  hint: Run `my-agent login`.
"""


class Lab:
    """A host with one agent, `mine`, and variables that a test sets."""

    def __init__(self, folder):
        self.folder = folder
        self.variables = {"PATH": str(folder / "bin"), "HOME": str(folder / "home")}
        (folder / "bin").mkdir()
        (folder / "config" / "agents").mkdir(parents=True)
        self.file = folder / "config" / "agents" / "mine.yaml"
        self.file.write_text(PROFILE)
        self.files = AgentFiles(folder / "config")
        self.host = Host(folder / "data", folder / "programs", folder / "home", self.environment)

    def environment(self, names):
        return {name: self.variables[name] for name in names if name in self.variables}

    def put_program(self):
        program = self.folder / "bin" / "my-agent"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        return program

    def log_in(self):
        file = self.folder / "home" / ".my" / "login.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")

    def status(self, **more):
        return AgentStatuses(self.host, **more).of(self.files.one("mine"))

    def keep(self, kind, *, is_well, needs_login=None, options=()):
        profile = self.files.profile("mine")
        program = self.host.programs.find(profile)
        seen = Seen(
            key=key_of(profile, program),
            at=NOW,
            version="my-agent 1.2.2",
            capabilities=Capabilities(resume=True),
            needs_login=needs_login,
            options=options,
        )
        result = CheckResult(
            kind=kind, is_well=is_well, failure="" if is_well else "log in", at=NOW
        )
        self.host.seen.keep(profile, program, result, seen)

    def fixes(self):
        return [each.fix for each in self.status().missing]


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def test_an_agent_that_is_not_installed_names_the_command_that_installs_it(lab):
    assert lab.status().is_installed is False
    assert lab.fixes() == ["treadle agents install mine"]
    assert not lab.status().is_ready
    with pytest.raises(AgentNotInstalledError, match="treadle agents install mine"):
        AgentStatuses(lab.host).refuse_missing(lab.files.profile("mine"))


def test_what_another_host_would_start_is_not_judged_here(lab):
    assert lab.status(is_here=False).is_installed is None
    AgentStatuses(lab.host, is_here=False).refuse_missing(lab.files.profile("mine"))


def test_a_login_is_a_variable_or_a_file(lab):
    lab.put_program()
    assert (lab.status().login, lab.fixes()) == (LoginState.NO, ["Run `my-agent login`."])
    lab.log_in()
    assert (lab.status().login, lab.status().login_by) == (LoginState.YES, "~/.my/login.json")
    lab.variables["MY_KEY"] = "concealed-key"
    assert lab.status().login_by == "MY_KEY"
    assert lab.status().is_ready
    lab.variables["MY_KEY"] = ""
    assert lab.status().login_by == "~/.my/login.json"


def test_a_try_knows_better_until_the_login_changes(lab):
    lab.put_program()
    lab.log_in()
    lab.keep(CheckKind.TRY, is_well=False, needs_login=True)
    assert lab.status().login is LoginState.NO

    lab.variables["MY_KEY"] = "concealed-key"
    assert lab.status().login is LoginState.YES


def test_an_agent_that_answered_is_logged_in_whatever_is_there(lab):
    lab.put_program()
    lab.keep(CheckKind.TRY, is_well=True, needs_login=False)
    assert lab.status().login is LoginState.YES
    assert lab.status().is_ready


def test_models_that_a_try_told_of_are_known_after_a_look_which_tells_none(lab):
    offered = OfferedOption(option_id="m", category="model", values=(OfferedValue(value="big"),))
    lab.put_program()
    lab.keep(CheckKind.TRY, is_well=True, options=(offered,))
    lab.keep(CheckKind.LOOK, is_well=True)

    assert lab.status().seen.options == (offered,)


def test_what_was_seen_is_of_that_program_only(lab):
    program = lab.put_program()
    lab.keep(CheckKind.LOOK, is_well=True)
    seen = lab.status()
    assert (seen.seen.capabilities.resume, seen.version) == (True, "my-agent 1.2.2")

    os.utime(program, ns=(1, 1))
    assert lab.status().seen is None


def test_a_look_after_a_try_keeps_what_the_try_told(lab):
    lab.put_program()
    lab.log_in()
    lab.keep(CheckKind.TRY, is_well=False, needs_login=True)
    lab.keep(CheckKind.LOOK, is_well=True)
    assert lab.status().tried.failure == "log in"
    assert lab.status().login is LoginState.NO


def test_values_of_variables_and_files_are_never_told(lab):
    lab.put_program()
    lab.variables["MY_KEY"] = "concealed-key"
    details = AgentStatuses(lab.host).details(lab.files.one("mine"))
    assert (details.environment, details.sets, details.files) == (
        ("MY_KEY",),
        ("MY_MODE",),
        ("config.toml",),
    )
    assert "concealed" not in details.model_dump_json()


def test_a_broken_file_stands_with_its_problem(lab):
    lab.file.write_text("comand: [x]\n")
    [missing] = lab.status().missing
    assert "did you mean 'command'?" in missing.what
    assert str(lab.file) in missing.fix


@pytest.mark.parametrize("name", ["scripted", "treadle"])
def test_treadles_own_agents_are_always_installed(lab, name):
    judge = AgentStatuses(lab.host, default_agent=name)
    status = judge.of(lab.files.one(name))
    assert (status.is_installed, status.is_default) == (True, True)
    judge.refuse_missing(lab.files.profile(name))
