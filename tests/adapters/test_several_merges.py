"""Merges into several repositories on real git: into all, or into none."""

import pytest

from domain.core.errors import WorkspaceError
from domain.core.workspaces import ConflictSide, MergeCandidate, SideChoice
from tests.adapters.task_specs import BRANCH, commit_of, settle_of


async def test_a_merge_moves_all_branches_and_names_them(lab):
    result = await lab.merged("task-1", own_note="1\n", api_note="2\n")

    own, api = lab.tips()
    assert result.commit == own
    assert lab.shows(lab.own, "note") == "1"
    assert lab.shows(lab.api, "note") == "2"
    form = "--format=%(trailers:key=Treadle-Beside,valueonly)"
    assert lab.git(lab.own, "log", "-1", form, own) == f"api {api}"
    assert not list((lab.data_dir / "moves").iterdir())


async def test_work_in_one_repository_leaves_the_branch_of_the_other(lab):
    before = lab.tips()
    await lab.merged("task-1", own_note="1\n")
    assert lab.tips()[1] == before[1]

    await lab.merged("task-2", api_note="2\n")
    assert lab.shows(lab.api, "note") == "2"
    assert lab.shows(lab.own, "note") == "1"


async def test_merging_again_returns_the_same_merge(lab):
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="2\n")
    call = settle_of(spec, commit)
    first = await lab.port.settle(call)
    tips = lab.tips()

    assert await lab.port.settle(call) == first
    assert lab.tips() == tips


async def test_a_task_without_changes_moves_nothing(lab):
    before = lab.tips()

    result = await lab.merged("task-1")

    assert result.commit == before[0]
    assert lab.tips() == before


async def test_a_conflict_in_one_repository_merges_in_none(lab):
    spec, commit = await lab.worked("task-2", own_note="2\n", api_note="2\n")
    await lab.merged("task-1", api_note="1\n")
    before = lab.tips()

    result = await lab.port.settle(settle_of(spec, commit, "merge-2"))

    assert result.commit is None
    assert result.conflicts == ("../api/note",)
    assert result.tip == before[0]
    assert lab.tips() == before
    assert not lab.has(lab.own, "note")


@pytest.mark.parametrize(("side", "expected"), [("keep_a", "1"), ("keep_b", "2")])
async def test_a_side_that_a_person_chose_is_kept_in_all_repositories(lab, side, expected):
    spec, commit = await lab.worked("task-2", own_note="2\n", api_note="2\n")
    await lab.merged("task-1", own_note="1\n", api_note="1\n")
    call = settle_of(spec, commit, "merge-2")
    shown = await lab.port.settle(call)
    keeps = SideChoice(
        side=ConflictSide(side), files=shown.conflicts, versions=shown.versions, tip=shown.tip
    )

    result = await lab.port.settle(call.model_copy(update={"keeps": keeps}))

    assert shown.conflicts == ("../api/note", "note")
    assert result.commit == lab.tips()[0]
    assert [lab.shows(each, "note") for each in (lab.own, lab.api)] == [expected, expected]


async def test_a_choice_for_another_conflict_merges_nothing(lab):
    spec, commit = await lab.worked("task-2", api_note="2\n")
    await lab.merged("task-1", api_note="1\n")
    before = lab.tips()
    keeps = SideChoice(side=ConflictSide.TASK, files=("../api/note",), versions="others")

    result = await lab.port.settle(
        settle_of(spec, commit, "merge-2").model_copy(update={"keeps": keeps})
    )

    assert result.commit is None
    assert lab.tips() == before


async def test_a_conflict_is_resolved_in_the_worktrees_of_all(lab):
    _, commit = await lab.worked("task-2", own_more="2\n", api_note="2\n")
    await lab.merged("task-1", api_note="1\n")
    again = lab.spec("task-3").model_copy(update={"merging": commit})

    folder = await lab.port.prepare(again)

    assert "<<<<<<<" in (folder.parent / "api" / "note").read_text()
    assert (folder / "more").read_text() == "2\n"


async def test_a_tree_that_nobody_verified_is_only_a_candidate_with_all_it_names(lab):
    spec, commit = await lab.worked("task-2", own_note="2\n")
    await lab.merged("task-1", api_note="1\n")
    before = lab.tips()
    call = settle_of(spec, commit, "merge-2")

    candidate = await lab.port.settle(call, set())

    assert isinstance(candidate, MergeCandidate)
    assert lab.tips() == before
    folder = await lab.port.check_out(spec, candidate.commit)
    assert (folder / "note").read_text() == "2\n"
    assert (folder.parent / "api" / "note").read_text() == "1\n"
    merged = await lab.port.settle(call, {candidate.tree})
    assert merged.commit == lab.tips()[0]


async def test_a_tree_that_was_verified_as_a_whole_is_merged_at_once(lab):
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="1\n")

    assert (await lab.port.settle(settle_of(spec, commit), set())).commit == lab.tips()[0]


async def test_a_branch_in_the_checkout_of_a_person_moves_in_no_repository(lab):
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    before = lab.tips()
    lab.git(lab.api, "checkout", "--quiet", BRANCH)

    with pytest.raises(WorkspaceError, match="checked out"):
        await lab.port.settle(settle_of(spec, commit))

    assert lab.tips() == before


async def test_tasks_that_share_a_branch_make_one_line_in_each_repository(lab):
    for number in (1, 2):
        spec = lab.spec(f"task-{number}").model_copy(update={"branch": None})
        folder = await lab.port.prepare(spec)
        (folder / f"own-{number}").write_text("x\n")
        (folder.parent / "api" / f"api-{number}").write_text("x\n")
        snapshot = await lab.port.commit(spec, commit_of(f"turn-{number}"))
        call = settle_of(spec, snapshot.commit, f"merge-{number}")

        merged = await lab.port.settle(call.model_copy(update={"is_linear": True}))

        assert merged.commit == snapshot.commit == lab.tips()[0]
    for each in (lab.own, lab.api):
        assert lab.git(each, "log", "--merges", "--format=%H", BRANCH) == ""
        assert lab.git(each, "rev-list", "--count", BRANCH) == "3"


async def test_the_work_of_a_child_thread_is_merged_into_all(lab):
    """A child begins where its parent is, and the parent merges its branch as one commit."""
    await lab.merged("task-1", own_note="1\n", api_note="1\n")
    bases = {str(lab.own): BRANCH, str(lab.api): BRANCH}
    own, api = await lab.port.create_branches("treadle/child", bases)
    (beside,) = lab.spec("x").beside
    child = beside.model_copy(update={"begins_at": api, "since": own})
    spec = lab.spec("child-1").model_copy(
        update={"base": "treadle/child", "beside": (child,), "branch": "treadle/child--1"}
    )
    folder = await lab.port.prepare(spec)
    assert (folder.parent / "api" / "note").read_text() == "1\n"
    (folder.parent / "api" / "more").write_text("2\n")
    snapshot = await lab.port.commit(spec, commit_of("child-turn"))
    call = settle_of(spec, snapshot.commit, "child-merge")
    done = await lab.port.settle(call.model_copy(update={"branch": "treadle/child"}))

    await lab.merged("task-2", own_other="2\n", api_other="2\n")
    of_parent = settle_of(lab.spec("node").model_copy(update={"branch": None}), done.commit, "node")
    merged = await lab.port.settle(of_parent.model_copy(update={"is_verified": False}))

    assert merged.commit == lab.tips()[0]
    assert [lab.has(lab.api, name) for name in ("note", "more", "other")] == [True, True, True]
    form = "--format=%(trailers:key=Treadle-Beside,valueonly)"
    assert lab.git(lab.own, "log", "-1", form, BRANCH) == f"api {lab.tips()[1]}"
