import io
from datetime import UTC, datetime

import pytest
from rich.console import Console

from cli.transcript.transcript import Transcript
from domain.core.event import JournaledEvent
from domain.reading.event_kinds import EVENT
from domain.reading.event_text import text_of

LONG = "All of it is said, " * 40 + "to the end."


@pytest.fixture
def told():
    transcript = Transcript()

    def tell(**body: object) -> str:
        at = datetime.now(UTC)
        event = EVENT.validate_python(
            {"id": "e", "stream": "thread-x/a/session-1", "at": at, "body": body}
        )
        journaled = JournaledEvent(position=1, event=event, text=text_of(event.body))
        file = io.StringIO()
        if row := transcript.draw(journaled.model_dump(mode="json")):
            Console(file=file, width=4000).print(row)
        return file.getvalue()

    return tell


def update(**fields: object) -> dict[str, object]:
    return {"kind": "agent_update", "turn_id": "t", "update": fields}


def test_what_an_agent_says_is_printed_in_full(told):
    text = {"type": "text", "text": f"{LONG} [red]x[/red]\x1b[31m"}
    said = told(**update(sessionUpdate="agent_message_chunk", content=text))
    assert "a/session-1" in said
    assert f"{LONG} [red]x[/red]" in said
    assert "\x1b" not in said


def test_a_tool_call_is_named_by_its_title_when_it_ends(told):
    assert "tool: ls (in progress)" in told(
        **update(sessionUpdate="tool_call", toolCallId="1", title="ls", status="in_progress")
    )
    assert not told(**update(sessionUpdate="tool_call_update", toolCallId="1"))
    assert "tool: ls (failed)" in told(
        **update(sessionUpdate="tool_call_update", toolCallId="1", status="failed")
    )


def test_what_a_tool_call_changed_is_told_file_by_file(told):
    diffs = [
        {"type": "diff", "path": "a.py", "oldText": "1\n2\n", "newText": "1\n3\n4\n"},
        {"type": "diff", "path": "new.py", "oldText": None, "newText": "x\n"},
        {"type": "content", "content": {"type": "text", "text": "done"}},
    ]
    said = told(
        **update(sessionUpdate="tool_call", title="Edit", status="completed", content=diffs)
    )
    assert "a.py (+2 -1)" in said
    assert "new.py (+1 -0)" in said
    places = [{"path": "b.py", "line": 7}, {"path": "c.py"}, 5]
    read = {"toolCallId": "2", "title": "Read", "locations": places}
    said = told(**update(sessionUpdate="tool_call", **read))
    assert "b.py:7" in said
    assert "c.py" in said


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {
                "sessionUpdate": "plan",
                "entries": [
                    {"content": "Look", "status": "completed"},
                    {"content": "Do", "status": "in_progress"},
                    {"content": "Test", "status": "pending"},
                ],
            },
            ["plan:", "✔ Look", "▸ Do", "· Test"],
        ),
        ({"sessionUpdate": "plan_removed"}, ["plan: withdrawn"]),
        ({"sessionUpdate": "current_mode_update", "currentModeId": "yolo"}, ["mode: yolo"]),
        (
            {"sessionUpdate": "notice", "severity": "warning", "title": "Slow today"},
            ["notice: Slow today"],
        ),
        (
            {"sessionUpdate": "compaction_update", "status": "completed"},
            ["context compacted: completed"],
        ),
        (
            {
                "sessionUpdate": "terminal_output",
                "terminalId": "client-terminal-1",
                "output": "ok\n",
                "exitStatus": {"exitCode": 0, "signal": None},
            },
            ["client-terminal-1 ended: 0", "ok"],
        ),
        ({"sessionUpdate": "from_the_future"}, ["from the future"]),
        ({"sessionUpdate": "plan", "entries": "odd"}, ["plan:"]),
        ({"sessionUpdate": "tool_call", "content": 5, "locations": [{}]}, ["tool: tool call"]),
    ],
)
def test_every_kind_of_update_has_words(told, fields, words):
    said = told(**update(**fields))
    assert all(word in said for word in words)


def test_a_prompt_is_reported_by_its_first_line(told):
    said = told(kind="prompt_sent", turn_id="t", text="# Task\n\nmuch\nmore")
    assert "Prompt: # Task … (3 more lines)" in said
    assert "much" not in said
    long = told(kind="prompt_sent", turn_id="t", text="on and on " * 700)
    assert len(" ".join(long.split())) < 260  # flows in use have pages on one line


def test_a_report_and_feedback_are_printed_in_full(told):
    assert LONG in told(kind="report_received", report={"summary": LONG})
    outcome = {"request_id": "r", "choice": "reject", "content_hash": "c", "by": "ann"}
    said = told(kind="gate_decided", outcome={**outcome, "feedback": LONG})
    assert "Work rejected by ann" in said
    assert LONG in said


def test_a_failed_verification_ends_with_the_last_lines_of_its_output(told):
    output = "\n".join(f"line {n};" for n in range(100))
    result = {"step_id": "s", "label": "unit", "passed": False, "output": output}
    said = told(kind="verification_step_ended", attempt=1, result=result)
    assert "Step unit failed" in said
    assert "…" in said
    assert "line 99;" in said
    assert "line 5;" not in said


def test_a_request_to_stop_names_who_made_it(told):
    stop = {"session_id": "thread-a/session-1", "turn_id": "t", "by": "ann"}
    assert "Stop requested by ann" in told(kind="turn_stop_requested", **stop)


def test_conflicts_and_publishing_are_said_in_words(told):
    conflict = {"task_id": "b", "run": 1, "commit": "1", "files": ["app.py"]}
    assert "Task b conflicts in app.py" in told(kind="conflict_found", conflict=conflict)
    assert "Conflict of task b answered by ann: keep-a" in told(
        kind="conflict_answered", task_id="b", how="keep_a", by="ann"
    )
    assert "markers are left in app.py" in told(
        kind="conflict_unresolved", task_id="b", files=["app.py"]
    )
    assert not told(kind="collisions_checked", task_id="b", commit="1")
    found = [{"first": "a", "second": "b", "files": ["app.py"]}]
    assert "a and b in app.py" in told(
        kind="collisions_checked", task_id="b", commit="1", found=found
    )
    pushed = {"remote": "origin", "address": "https://x/o/r", "branch": "treadle/x", "commit": "1"}
    assert "Branch treadle/x pushed to origin" in told(kind="branch_published", pushed=pushed)
    merged = {"kind": "branch_merged", "branch": "treadle/x", "target": "main", "commit": "1"}
    assert "Branch treadle/x merged into main: 2" in told(**merged, merge_commit="2")
    assert "Branch treadle/x not merged: it has moved" in told(**merged, failure="it has moved")
    url = "https://github.com/o/r/pull/7"
    opened = told(kind="pull_request_opened", pull_request={"number": 7, "url": url})
    assert f"Pull request #7: {url}" in opened
