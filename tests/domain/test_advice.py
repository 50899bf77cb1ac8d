"""A coordinator's advice: shown with the commands that follow it, and never carried out by itself."""

import pytest

from domain.core.errors import InvalidError
from domain.tasks.agent_commands import Recommend
from domain.tasks.events import TaskEnd
from tests.domain.test_running import PLAN, answer, end, running, say
from tests.domain.world import World


@pytest.fixture
def world() -> World:
    return running(PLAN)


def test_advice_is_shown_with_its_command_and_nothing_happens(world: World):
    session = world.thread.coordinator
    advice = {"session_id": session, "action": "abort", "reason": "it loops"}
    with pytest.raises(InvalidError, match="name the task"):
        answer(world, Recommend(**advice))
    answer(world, Recommend(**advice, task_id="one"))
    assert world.thread.tasks["one"].status == "running"
    assert f"treadle abort {world.thread.thread_id} one" in say(world, "/plan status").message


@pytest.mark.parametrize(
    ("action", "task", "words"),
    [
        ("retry", "one", "treadle abort {thread} one, then treadle retry {thread} one"),
        ("pause", None, "treadle pause {thread}"),
        ("continue", None, "let it go on"),
    ],
)
def test_each_advice_names_the_commands_that_follow_it(world: World, action, task, words):
    thread = world.thread
    advice = {"session_id": thread.coordinator, "action": action, "reason": "so", "task_id": task}
    answer(world, Recommend(**advice))
    assert words.format(thread=thread.thread_id) in say(world, "/plan status").message


def test_to_retry_a_task_that_failed_nothing_is_aborted_before(world: World):
    thread = world.thread
    end(world, "one", TaskEnd.FAILED)
    advice = {"session_id": thread.coordinator, "action": "retry", "reason": "so", "task_id": "one"}
    answer(world, Recommend(**advice))
    shown = say(world, "/plan status").message
    assert f"treadle retry {thread.thread_id} one" in shown
    assert "treadle abort" not in shown
