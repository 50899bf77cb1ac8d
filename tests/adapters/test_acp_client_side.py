"""Files and terminals of the client's side, asked for by the real scripted agent."""

import asyncio

import pytest

from domain.agents.agents import SessionRole
from domain.agents.limits.tool_filters import ToolFilter
from tests.adapters.agent_lab import Recorder, open_lab

PROFILE = {
    "command": ["${treadle}", "scripted-agent"],
    "set_environment": {"TREADLE_SCRIPTED_STATE": "${home}"},
    "client": ["fs", "terminal"],
    "plan_mode": "plan",
}


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        lab.profile("sided", PROFILE)
        yield lab


async def calls(lab, *steps, **more):
    """Play calls of client methods; returns the answer to each as it was in JSON."""
    played = []
    for number, (method, params) in enumerate(steps):
        step = {"client": method, "with": params, "save": {f"a{number}": "(?s).*"}}
        played += [step, {"say": f"\n${{a{number}}}"}]
    lab.scenario(*played)
    answer, record = await lab.run(agent=more.pop("agent", "sided"), **more)
    return answer.text.splitlines()[-len(steps) :], record


async def test_files_are_read_and_written_in_the_workspace(lab):
    (lab.cwd / "run.sh").write_text("one\ntwo\nthree\n")
    (lab.cwd / "run.sh").chmod(0o755)

    answers, _ = await calls(
        lab,
        ("fs/read_text_file", {"path": "${cwd}/run.sh"}),
        ("fs/read_text_file", {"path": "${cwd}/run.sh", "line": 2, "limit": 1}),
        ("fs/read_text_file", {"path": "${cwd}/run.sh", "line": 99}),
        ("fs/write_text_file", {"path": "${cwd}/run.sh", "content": "new ü\n"}),
        ("fs/write_text_file", {"path": "${cwd}/a/b.txt", "content": "b"}),
    )

    texts = ["one\\ntwo\\nthree\\n", "two\\n", ""]
    assert answers == [*(f'{{"content": "{text}"}}' for text in texts), "{}", "{}"]
    assert (lab.cwd / "run.sh").read_text() == "new ü\n"
    assert (lab.cwd / "run.sh").stat().st_mode & 0o777 == 0o755
    assert (lab.cwd / "a/b.txt").read_text() == "b"


async def test_a_missing_file_is_told_as_agents_know_it(lab):
    [answer], _ = await calls(lab, ("fs/read_text_file", {"path": "${cwd}/none"}))
    assert '"code": -32002' in answer
    assert "Resource not found: ENOENT: no such file or directory" in answer


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "${cwd}/../out.txt", "${cwd}", "${cwd}/link", "${cwd}/.git/config"),
        *("run.sh", "", "${cwd}/.GIT/hooks/x", "${cwd}/folder/out.txt", "/proc/self/environ"),
    ],
)
async def test_nothing_is_reached_outside_of_the_workspace_nor_gits_own(lab, path):
    (lab.folder / "out.txt").write_text("secret")
    (lab.cwd / "link").symlink_to(lab.folder / "out.txt")
    (lab.cwd / "folder").symlink_to(lab.folder)

    answers, _ = await calls(
        lab,
        ("fs/read_text_file", {"path": path}),
        ("fs/write_text_file", {"path": path, "content": "mine"}),
    )

    assert '"code": -326' in answers[0]
    assert '"code": -326' in answers[1] or path == "${cwd}/link"  # which is replaced itself
    assert (lab.folder / "out.txt").read_text() == "secret"


@pytest.mark.parametrize("path", [".claude/settings.json", "deep/.envrc", ".mcp.json"])
async def test_protected_names_cannot_be_written(lab, path):
    params = {"path": f"${{cwd}}/{path}", "content": "x"}
    [answer], _ = await calls(lab, ("fs/write_text_file", params))
    assert "is protected" in answer
    assert not (lab.cwd / path).exists()


@pytest.mark.parametrize(
    ("agent", "role"), [("sided", SessionRole.PLANNER), ("scripted", SessionRole.TASK)]
)
async def test_those_that_only_read_and_other_agents_are_served_nothing(lab, agent, role):
    answers, _ = await calls(
        lab,
        ("fs/write_text_file", {"path": "${cwd}/x", "content": "x"}),
        ("terminal/create", {"command": "touch y"}),
        agent=agent,
        role=role,
    )
    assert all('"code": -32601' in answer for answer in answers)
    assert not (lab.cwd / "x").exists()


async def test_a_terminal_runs_a_command_to_its_end(lab):
    (lab.cwd / "sub").mkdir()
    created = {
        "command": "sh",
        "args": ["-c", 'echo "$NAME in $(basename $PWD)"; exit 3'],
        "env": [{"name": "NAME", "value": "a b"}],
        "cwd": "${cwd}/sub",
    }
    name = {"terminalId": "client-terminal-1"}

    answers, record = await calls(
        lab,
        ("terminal/create", created),
        ("terminal/wait_for_exit", name),
        ("terminal/output", name),
        ("terminal/release", name),
        ("terminal/output", name),
    )

    assert answers[1] == '{"exitCode": 3, "signal": null}'
    assert '"output": "a b in sub\\n", "truncated": false' in answers[2]
    assert answers[3] == "{}"
    assert '"code": -32002' in answers[4]
    [told] = record.updates("terminal_output")
    assert told["output"] == "a b in sub\n"


async def test_without_arguments_a_command_is_a_line_for_the_shell(lab):
    line = "echo one && echo two | tr o 0"
    name = {"terminalId": "client-terminal-1"}
    answers, _ = await calls(
        lab,
        ("terminal/create", {"command": line}),
        ("terminal/wait_for_exit", name),
        ("terminal/output", name),
    )
    assert '"output": "one\\ntw0\\n"' in answers[2]


async def test_output_keeps_its_newest_bytes_and_whole_characters(lab):
    name = {"terminalId": "client-terminal-1"}
    answers, _ = await calls(
        lab,
        ("terminal/create", {"command": "printf '%s' äöüäöü", "outputByteLimit": 5}),
        ("terminal/wait_for_exit", name),
        ("terminal/output", name),
    )
    assert '"output": "\\u00f6\\u00fc", "truncated": true' in answers[2]


async def test_a_killed_terminal_keeps_its_output_until_it_is_released(lab):
    name = {"terminalId": "client-terminal-1"}
    answers, _ = await calls(
        lab,
        ("terminal/create", {"command": "echo up; sleep 1000 & wait"}),
        ("terminal/kill", name),
        ("terminal/wait_for_exit", name),
        ("terminal/output", name),
    )
    assert '"signal": "SIG' in answers[2] or '"exitCode"' in answers[2]
    assert '"exitStatus": {' in answers[3]


async def test_terminals_end_with_the_session(lab):
    mark = lab.folder / "alive"
    line = f"while :; do touch {mark}; sleep 0.05; done"
    create = {"client": "terminal/create", "with": {"command": line}}
    lab.scenario(create, {"wait": {"file": str(mark)}})
    await lab.run(agent="sided")

    await lab.runner.close(lab.session_id)

    mark.unlink(missing_ok=True)
    await asyncio.sleep(0.3)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("kind", "method", "given"),
    [
        ("execute", "terminal/create", {"command": "touch x"}),
        ("read", "fs/read_text_file", {"path": "${cwd}/a"}),
    ],
)
async def test_a_filter_of_tools_holds_on_the_clients_side(lab, kind, method, given):
    lab.scenario({"client": method, "with": given, "save": {"a": ".*"}}, {"say": "${a}"})
    call = lab.call(agent="sided")
    tools = ToolFilter(denied=(kind,))
    call = call.model_copy(update={"turn": call.turn.model_copy(update={"tools": tools})})

    answer = await lab.runner.run_turn(call, Recorder(), lambda: None)

    assert "is not allowed" in answer.text
    assert not (lab.cwd / "x").exists()
