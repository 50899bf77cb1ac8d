"""`treadle flow run`: which agents are asked for, and how a run is drawn."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import CommandError
from cli.flows import run_drawing
from cli.flows.runs import agents_of
from cli.transcript.transcript import Transcript
from domain.core.event import Event, JournaledEvent
from domain.flows.definition import StepKind
from domain.reading.event_text import text_of
from domain.reading.flow_runs import FlowRunFold
from tests.domain.flow_lab import nested, read
from tests.domain.flow_world import NOW, FlowRun, FlowText


def test_agents_are_named_by_type_or_for_all_others():
    assert agents_of(["codex", "coder=claude:opus", "a=b=c"]) == {
        "agent": "codex",
        "model": None,
        "agents": {
            "coder": {"agent": "claude", "model": "opus"},
            "a=b": {"agent": "c", "model": None},
        },
    }
    assert agents_of(None) == {"agents": {}}


@pytest.mark.parametrize("chosen", [["codex", "claude"], ["coder="], ["=codex"], [""]])
def test_an_agent_that_names_nothing_is_refused(chosen):
    with pytest.raises(CommandError):
        agents_of(chosen)


def drawn(what) -> str:
    file = io.StringIO()
    Console(file=file, width=130).print(what)
    return file.getvalue()


def fold_of(run: FlowRun) -> FlowRunFold:
    fold = FlowRunFold("flow-paper-1")
    for n, body in enumerate(run.events, 1):
        event = Event(id=f"e{n}", stream="flow-paper-1", at=NOW, body=body)
        fold.add(JournaledEvent(position=n, event=event))
    return fold


def test_a_review_is_one_step_of_a_run_however_much_it_does():
    review = {"type": "codexReview", "outputKey": "found", "label": "Review"}
    run = FlowRun(read(nested(review, maxIterations=2)))
    for _ in range(2):
        run.say("No findings.")
        run.run_command("No findings.", exit_code=0)

    steps = fold_of(run).view().steps

    assert [(step.index, step.type, step.runs) for step in steps] == [
        (0, "startLoop", 0),
        (1, "llm", 2),
    ]
    assert (steps[1].outcome, steps[1].agent_type) == ("done", "codex")


def test_a_page_shows_where_a_run_stands_and_how_it_goes_on():
    text = FlowText().loop(lambda t: t.llm("write \x1b[31m[bold]it[/bold]").judge())
    run = FlowRun(text.flow())
    run.say()
    run.say("maybe")
    run.say("perhaps")

    view = fold_of(run).view()
    page = drawn(run_drawing.page(view)) + drawn(run_drawing.what_next(view))

    assert "stopped" in page
    assert "no valid answer" in page
    assert "▶" in next(line for line in page.splitlines() if " break" in line)
    assert "[bold]it[/bold]" in page
    assert "\x1b" not in page
    assert "treadle flow resume flow-paper-1" in page
    assert "merge treadle/flow-paper-1" in page


def test_what_is_to_be_pasted_has_no_line_breaks(api, settings):
    del settings
    run = FlowRun(FlowText().loop(lambda t: t.llm("write").judge()).flow())
    view = (
        fold_of(run)
        .view()
        .model_copy(update={"status": "stopped", "repository": "/code/an app/" * 9})
    )
    api.answers["GET /v1/flow-runs/flow-paper-1"] = (200, view.model_dump(mode="json"))

    shown = CliRunner().invoke(app, ["flow", "status", "flow-paper-1"]).stdout

    assert f"git -C {view.repository} merge {view.branch}" in shown.splitlines()[-1]


def test_a_run_on_a_url_says_where_it_goes_and_where_its_work_is(api, settings):
    del settings
    begun = {"status": "started", "flow_name": "hello", "conversation_id": "flow-hello-1"}
    api.answers["POST /v1/flows/hello/runs"] = (202, begun)
    url = "https://git.example/team/app.git@main"
    options = ("--repo", url, "--label", "gpu", "--host", "build-1", "--detach")
    assert CliRunner().invoke(app, ["flow", "run", "hello", *options]).exit_code == 0
    [body] = [body for what, _, body in api.got if what == "POST /v1/flows/hello/runs"]
    assert (body["working_folder"], body["host"], body["labels"]) == (url, "build-1", ["gpu"])

    run = FlowRun(FlowText().llm("write").flow())
    over = {"status": "completed", "repository": url, "branch": "treadle/flow-hello-1"}
    what = drawn(run_drawing.what_next(fold_of(run).view().model_copy(update=over)))
    assert "treadle/flow-hello-1 on its host" in what
    assert "git -C" not in what


@pytest.mark.parametrize("command", [("flow", "list"), ("template", "list"), ("workflow", "list")])
def test_a_command_that_reads_files_refuses_a_url(api, settings, command):
    del settings
    result = CliRunner().invoke(app, [*command, "--repo", "https://git.example/team/app.git"])
    assert "is a URL: this takes a folder" in str(result.exception)
    assert api.got == []


def test_every_event_of_a_run_has_words_or_is_left_out():
    text = FlowText().llm("a", "b").add(StepKind.HUMAN, question="ship?", options=("yes", "no"))
    run = FlowRun(text.add(StepKind.COMMAND, command="false").flow())
    while run.go("no"):
        pass
    transcript = Transcript()
    events = (Event(id="e", stream="flow-paper-1", at=NOW, body=body) for body in run.events)
    lines = [
        transcript.draw(
            JournaledEvent(position=1, event=event, text=text_of(event.body)).model_dump(
                mode="json"
            )
        )
        for event in events
    ]
    words = "".join(drawn(line) for line in lines if line is not None)
    for said in ("▶ step 0", "ship?", "yes | no", "Answered", "■ Step 2", "Failed at step 2"):
        assert said in words
