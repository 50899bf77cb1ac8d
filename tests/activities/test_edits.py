"""The activity that applies a person's suggestions: a refusal is an answer until an attempt may have written."""

import dataclasses

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.edits import Edits
from domain.core.errors import StaleError
from domain.core.suggestions import Suggestion
from domain.core.workspaces import CommitSpec, Snapshot
from domain.tasks.edit_calls import EditCall, Edited
from tests import fakes
from tests.activities.test_composing import WORKSPACE

CALL = EditCall(
    workspace=WORKSPACE,
    snapshot=Snapshot(commit="a" * 40, tree="b" * 40, base="0" * 40),
    suggestions=(Suggestion(path="a.py", first=1, last=1, text="x = 2"),),
    commit=CommitSpec(key="k", title="t", checkpoint_ref="refs/treadle/x"),
)


async def test_taken_back_the_work_is_what_the_gate_showed() -> None:
    workspaces = fakes.PaperWorkspaces()
    edits = Edits(fakes.MemoryJournal(), workspaces, fakes.OpenFences())

    answer = await ActivityEnvironment().run(edits.take_back_suggestions, CALL)

    assert answer == Edited(
        snapshot=CALL.snapshot
    )  # workflows believe no activity that says nothing
    assert workspaces.edits == [(f"{'a' * 40} without k", CALL.suggestions)]


def stale() -> Edits:
    workspaces = fakes.PaperWorkspaces()
    workspaces.edit_failure = StaleError("a.py changed")
    return Edits(fakes.MemoryJournal(), workspaces, fakes.OpenFences())


async def test_files_that_changed_are_an_answer_of_the_first_attempt() -> None:
    answer = await ActivityEnvironment().run(stale().apply_suggestions, CALL)

    assert answer == Edited(failure="a.py changed")


async def test_they_are_a_failure_of_a_later_one_as_the_one_before_may_have_written() -> None:
    environment = ActivityEnvironment()
    environment.info = dataclasses.replace(environment.info, attempt=2)

    with pytest.raises(ApplicationError, match=r"a\.py changed") as raised:
        await environment.run(stale().apply_suggestions, CALL)
    assert raised.value.non_retryable
