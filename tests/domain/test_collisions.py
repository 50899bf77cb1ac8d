"""Trial merges of running tasks: which are wanted, what is told, and that it is told once."""

from domain.core.ids import TaskId
from domain.core.progress import TaskProgress
from domain.core.workspaces import Collision
from domain.plans.plan import PlannedTask
from domain.plans.settings import PlannerSettings
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanTemplate
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.merging.effects import NoteCollisions, TryMerges
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState
from tests.domain.world import NOW, World

ONE, TWO = TaskId("task-1"), TaskId("task-2")


def running(world: World, **commits: str) -> ThreadState:
    """Return a thread whose plan runs two tasks with these newest commits."""
    tasks = {
        task_id: ThreadTask(
            task=PlannedTask(id=task_id, title=task_id),
            status=TaskStatus.RUNNING,
            run=1,
            progress=TaskProgress(task_id=task_id, run=1, commit=commits.get(name)),
        )
        for task_id, name in ((ONE, "one"), (TWO, "two"))
    }
    return world.thread.model_copy(
        update={"tasks": PlanTasks.of(tasks), "plan_status": PlanStatus.ACTIVE}
    )


def test_each_new_commit_is_tried_once_with_the_branch_and_the_others():
    state = running(World(2, PlanTemplate(name="default")), one="1" * 40, two="2" * 40)

    (first,) = trials(state)
    assert (first.work.name, [o.name for o in first.others]) == (ONE, [TWO])
    state = told(state, NoteCollisions(task_id=ONE, commit="1" * 40))
    (second,) = trials(state)
    assert second.work.name == TWO
    state = told(state, NoteCollisions(task_id=TWO, commit="2" * 40))
    assert trials(state) == []


def test_a_pair_is_reported_once_for_its_files_whatever_the_commits():
    state = running(World(2, PlanTemplate(name="default")), one="1" * 40, two="2" * 40)
    collision = Collision(first=TWO, second=ONE, files=("a.py",))
    mirrored = Collision(first=ONE, second=TWO, files=("a.py",))
    wider = Collision(first=ONE, second=TWO, files=("a.py", "b.py"))

    kinds = []
    for number, found in enumerate((collision, mirrored, wider)):
        command = NoteCollisions(task_id=TWO, commit=str(number), found=(found,))
        kinds.append([e.kind for e in rules.decide(state, command, NOW).events])
        state = told(state, command)

    assert ["supervision_raised" in told_now for told_now in kinds] == [True, False, True]
    assert "will conflict in a.py" in state.notices[0].reason


def test_supervision_may_pause_the_plan_for_a_collision():
    state = running(World(2, PlanTemplate(name="default")), one="1" * 40)
    planner = PlannerSettings(supervision_pauses=True)
    opened = state.opened.model_copy(update={"planner": planner})
    state = state.model_copy(update={"opened": opened})
    found = (Collision(first="treadle/x", second=ONE, files=("a.py",)),)

    state = told(state, NoteCollisions(task_id=ONE, commit="1" * 40, found=found))

    assert state.plan_status == "paused"
    assert "what is merged already" in state.notices[0].reason


def trials(state: ThreadState) -> list[TryMerges]:
    return [effect for effect in rules.effects(state) if isinstance(effect, TryMerges)]


def told(state: ThreadState, command: NoteCollisions) -> ThreadState:
    after = rules.fold(state, rules.decide(state, command, NOW).events)
    assert rules.decide(after, command, NOW).events == ()
    return after
