"""A base is only taken in, and what a person made of it only pushed, as a tree that passed the steps."""

import pytest
from temporalio.testing import ActivityEnvironment

from activities.bases import BaseUpdates
from activities.merged_trees import MergedTrees
from domain.core.ids import StreamId, ThreadId
from domain.core.workspaces import MergeCandidate, WorkspaceKind, WorkspaceSpec
from domain.plans.templates.template import BaseUpdate
from domain.threads.bases.calls import BaseAnswer, BaseCall
from domain.verification.steps import StepType, VerificationStep
from tests import fakes, step_fakes
from tests.publishing_fakes import PaperBases

TESTS = VerificationStep(id="t", type=StepType.COMMAND, label="tests", command="make test")


def call(**more: object) -> BaseCall:
    workspace = WorkspaceSpec(
        workspace_id="thread-1/base",
        kind=WorkspaceKind.CHAT,
        thread_id=ThreadId("thread-1"),
        repository="/repo",
        base="treadle/x",
    )
    return BaseCall.model_validate(
        {
            "key": "thread-1/base",
            "thread_id": "thread-1",
            "repository": "/repo",
            "branch": "treadle/x",
            "base": "main",
            "workspace": workspace,
            "stream": StreamId("thread-1"),
            "steps": (TESTS,),
            **more,
        }
    )


async def taken(call: BaseCall, behind: int, *, passes: bool) -> tuple[BaseAnswer, int]:
    """Return what became of a base, and how often the steps were run."""
    bases, workspaces = PaperBases(), fakes.PaperWorkspaces()
    bases.answers = [MergeCandidate(commit="d" * 40, tree="8" * 40)] if behind else []
    bases.found = bases.found.model_copy(update={"behind": behind, "tree": "7" * 40})
    verifier, leases = step_fakes.ScriptedVerifier(), step_fakes.CountedLeases()
    verifier.failures["tests"] = 0 if passes else 1
    trees = MergedTrees(fakes.MemoryJournal(), workspaces, verifier, leases)
    updates = BaseUpdates(bases, workspaces, fakes.OpenFences(), trees)
    return await ActivityEnvironment().run(updates.take_base, call), len(verifier.ran)


async def test_a_base_is_taken_in_once_the_steps_passed_on_what_it_gives() -> None:
    answer, ran = await taken(call(), 2, passes=True)

    assert (answer.merge.commit, ran) == ("d" * 40, 1)


async def test_a_base_on_which_the_steps_fail_stays_out() -> None:
    answer, ran = await taken(call(), 2, passes=False)

    assert (answer.merge.commit, ran) == (None, 1)
    assert answer.merge.failure.endswith("tests fails")


@pytest.mark.parametrize(("update", "behind"), [(BaseUpdate.MERGE, 0), (BaseUpdate.OFF, 2)])
@pytest.mark.parametrize("passes", [True, False])
async def test_what_a_person_made_of_a_conflict_is_verified_as_it_is(
    update: BaseUpdate, behind: int, *, passes: bool
) -> None:
    answer, ran = await taken(call(update=update, is_tip_unverified=True), behind, passes=passes)

    assert (answer.merge.commit, ran) == (None, 1)
    assert (answer.merge.failure == "") is passes


async def test_nothing_is_verified_again_where_nothing_has_moved() -> None:
    answer, ran = await taken(call(), 0, passes=True)

    assert (answer.merge.commit, answer.merge.failure, ran) == (None, "", 0)
