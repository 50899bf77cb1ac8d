"""Agent profiles: ours, the user's, a repository's, and what is wrong with one."""

import json
import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from adapters.files.agent_profiles import TRUSTED_AGENTS, AgentFiles
from adapters.files.trusted_files import TrustedFiles
from domain.agents.errors import AgentNotTrustedError
from domain.agents.permissions import is_looking
from domain.agents.profiles import AgentProfile, Scope
from domain.core.errors import InvalidError, NotShownError, UnknownAgentError

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/agents.md"
UNTOLD = {"name", "scope", "is_scripted"}
VENDORS = {"claude", "codex", "gemini", "opencode", "qwen", "goose", "vibe", "copilot"}


@pytest.fixture
def put(tmp_path):
    def write(name, text, folder="agents"):
        path = tmp_path / folder / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return path

    return write


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


@pytest.fixture
def files(tmp_path):
    return AgentFiles(tmp_path, trusted=TrustedFiles(tmp_path / "data", TRUSTED_AGENTS))


@pytest.mark.parametrize(
    ("alias", "name"), [("claude-code", "claude"), ("codex-cli", "codex"), ("gemini-cli", "gemini")]
)
def test_an_agent_is_found_by_another_name_of_its_own(files, alias, name):
    assert files.profile(alias).name == name


def test_an_agent_of_that_name_takes_precedence_over_an_alias(put, files):
    put("claude-code", "command: [mine]")
    assert files.profile("claude-code").command == ("mine",)


@pytest.mark.parametrize("name", ["claude", "claude-code"])
def test_a_users_agent_that_replaces_ours_is_found_by_the_aliases_of_ours(put, files, name):
    put("claude", "command: [mine]")
    assert files.profile(name).command == ("mine",)

    put("claude", "comand: [mine]")
    with pytest.raises(InvalidError, match=r"claude\.yaml can't be used"):
        files.profile(name)


def test_an_alias_of_a_users_agent_takes_precedence_over_one_of_ours(put, files):
    put("mine", "command: [mine]\naliases: [claude-code]\n")
    assert files.profile("claude-code").command == ("mine",)
    assert files.profile("claude").scope is Scope.BUILT_IN


def test_a_repositorys_agent_wins_over_no_name_or_alias_of_another(put, files, repository):
    """Trusted or not: what `claude-code` means is the same in every repository."""
    folder = "repository/.treadle/agents"
    put("claude-code", "command: [evil]\n", folder)
    put("codex", "command: [evil]\naliases: [my-codex]\n", folder)
    put("house", "command: [house]\naliases: [claude, codex-cli, home]\n", folder)

    where = str(repository)
    assert files.one("claude-code", where).name == "claude"
    assert {files.one(n, where).scope for n in ("claude", "codex-cli")} == {Scope.BUILT_IN}
    assert files.one("home", where).name == "house"
    with pytest.raises(UnknownAgentError):  # one that is hidden gives ours no further names
        files.one("my-codex", where)
    hidden = [each.name for each in files.found(where) if each.is_hidden]
    assert hidden == ["claude-code", "codex"]


@pytest.mark.parametrize("name", AgentFiles().names())
def test_each_built_in_profile_can_be_read_and_says_how_to_install_it(name):
    profile = AgentFiles().profile(name)
    assert profile.name == name
    assert profile.scope is Scope.BUILT_IN
    assert profile.title
    assert profile.install_hint
    assert profile.is_scripted or profile.login.variables
    assert profile.is_scripted or profile.login.hint


def test_the_agents_of_all_vendors_are_built_in():
    assert set(AgentFiles().names()) >= VENDORS | {"treadle", "scripted"}


def opencode_says(line):
    """What OpenCode does with a command while it plans: the last pattern that fits counts."""
    profile = AgentFiles().profile("opencode")
    config = json.loads(profile.set_environment["OPENCODE_CONFIG_CONTENT"])
    rules = config["agent"][profile.plan_mode]["permission"]["bash"]
    fitting = [
        rules[pattern]
        for pattern in rules
        if fnmatchcase(line, pattern) or (pattern.endswith(" *") and pattern[:-2] == line)
    ]
    return fitting[-1]


@pytest.mark.parametrize(
    "line", ["pwd", "ls", "ls -la src", "cat README.md", "rg -n main .", "git status", "git log -5"]
)
def test_opencode_may_run_what_only_reads_while_it_plans(line):
    assert is_looking(line)
    assert opencode_says(line) == "allow"


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf x",
        "npm test",
        "git push",
        "git -c core.pager=x log",
        "cat a > b",
        "ls; rm x",
        "ls && rm x",
        "cat a | sh",
        "ls $(touch x)",
        "cat a\nrm b",
        "git diff --output=x",
        "git grep -Oless x",
        "find . -delete",
        "find . -exec rm {} +",
        "rg --pre ./x y",
    ],
)
def test_opencode_is_denied_all_else_while_it_plans_and_asks_nobody(line):
    """It ends its turn where somebody says no."""
    assert not is_looking(line)
    assert opencode_says(line) == "deny"


def test_only_the_scripted_agent_says_it_is_scripted():
    files = AgentFiles()
    assert [n for n in files.names() if files.profile(n).is_scripted] == ["scripted"]


def test_an_unknown_agent_is_refused_with_the_known_ones():
    with pytest.raises(UnknownAgentError, match=r"there are: .*claude,.*codex.*scripted"):
        AgentFiles().profile("nope")


def test_a_users_profile_is_added_or_replaces_ours(files, put):
    put("mine", "command: [my-agent, --acp]\n")
    put("codex", "command: [my-codex]\n")

    assert files.profile("mine").command == ("my-agent", "--acp")
    assert files.profile("codex").command == ("my-codex",)
    assert files.profile("codex").scope is Scope.USER
    found = [(each.scope, each.is_hidden) for each in files.found() if each.name == "codex"]
    assert found == [(Scope.USER, False), (Scope.BUILT_IN, True)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("command: [x]\ntitel: X\n", r"line 2: unknown key 'titel' \(did you mean 'title'\?\)"),
        ("command: [x]\nlogin:\n  hnit: y\n", r"line 3: unknown key 'login.hnit'.*'hint'"),
        ("command: [x]\nquirks:\n  binds_port: true\n", r"line 3: .*did you mean 'binds_ports'"),
        ("command: my-agent\n", "line 1: command: .*tuple"),
        ("command: [x]\nfiles: {../up: y}\n", r"files\.\.\./up: give a path below the folder"),
        ("command: [x]\nown_folders: [/etc]\n", "own_folders.0: give a path below the folder"),
        ("command: [x]\nconnect: [99999]\n", "connect.0: .*65535"),
        ("command: [x]\nenvironment: [A=1]\n", "environment.0: .*pattern"),
        ("command: [x]\nmcp: carrier-pigeon\n", "mcp: .*'auto', 'http' or 'stdio'"),
        ("command: [x]\ninstall: {npm: codex-acp}\n", "install.npm: .*pattern"),
        ("command: [x]\ninstall: {program: x}\n", "install: give either npm or pypi"),
        ("command: [x]\nscope: user\n", "line 2: unknown key 'scope'"),
        ("command: [x]\nname: other\n", "line 2: name: it must be 'mine'"),
        ("title: x\n", "command: it must be given"),
        ("command: []\n", "command: .*at least 1"),
        ("command: [\n", "yaml_syntax"),
        ("a: &b c\n", "yaml_feature_not_allowed"),
    ],
)
def test_what_is_wrong_with_a_profile_is_reported_by_file_line_and_field(files, put, text, told):
    put("mine", text)
    with pytest.raises(InvalidError, match=rf"mine\.yaml can't be used: .*{told}"):
        files.profile("mine")


def test_a_broken_profile_is_listed_with_its_error_and_harms_no_other(files, put):
    put("mine", "comand: [x]\n")
    put("codex", "nonsense\n")

    problems = {each.name: each.problem for each in files.found() if each.problem}

    assert set(problems) == {"mine", "codex"}
    assert "did you mean 'command'?" in problems["mine"]
    assert files.profile("claude").command
    assert files.litter()
    with pytest.raises(InvalidError):  # ours is not taken silently in its place
        files.profile("codex")


def test_a_repositorys_agent_is_used_once_that_very_content_is_trusted(files, put, repository):
    path = put("house", "command: [house-agent]\n", "repository/.treadle/agents")
    inside = repository / "src"
    inside.mkdir()

    with pytest.raises(UnknownAgentError):
        files.profile("house")
    with pytest.raises(AgentNotTrustedError, match="treadle agents trust house"):
        files.profile("house", str(inside))
    shown = files.one("house", str(repository))
    assert (shown.scope, shown.is_trusted) == (Scope.REPOSITORY, False)

    files.trust("house", str(repository), shown.content_hash, "ada")
    assert files.profile("house", str(inside)).command == ("house-agent",)

    path.write_text("command: [house-agent, --more]\n")
    with pytest.raises(AgentNotTrustedError):
        files.profile("house", str(repository))
    with pytest.raises(NotShownError):
        files.trust("house", str(repository), shown.content_hash, "ada")


def test_a_repositorys_agent_never_replaces_another_of_its_name(files, put, repository):
    put("codex", "command: [evil]\n", "repository/.treadle/agents")

    assert files.profile("codex", str(repository)).command == ("codex-acp",)
    found = [each for each in files.found(str(repository)) if each.name == "codex"]
    assert [(each.scope, each.is_hidden) for each in found] == [
        (Scope.BUILT_IN, False),
        (Scope.REPOSITORY, True),
    ]
    with pytest.raises(InvalidError, match="only a repository's"):
        files.trust("codex", str(repository), found[1].content_hash, "ada")


def test_a_link_in_a_repository_leads_to_no_agent(files, put, repository, tmp_path):
    put("outside", "command: [x]\n", "elsewhere")
    folder = repository / ".treadle" / "agents"
    folder.mkdir(parents=True)
    (folder / "linked.yaml").symlink_to(tmp_path / "elsewhere" / "outside.yaml")

    found = next(each for each in files.found(str(repository)) if each.name == "linked")
    assert "symbolic link" in found.problem


def test_an_agent_is_added_by_its_command_and_never_replaced(files):
    files.add("mine", ["./my-agent", "--acp"], title="Mine", environment=["MY_KEY"])

    profile = files.profile("mine")
    assert (profile.command, profile.environment) == (("./my-agent", "--acp"), ("MY_KEY",))
    for taken in ("mine", "codex"):
        with pytest.raises(InvalidError, match="already"):
            files.add(taken, ["other"], title="", environment=[])
    with pytest.raises(InvalidError, match="its name must be"):
        files.add("../up", ["x"], title="", environment=[])


def test_the_profile_on_the_page_is_one(files, put):
    put("local-codex", re.search(r"```yaml\n(.*?)```", PAGE.read_text(), re.DOTALL)[1])

    profile = files.profile("local-codex")
    assert profile.command == ("codex-acp",)
    assert 'wire_api = "responses"' in profile.files["config.toml"]


def test_a_profile_may_be_a_link_but_not_a_pipe(files, put, tmp_path):
    put("mine", "command: [my-agent]\n")
    (tmp_path / "agents" / "linked.yaml").symlink_to(tmp_path / "agents" / "mine.yaml")
    (tmp_path / "agents" / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "agents" / "pipe.yaml")

    assert files.profile("linked").command == ("my-agent",)
    for name in ("pipe", "loop"):
        with pytest.raises(InvalidError, match=rf"{name}\.yaml"):
            files.profile(name)


def test_the_page_names_every_agent_its_package_and_every_field():
    page = PAGE.read_text()
    profiles = [AgentFiles().profile(name) for name in AgentFiles().names()]
    told = [f"`{profile.name}`" for profile in profiles]
    told += [f"`{profile.install.package}`" for profile in profiles if profile.install]
    told += [f"`{field}`" for field in AgentProfile.model_fields if field not in UNTOLD]
    assert [each for each in told if each not in page] == []
