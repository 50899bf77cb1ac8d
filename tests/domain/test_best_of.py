"""A task that several agents do at once: one of them is taken, by a person or as the plan says."""

import pytest

from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import Choice
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
)
from domain.core.four_eyes import FourEyes
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.tasks.events import TaskEnd
from domain.threads.contests.events import CandidatesShown
from tests.domain.contest_lab import APP, ContestLab


def test_each_agent_works_on_a_task_of_its_own_with_its_share_of_the_limits() -> None:
    lab = ContestLab(task={"max_tokens": 90_000, "max_turns": 10, "description": "a flag"})

    tasks = [entry.task for _, entry in lab.state.tasks.candidates_of(APP)]

    assert [(t.id, t.agent, t.model) for t in tasks] == [
        ("app.a", "claude", None),
        ("app.b", "codex", None),
        ("app.c", "treadle", "qwen3:8b"),
    ]
    assert {(t.max_tokens, t.max_turns, t.description) for t in tasks} == {(30_000, 3, "a flag")}
    assert lab.running == {"app.a", "app.b", "app.c"}
    assert lab.statuses == {"app": "running", "docs": "pending"}


def test_a_person_is_asked_once_all_candidates_have_ended() -> None:
    lab = ContestLab()
    lab.passes("a")
    lab.fail(lab.name("b"))

    assert lab.asked is None

    lab.passes("c")

    assert lab.asked == "app/best-of-1-1"
    assert lab.state.waiting_for == "a choice between the candidates of a task"
    shown = [e for e in lab.events if isinstance(e, CandidatesShown)][-1]
    assert [(row.candidate, row.standing.value) for row in shown.rows] == [
        ("app.a", "ready"),
        ("app.b", "failed"),
        ("app.c", "ready"),
    ]


def test_the_one_that_is_taken_is_merged_and_the_others_are_stopped() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")

    lab.take("b")

    told = lab.told("b")
    assert told is not None
    assert (told.choice, told.by, told.candidate) == (Choice.APPROVE, "ada", "app.b")
    assert lab.told("a") is None
    assert lab.aborting == set(), "nobody is stopped before the work that was taken is accepted"

    lab.ends_accepted("b")

    assert lab.aborting == {"a"}

    lab.settle(lab.name("b"))

    assert lab.statuses == {"app": "running", "docs": "pending"}, "the others have not ended"

    lab.stopped("a")

    assert lab.statuses == {"app": "completed", "docs": "running"}
    assert lab.candidates == {"a": "cancelled", "b": "completed"}
    assert lab.state.tasks[APP].merge_commit == "d" * 40
    assert lab.state.tasks.insertions == 3, "only what was taken counts"


def test_of_two_people_the_first_decides() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    late = lab.taking("a", by="bob")
    lab.take("b")

    assert "candidate B was taken already by 'ada'" in lab.refuses(late).message
    assert isinstance(lab.refuses(late), AlreadyDecidedError)


def test_a_decision_on_a_stale_table_is_refused() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    late = lab.taking("a")
    lab.works("b")
    lab.passes("b", attempt=2)

    assert isinstance(lab.refuses(late), NotShownError | NotFoundError)
    assert lab.contest.taken is None
    assert lab.asked == "app/best-of-1-2"


def test_work_that_changed_before_it_heard_of_the_choice_is_not_merged() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    lab.take("b")

    lab.works("b")

    assert lab.contest.taken is None
    assert lab.told("b") is None
    lab.passes("b", attempt=2)
    assert lab.asked is not None


def test_accepted_work_that_nobody_took_is_not_merged() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")

    lab.ends_accepted("a")

    assert lab.entry("a").end is TaskEnd.CANCELLED
    assert "nothing of this one is merged" in lab.entry("a").notes


def test_an_approval_must_say_whose_work() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    assert lab.asked is not None

    error = lab.refuses(lab.verdict(lab.asked, Approve))

    assert isinstance(error, InvalidError)
    assert "say whose work is taken, of A, B" in error.message


def test_all_candidates_go_on_with_the_feedback_of_a_rejection() -> None:
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    lab.passes("b")
    assert lab.asked is not None

    lab.decide(lab.asked, Reject, "no short option")

    assert lab.asked is None
    for letter in "ab":
        told = lab.told(letter)
        assert told is not None
        assert (told.choice, told.feedback) == (Choice.REJECT, "no short option")
    lab.works("a")
    lab.passes("a", attempt=2)
    lab.works("b")
    lab.passes("b", attempt=2)
    assert lab.asked == "app/best-of-1-2"
    lab.take("a")
    assert lab.contest.taken == "app.a"


def test_the_first_that_passes_stops_the_others() -> None:
    lab = ContestLab(ends="first_passed", slots=2)
    assert lab.candidates == {"a": "running", "b": "running", "c": "pending"}

    lab.passes("b")

    assert lab.aborting == {"a"}
    assert lab.candidates["c"] == "cancelled"
    assert lab.asked == "app/best-of-1-1", "the verified one is asked about while the others end"
    lab.stopped("a")
    assert lab.asked == "app/best-of-1-1"
    lab.take("b")
    lab.accepted("b")
    assert lab.statuses["app"] == "completed"


def test_the_policy_takes_the_first_that_passes_only_where_its_gate_is_automatic() -> None:
    template = PlanTemplate(name="plain", gate=GatePolicy.AUTO)
    lab = ContestLab(ends="first_passed", template=template)

    lab.passes("b", by_policy=True)

    assert lab.contest.taken == "app.b"
    told = lab.told("b")
    assert told is not None
    assert told.people == ()


@pytest.mark.parametrize("ends", ["all", "first_passed"])
def test_the_policy_never_takes_work_that_a_person_must_look_at(ends: str) -> None:
    template = PlanTemplate(name="plain", gate=GatePolicy.AUTO)
    lab = ContestLab("claude", "codex", ends=ends, template=template)

    lab.passes("a", by_policy=ends == "all")
    lab.passes("b", by_policy=ends == "all")

    assert lab.contest.taken is None
    assert lab.asked is not None


def test_several_people_must_take_the_same_candidate() -> None:
    lab = ContestLab("claude", "codex")
    assert lab.state.opened is not None
    opened = lab.state.opened.model_copy(update={"four_eyes": FourEyes(gate_approvals=2)})
    lab.state = lab.state.model_copy(update={"opened": opened})
    lab.passes("a")
    lab.passes("b")

    lab.take("a", by="ada")
    lab.take("b", by="bob")

    assert lab.contest.taken is None

    lab.take("b", by="cleo")

    assert lab.contest.taken == "app.b"
    told = lab.told("b")
    assert told is not None
    assert told.people == ("bob", "cleo")
