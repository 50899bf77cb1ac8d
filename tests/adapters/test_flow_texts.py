"""Texts that flows name by a file: found below their folder, and nowhere else."""

import json
import os

import pytest

from adapters.files.flow_files import FlowFiles
from adapters.files.flow_texts import FolderTexts
from domain.flows.problems import FlowTextError

SAYS = {"type": "message", "role": "user", "content": ["By words."]}
READS = {"type": "message", "role": "user", "markdownFile": "parts/one.md"}
PLANNER = {"agentType": "planning_agent", "identifier": "planner"}


def put(root, path, content):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def command(root, folder, name, *items):
    text = json.dumps({"Description": "x", "items": items})
    put(root, f"{folder}/planning_agent/commands/{name}.json", text)


def test_a_text_is_read_below_the_first_folder_that_has_it(tmp_path):
    put(tmp_path, "one/codeinfo_markdown/a.md", "\ufeff First. \r\n")
    put(tmp_path, "two/codeinfo_markdown/a.md", "Second.")
    put(tmp_path, "two/codeinfo_markdown/deep/b.md", "Deep.")
    texts = FolderTexts((tmp_path / "one", tmp_path / "two"))

    assert texts.markdown("a.md") == "First."
    assert texts.markdown("deep/b.md") == texts.markdown("deep\\b.md") == "Deep."


@pytest.mark.parametrize(
    "path", ["../secret.md", "/etc/passwd", "link.md", "folder", "fifo.md", "none.md", "x\0.md"]
)
def test_nothing_else_is_read(tmp_path, path):
    secret = put(tmp_path, "secret.md", "Secret.")
    put(tmp_path, "codeinfo_markdown/folder/x.md", "x")
    (tmp_path / "codeinfo_markdown/link.md").symlink_to(secret)
    os.mkfifo(tmp_path / "codeinfo_markdown/fifo.md")

    with pytest.raises(FlowTextError):
        FolderTexts((tmp_path,)).markdown(path)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe", b"a\0b", b"x" * (256 * 1024 + 1)])
def test_a_text_says_something_in_utf8(tmp_path, content):
    put(tmp_path, "codeinfo_markdown/a.md", content)

    with pytest.raises(FlowTextError):
        FolderTexts((tmp_path,)).markdown("a.md")


def test_an_agents_commands_lie_in_the_newer_folder_or_the_older_one(tmp_path):
    command(tmp_path, "codex_agents", "old", SAYS)
    command(tmp_path, "codex_agents", "both", SAYS)
    command(tmp_path, "codeinfo_agents", "both", READS)
    texts = FolderTexts((tmp_path,))

    assert texts.command("planning_agent", "old")["items"] == [SAYS]
    assert texts.command("planning_agent", "both")["items"] == [READS]


@pytest.mark.parametrize(
    ("agent_type", "name"),
    [("..", "x"), ("planning_agent", "../x"), ("a/b", "x"), ("planning_agent", "none")],
)
def test_an_agent_type_and_a_command_are_names(tmp_path, agent_type, name):
    command(tmp_path, "codex_agents", "x", SAYS)

    with pytest.raises(FlowTextError):
        FolderTexts((tmp_path,)).command(agent_type, name)


def test_a_flow_keeps_the_texts_as_they_are_when_it_is_read(tmp_path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    part = put(tmp_path, "repo/codeinfo_markdown/parts/one.md", "Part one.")
    command(tmp_path / "repo", "codeinfo_agents", "improve", SAYS, READS)
    step = {"type": "command", **PLANNER, "commandName": "improve"}
    put(tmp_path, "repo/flows/x.json", json.dumps({"steps": [step]}))
    files = FlowFiles(built_in=tmp_path / "none/flows")

    flow = files.definition("x", str(tmp_path / "repo"))
    part.write_text("Part two.")

    assert flow.steps[0].messages == ("By words.", "Part one.")
    assert files.definition("x", str(tmp_path / "repo")).steps[0].messages[1] == "Part two."


def test_a_broken_command_is_reported_with_its_place_and_that_of_the_step(tmp_path):
    put(tmp_path, "flows/x.json", json.dumps({"steps": [{"type": "command", **PLANNER, "commandName": "bad"}]}))  # fmt: skip
    put(tmp_path, "codex_agents/planning_agent/commands/bad.json", '{"items":\n[}')

    (problem,) = FlowFiles().one("x", str(tmp_path)).problems

    assert (problem.type, problem.step, problem.line) == ("bad_text", 0, 1)
    assert "bad.json of planning_agent: line 2, column 2" in problem.message


def test_our_own_flows_can_be_read():
    ours = FlowFiles().found(None)

    assert {each.name for each in ours} >= {"hello", "review-until-green", "ask-before-release"}
    assert not [each.problems for each in ours if each.problems or each.warnings]
    assert all(each.definition for each in ours)
