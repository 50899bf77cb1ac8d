"""`treadle flow list|show|check|trust`, against an API with three flows, one of them broken."""

import json

import pytest
from typer.testing import CliRunner

from cli.app import app
from domain.agents.profiles import Scope
from domain.flows.problems import FlowProblem
from domain.flows.reading import read_flow
from domain.flows.views import FlowAgent, FlowRow, FlowView
from tests.domain.flow_lab import judge, llm, nested

RUNS = {"type": "command", "command": "make\nrm -rf /", "outputKey": "made", "label": "Build"}
CHOICE = {"type": "if", "outputKey": "made", "equals": "yes", "then": [llm("Good")]}
FLOW = read_flow(
    {
        "description": "Ours [bold]\x7f",
        "steps": [nested(RUNS, {**CHOICE, "else": [llm("Bad", "Worse")]}, judge())],
    },
    "build",
)
BUILD = FlowRow(
    name="build",
    scope=Scope.REPOSITORY,
    path="/code/app/flows/build.json",
    description=FLOW.description,
    steps=FLOW.total,
    content_hash="ab12" * 16,
    commands=FLOW.commands,
    agents=(FlowAgent(agent_type="coding_agent", missing="no agent has this name"),),
    is_trusted=False,
)
BROKEN = FlowRow(
    name="broken",
    scope=Scope.USER,
    path="/home/ada/.config/treadle/flows/broken.json",
    disabled=True,
    error="line 3, column 9, step 1, steps[1].type: there is no step type `LLM` (unknown_type)",
    problems=(
        FlowProblem(
            type="unknown_type",
            message="there is no step type `LLM`",
            step=1,
            field="steps[1].type",
            line=3,
            column=9,
        ),
    ),
)
HELLO = FlowRow(name="hello", scope=Scope.BUILT_IN, path="/t/flows/hello.json", steps=4)


@pytest.fixture
def treadle(api, settings):
    del settings
    rows = [each.model_dump(mode="json") for each in (BUILD, BROKEN, HELLO)]
    api.answers["GET /v1/flows"] = (200, {"flows": rows})
    for name, row in (("build", BUILD), ("broken", BROKEN), ("hello", HELLO)):
        flow = FLOW if row is BUILD else None
        view = FlowView(flow=row, definition=flow).model_dump(mode="json")
        api.answers[f"GET /v1/flows/{name}"] = (200, view)
    trusted = BUILD.model_copy(update={"is_trusted": True}).model_dump(mode="json")
    api.answers["POST /v1/flows/trust"] = (200, trusted)

    def run(*arguments, **options):
        return CliRunner().invoke(app, ["flow", *arguments], **options)

    return run


def test_a_file_is_checked_without_an_engine(api, settings, tmp_path):
    del settings
    api.server_close()
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    slot = {"agentType": "coder", "identifier": "main"}
    text = {"type": "llm", **slot, "markdownFile": "say.md"}
    command = {"type": "command", **slot, "commandName": "tidy"}
    good.write_text(json.dumps({"steps": [text, command]}))
    bad.write_text('{"steps": [{"type": "llm"}]}')

    def check(*names):
        return CliRunner().invoke(app, ["flow", "check", *map(str, names)])

    done = check(good)
    assert (done.exit_code, "2 steps" in done.output) == (0, True)
    assert "texts in other files were not checked" in done.output

    done = check(good, bad)
    assert done.exit_code == 1
    assert "line 1, column 12, step 0" in done.output
    assert "`agentType` is missing" in done.output

    done = check(tmp_path)
    assert "it is not a file" in str(done.exception)


def posts(api):
    return [(what, body) for what, _, body in api.got if what.startswith("POST")]


def test_the_list_has_states_and_what_is_wrong(treadle):
    done = treadle("list")

    assert done.exit_code == 0
    for part in ("build", "not trusted", "broken", "built-in", "line 3, column 9, step 1"):
        assert part in done.stdout
    assert "\x7f" not in done.stdout


def test_a_flow_is_shown_with_the_numbers_of_its_steps(treadle):
    lines = [" ".join(line.split()) for line in treadle("show", "build").stdout.splitlines()]

    at = lines.index("0 startLoop until a break or a stop")
    assert lines[at + 1 : at + 7] == [
        "1 command Build · make rm -rf / · → made",
        "2 if made is yes?",
        "3 llm coding_agent/coder Good",
        "else",
        "4 llm coding_agent/coder Bad (and 1 more)",
        "5 break coding_agent/coder Is it done?",
    ]
    assert "coding_agent: agent missing: no agent has this name" in lines


def test_long_texts_cut_no_number_of_a_step(treadle, api):
    flow = read_flow({"steps": [nested(llm("Long words " * 9), judge())]}, "long")
    view = FlowView(flow=HELLO, definition=flow).model_dump(mode="json")
    api.answers["GET /v1/flows/hello"] = (200, view)

    lines = [line.split() for line in treadle("show", "hello").stdout.splitlines()]

    assert ["1", "llm", "coding_agent/coder", "Long"] in [line[:4] for line in lines]


def test_a_broken_flow_is_shown_with_its_problems(treadle):
    done = treadle("show", "broken")

    assert "✗ /home/ada/.config/treadle/flows/broken.json" in done.stdout


def test_a_check_ends_with_one_where_a_flow_is_broken(treadle):
    assert treadle("check").exit_code == 1
    assert treadle("check", "build", "hello").exit_code == 0
    assert treadle("check", "broken").exit_code == 1


def test_a_file_is_checked_by_what_it_says(treadle, api, tmp_path):
    file = tmp_path / "x.json"
    file.write_text('{"steps": []}')
    row = BROKEN.model_copy(update={"path": str(file)})
    api.answers["POST /v1/flows/check"] = (200, FlowView(flow=row).model_dump(mode="json"))

    done = treadle("check", str(file))

    assert done.exit_code == 1
    assert posts(api)[0][1]["content"] == '{"steps": []}'
    file.write_bytes(b"\xff")
    assert "not UTF-8" in str(treadle("check", str(file)).exception)
    assert "cannot be read" in str(treadle("check", str(tmp_path / "none.json")).exception)


def test_trust_shows_what_runs_and_asks(treadle, api):
    done = treadle("trust", "build", input="y\n")

    assert done.exit_code == 0
    assert "  - make\n    rm -rf /" in done.stderr
    body = posts(api)[0][1]
    assert (body["flow"], body["content_hash"]) == ("repository:build", "ab12" * 16)


def test_nothing_is_trusted_without_a_yes(treadle, api):
    assert "not trusted" in str(treadle("trust", "build", input="n\n").exception)
    unanswered = treadle("trust", "build", input="")
    assert "--hash ab12" in str(unanswered.exception)
    assert unanswered.stderr.endswith("\n")
    assert treadle("trust", "broken").exit_code == 1
    assert posts(api) == []


def test_a_flow_that_is_known_by_its_hash_is_trusted_unasked(treadle, api):
    done = treadle("trust", "build", "--hash", "ab12" * 16, "--json")

    assert json.loads(done.stdout)["is_trusted"]
    assert treadle("trust", "hello").exit_code == 0
    assert len(posts(api)) == 1
