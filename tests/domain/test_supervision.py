"""The rules of supervision: what raises a concern, what does not, and that 0 switches a rule off."""

import pytest

from domain.core.progress import TaskProgress
from domain.plans.settings import PlannerSettings
from domain.plans.supervision import Advice, ConcernKind, Watch, concerns, strays, watched

LIMITS = PlannerSettings()


def told(attempt: int, *, failed: tuple[str, ...] = (), tree: str = "", **more: object):
    return TaskProgress(
        task_id="t",
        run=1,
        attempts=attempt,
        failed_steps=failed,
        tree=tree or f"tree-{attempt}",
        **more,
    )


def raised(*progress: TaskProgress, limits: PlannerSettings = LIMITS, area: tuple[str, ...] = ()):
    watch = Watch()
    for each in progress:
        watch = watched(watch, each)
    return {concern.kind: concern for concern in concerns(watch, progress[-1], area, limits)}


def test_the_same_step_that_fails_three_times_worries():
    failures = [told(n, failed=("unit",)) for n in (1, 2, 3)]
    assert raised(*failures[:2]) == {}
    concern = raised(*failures)[ConcernKind.REPEATED_FAILURES]
    assert "'unit' failed 3 times" in concern.message
    assert concern.advice is Advice.PAUSE


def test_what_is_told_twice_of_one_attempt_counts_once():
    again = [told(1), told(1, failed=("unit",)), told(1, failed=("unit",))] * 5
    assert raised(*again) == {}


def test_different_steps_that_fail_are_no_repeated_failure():
    assert raised(*(told(n, failed=(f"step-{n}",)) for n in range(1, 6))) == {}


def test_attempts_that_fail_in_a_row_worry():
    assert ConcernKind.RISING_RETRIES in raised(told(3, failed_in_a_row=3))
    assert ConcernKind.RISING_RETRIES not in raised(told(3, failed_in_a_row=2))


def test_a_task_that_was_started_too_often_worries():
    again = told(1).model_copy(update={"run": 4})
    assert "started 4 times" in raised(again)[ConcernKind.RISING_RETRIES].message


def test_attempts_that_change_nothing_worry():
    same = [told(n, tree="same") for n in (1, 2, 3)]
    assert ConcernKind.NO_PROGRESS in raised(*same)
    assert raised(*same[:2]) == {}
    assert raised(*same, told(4, tree="other")) == {}


def test_files_outside_the_area_worry():
    drifting = told(1, files=("src/a.py", "docs/x.md"))
    assert "docs/x.md" in raised(drifting, area=("src/**",))[ConcernKind.DRIFT].message
    assert raised(drifting, area=("src/**", "docs")) == {}
    assert raised(drifting) == {}, "a task without an area can't leave it"


@pytest.mark.parametrize(
    ("glob", "file", "is_inside"),
    [
        ("src", "src/a/b.py", True),
        ("src/", "src/a.py", True),
        ("src/*.py", "src/a.py", True),
        ("src/**/a.py", "src/a.py", True),
        ("./src", "src/a.py", True),
        ("src", "srcs/a.py", False),
        ("README.md", "docs/README.md", False),
    ],
)
def test_globs_of_an_area(glob: str, file: str, is_inside: bool):
    assert (strays((file,), (glob,)) == []) == is_inside


def test_a_threshold_of_zero_never_raises():
    names = [name for name in PlannerSettings.model_fields if name.startswith("supervision_")]
    off = PlannerSettings(**{n: 0 for n in names if n != "supervision_pauses"})
    worst = [
        told(n, failed=("unit",), tree="same", failed_in_a_row=n, files=("x",)) for n in range(1, 9)
    ]
    assert raised(*worst, limits=off, area=("src",)) == {}
    assert len(raised(*worst, area=("src",))) == 4
