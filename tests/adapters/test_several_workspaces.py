"""Workspaces of several repositories on real git: side by side, and one commit that names the others."""

import shutil

import pytest

from domain.core.errors import NotFoundError
from domain.verification.checkouts import Recipe
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, user_state


async def test_worktrees_stand_beside_each_other_by_their_names(lab):
    before = [user_state(lab.git, each) for each in (lab.own, lab.api)]
    folder = await lab.port.prepare(lab.spec("task-1"))

    assert (folder / ".." / "api" / "serve.py").read_text() == "serve(1)\n"
    assert folder.name == "project"
    assert sorted(each.name for each in folder.parent.iterdir()) == ["api", "project"]
    assert lab.git(folder.parent / "api", "branch", "--show-current") == "treadle/task-1"
    assert await lab.port.prepare(lab.spec("task-1")) == folder
    assert [user_state(lab.git, each) for each in (lab.own, lab.api)] == before


async def test_a_file_beside_is_found_by_its_name_and_nothing_further_out(lab):
    spec = lab.spec("task-1")
    folder = await lab.port.prepare(spec)
    beside = (folder.parent / "api").resolve()

    assert await lab.port.place(spec, "../api/serve.py") == str(beside / "serve.py")
    assert await lab.port.place(spec, "") == str(folder.resolve())
    for name in ("../api/../../x", "../", "../api/.git", "../project/../../../host-id"):
        with pytest.raises(NotFoundError):
            await lab.port.place(spec, name)


async def test_the_commit_of_a_turn_names_that_of_the_other_repository(lab):
    spec = lab.spec("task-1")
    folder = await lab.port.prepare(spec)
    (folder.parent / "api" / "serve.py").write_text("serve(2)\n")

    snapshot = await lab.port.commit(spec, commit_of("turn-1"))

    theirs = lab.git(lab.api, "rev-parse", "treadle/task-1")
    form = "--format=%(trailers:key=Treadle-Beside,valueonly)"
    assert lab.git(lab.own, "log", "-1", form, snapshot.commit) == f"api {theirs}"
    assert snapshot.is_changed
    assert snapshot.files == ("../api/serve.py",)
    assert (snapshot.insertions, snapshot.deletions) == (1, 1)
    assert await lab.port.commit(spec, commit_of("turn-1")) == snapshot


async def test_a_turn_that_changes_nothing_makes_no_commit(lab):
    spec = lab.spec("task-1")
    await lab.port.prepare(spec)

    snapshot = await lab.port.commit(spec, commit_of("turn-1"))

    assert not snapshot.is_changed
    assert snapshot.commit == lab.git(lab.own, "rev-parse", "main")
    assert lab.git(lab.api, "rev-parse", "treadle/task-1") == lab.git(lab.api, "rev-parse", "main")


async def test_the_tree_of_a_snapshot_is_of_all_repositories(lab):
    spec = lab.spec("task-1")
    folder = await lab.port.prepare(spec)
    trees = set()
    for number in (1, 2):
        (folder.parent / "api" / "serve.py").write_text(f"serve(3{number})\n")
        trees.add((await lab.port.commit(spec, commit_of(f"turn-{number}"))).tree)

    assert len(trees) == 2


async def test_the_patch_has_the_files_of_all_repositories(lab):
    spec, commit = await lab.worked("task-1", own_app="x\n", api_new="y\n")

    patch = await lab.port.diff(spec.repository, BRANCH, commit, spec.beside)

    assert "b/app\n" in patch
    assert "b/../api/new\n" in patch


async def test_an_earlier_commit_is_checked_out_in_all_repositories(lab):
    spec, first = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    folder = await lab.port.prepare(spec)
    for each in ("project", "api"):
        (folder.parent / each / "note").write_text("2\n")
    second = (await lab.port.commit(spec, commit_of("turn-2"))).commit

    assert await lab.port.altered(spec, first) == ("note", "../api/note")
    await lab.port.check_out(spec, first)

    assert (folder.parent / "api" / "note").read_text() == "1\n"
    assert await lab.port.altered(spec, second) == ("note", "../api/note")


async def test_clean_checkouts_hold_what_belongs_together(lab):
    spec, commit = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    folder = await lab.port.prepare(spec)
    (folder.parent / "api" / "note").write_text("not committed\n")
    (folder.parent / "api" / "left").write_text("by the agent\n")

    checkout = await lab.port.checkouts.open(spec, commit, Recipe())

    (beside,) = checkout.beside
    assert beside.name == "api"
    assert beside.directory == checkout.directory.parent / "api"
    assert (beside.directory / "note").read_text() == "1\n"
    assert not (beside.directory / "left").exists()
    assert await lab.port.checkouts.altered(spec, commit) == ()
    (beside.directory / "note").write_text("by a step\n")
    assert await lab.port.checkouts.altered(spec, commit) == ("../api/note",)
    await lab.port.checkouts.discard(spec)
    assert not checkout.directory.parent.exists()


async def test_a_released_workspace_leaves_nothing_and_keeps_what_was_not_committed(lab):
    spec = lab.spec("task-1")
    folder = await lab.port.prepare(spec)
    (folder.parent / "api" / "draft").write_text("unfinished\n")

    await lab.port.release(spec)

    assert not folder.parent.exists()
    kept = lab.git(lab.api, "for-each-ref", "--format=%(refname)", "refs/treadle/released/")
    assert "draft" in lab.git(lab.api, "ls-tree", "--name-only", kept)
    assert lab.git(lab.api, "worktree", "list").count("\n") == 0
    await lab.port.release(spec)


async def test_what_a_worktree_lost_of_its_git_comes_back(lab):
    spec, _ = await lab.worked("task-1", api_note="1\n")
    folder = await lab.port.prepare(spec)
    entry = lab.api / ".git" / "worktrees"
    for file in [*entry.rglob("*")][::-1]:
        file.rmdir() if file.is_dir() else file.unlink()
    entry.rmdir()

    assert await lab.port.prepare(spec) == folder
    assert (folder.parent / "api" / "note").read_text() == "1\n"


async def test_an_entry_whose_folder_is_gone_for_good_goes(lab):
    await lab.worked("task-1", api_note="1\n")
    folder = await lab.port.prepare(lab.spec("task-1"))
    await lab.port.commit(lab.spec("task-1"), commit_of("turn-2"))
    shutil.rmtree(folder.parent)

    for each in (lab.own, lab.api):
        await lab.port.create_branch(str(each), "treadle/other", "main")

        assert "prunable" not in lab.git(each, "worktree", "list", "--porcelain")
    assert lab.git(lab.api, "show", "treadle/task-1:note") == "1"


async def test_a_workspace_begins_with_what_belonged_to_a_checkpoint(lab):
    _, first = await lab.worked("task-1", own_note="1\n", api_note="1\n")
    again = lab.spec("task-2").model_copy(update={"begins_with": first})

    folder = await lab.port.prepare(again)

    assert (folder / "note").read_text() == "1\n"
    assert (folder.parent / "api" / "note").read_text() == "1\n"


async def test_a_later_task_begins_with_all_that_is_merged(lab):
    await lab.merged("task-1", own_note="1\n", api_note="1\n")
    await lab.merged("task-2", api_more="2\n")

    folder = await lab.port.prepare(lab.spec("task-3"))

    assert (folder.parent / "api" / "more").read_text() == "2\n"
    assert (folder.parent / "api" / "note").read_text() == "1\n"
    assert (await lab.port.commit(lab.spec("task-3"), commit_of("turn"))).files == ()


async def test_a_thread_with_one_repository_is_as_it_was(lab, workspaces):
    spec = lab.spec("task-1").model_copy(update={"name": "", "beside": ()})
    folder = await lab.port.prepare(spec)
    (folder / "note").write_text("1\n")
    snapshot = await lab.port.commit(spec, commit_of("turn-1"))

    assert folder.parent.parent.name == "worktrees"
    assert "Treadle-Beside" not in lab.git(lab.own, "log", "-1", "--format=%B", snapshot.commit)
    assert (await lab.port.settle(settle_of(spec, snapshot.commit))).commit == lab.tips()[0]
    assert lab.tips()[1] == lab.git(lab.api, "rev-parse", "main")


async def test_what_a_task_may_only_read_is_not_committed(lab):
    spec = lab.spec("task-1")
    read = (spec.beside[0].model_copy(update={"is_read": True}),)
    spec = spec.model_copy(update={"beside": read})
    folder = await lab.port.prepare(spec)
    (folder / "note").write_text("1\n")
    (folder.parent / "api" / "note").write_text("1\n")
    before = lab.tips()[1]

    snapshot = await lab.port.commit(spec, commit_of("turn-1"))
    merged = await lab.port.settle(settle_of(spec, snapshot.commit))

    assert snapshot.files == ("note",)
    assert merged.commit == lab.tips()[0]
    assert lab.tips()[1] == before
