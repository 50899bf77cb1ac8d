import json

from domain.agents.agents import TurnResult
from domain.conversations.events import AgentUpdate, PromptSent, ToolCalled, TurnEnded
from domain.core.event import JournaledEvent
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.plans.status import PlanStatus
from domain.tasks.events import TaskEnded, TaskOpened, VerificationStepEnded
from domain.threads.events import PlanCompleted
from domain.verification.steps import StepResult
from tests.api.conftest import event
from tests.api.test_reading import planned, started

HOSTILE = "done\n````\n# Not a heading\n<img src=x onerror=alert(1)>\x1b[2J\u202e"


def said(text):
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    return AgentUpdate(turn_id="t", update=update)


async def kept(journal):
    """A thread with a task that was done, its session, and the texts of its diff and its output."""
    patch = await journal.put_text("diff --git a/x b/x\n+``` x\n")
    output = await journal.put_text("FAIL " + "o" * 30_000)
    snapshot = Snapshot(
        commit="abc", tree="t", base="b", files=("x",), file_count=1, diff_ref=patch, insertions=1
    )
    task = PlannedTask(id="t1", title="one")
    step = StepResult(step_id="s", label="unit", passed=False, output="tail", output_ref=output)
    of_task = (
        TaskOpened(task=task, run=1, session_id="s", agent="a", branch="b", max_retries=3),
        TurnEnded(session_id="s", result=TurnResult(turn_id="t", snapshot=snapshot)),
        VerificationStepEnded(attempt=1, result=step),
        TaskEnded(end="accepted"),
    )
    of_session = (
        PromptSent(turn_id="t", text="Do **it**."),
        said("I am "),
        said(HOSTILE),
        ToolCalled(tool="report_done", arguments={"summary": "x"}, answer="thanks"),
        TurnEnded(session_id="s", result=TurnResult(turn_id="t")),
    )
    done = PlanCompleted(
        plan_id="p", final_status=PlanStatus.COMPLETED, summary="all done", failures={"t2": "why"}
    )
    await journal.append([*planned(), *started()])
    await journal.append([event(n, "thread-a/t1", b) for n, b in enumerate(of_task)])
    await journal.append([event(n, "thread-a/t1/session-1", b) for n, b in enumerate(of_session)])
    await journal.append([event(9, body=done), event(0, "thread-b")])
    return patch, output


async def test_the_json_of_a_thread_has_every_event_and_the_texts_they_name(down_client, down_app):
    journal = down_app.state.journal
    texts = await kept(journal)

    answer = await down_client.get("/v1/threads/thread-a/export?format=json")

    exported = answer.json()
    events = [JournaledEvent.model_validate(row) for row in exported["events"]]
    assert events == await journal.read("thread-a", below=True)
    assert exported["texts"] == {ref: await journal.text(ref) for ref in texts}
    assert exported["position"] == await journal.position()
    assert answer.headers["content-disposition"] == 'attachment; filename="thread-a.json"'


async def test_the_markdown_of_a_thread_tells_all_of_it(down_client, down_app):
    await kept(down_app.state.journal)

    text = (await down_client.get("/v1/threads/thread-a/export")).text

    for told in (
        "Plan 1 proposed",
        "by ann",
        "## Task `t1`",
        "**Step unit failed",
        "10005 more characters are left out",
        "## Session `t1/session-1`",
        "Do **it**.",
        "Tool `report_done` called",
        "all done",
        "t2 failed: why",
        "+``` x",
        "End of `thread-a` at journal position",
    ):
        assert told in text
    assert text.index("Step unit failed") < text.index("diff --git") < text.index("## Session")


async def test_what_agents_wrote_stays_in_its_fence(down_client, down_app):
    await kept(down_app.state.journal)

    text = (await down_client.get("/v1/threads/thread-a/export")).text

    assert "`````text\nI am done\n````\n# Not a heading\n" in text
    assert "[U+001B][2J[U+202E]" in text
    assert not any(c in text for c in "\x1b\u202e")


async def test_an_export_of_nothing_or_in_an_unknown_form_is_refused(down_client, down_app):
    await down_app.state.journal.append([event(0)])
    assert (await down_client.get("/v1/threads/thread-x/export")).status_code == 404
    assert (await down_client.get("/v1/threads/thread-a/export?format=pdf")).status_code == 422


async def test_five_thousand_events_of_one_thread_are_exported_whole(down_client, down_app):
    chunks = [event(n, "thread-a/session-1", said(f"{n} ")) for n in range(5_000)]
    await down_app.state.journal.append([event(0), *chunks])

    exported = (await down_client.get("/v1/threads/thread-a/export?format=json")).text
    text = (await down_client.get("/v1/threads/thread-a/export?format=md")).text

    assert len(json.loads(exported)["events"]) == 5_001
    assert text.count("The agent:") == 1
    assert "4998 4999" in text
