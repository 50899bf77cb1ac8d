"""What every agent goes through in tasks of one plan, which several scenarios look at."""

from domain.tasks.events import TaskEnd, TaskEnded
from tests.agents.bench import Bench, Conversation
from tests.agents.scenarios import Shown

WORK = "Work it out"
LACK = "mended.txt has to say yes"
LEARNED = "The check of mended.txt wants yes."
DECIDED = "The person decided: yes"
WATCHER = "sleep 613"
"""How the process in a terminal is found."""


async def mended(bench: Bench) -> Shown:
    """Fail one verification, mend the work by its report, and tell the next task what was found out."""
    work = await at_work(bench)
    await assert_accepted(work, "mend")
    verdicts = [body.passed for body in work.told("verification_ended", "mend")]
    assert verdicts == [False, True], f"its verdicts are {verdicts}"
    assert LACK in work.told("prompt_sent", "mend/session-1")[1].text, "it is not told what failed"
    yield "mend", ""
    await assert_accepted(work, "after")
    recorded = [body.learning.text for body in work.told("learning_recorded", "mend")]
    assert recorded == [LEARNED], f"it recorded {recorded}"
    view = await work.view()
    tasks = {task["task_id"]: task for task in view["tasks"]}
    shown = [each["text"] for each in (*view["learnings"], *tasks["mend"]["learned"])]
    assert shown == [LEARNED, LEARNED], f"the thread and its task show {shown}"
    assert LEARNED in work.told("prompt_sent", "after/session-1")[0].text, "the next is not told"
    yield "learning", ""


async def decided(bench: Bench) -> Shown:
    """Ask the person to choose, and go on with the answer, which comes as the next message, once."""
    work = await at_work(bench)
    await work.seen("question_asked", "decide")
    await work.seen("turn_ended", "decide")
    await work.decide("decide", "yes")
    await assert_accepted(work, "decide")
    assert len(work.told("question_asked", "decide")) == 1, "it asked again"
    prompts = [body.text for body in work.told("prompt_sent", "decide/session-1")]
    assert sum(DECIDED in prompt for prompt in prompts) == 1, f"it was told {prompts[1:]}"
    played = [bench.steps().count(each) for each in (("decide", 0), ("decided", 0))]
    assert played == [1, 1], "a finished step ran again"
    yield "decision", ""


async def watched(bench: Bench) -> Shown:
    """Start a process that outlives the call, read what it says; it ends with the task."""
    work = await at_work(bench)
    await assert_accepted(work, "watch")
    asked = [body.question.title for body in work.told("question_asked", "watch")]
    assert asked == [], f"it asked the person: {asked}"
    assert "ready to watch" in bench.after("watch", 1), "it can't read what its terminal said"
    await work.seen("terminal_ended", "watch/terminal-1")
    left = bench.engine.children(WATCHER)
    assert left == [], f"left behind: {left}"
    yield "terminal", ""


async def at_work(bench: Bench) -> Conversation:
    """Return a look of one's own at the plan that all these are tasks of."""
    return Conversation(bench, thread=await bench.planned(WORK))


async def assert_accepted(work: Conversation, task: str) -> None:
    """Wait for the end of a task, and assert that it is a good one."""
    ended = await work.seen("task_ended", task)
    assert isinstance(ended, TaskEnded)
    assert ended.end is TaskEnd.ACCEPTED, f"{task} {ended.end}: {ended.reason[:300]}"
