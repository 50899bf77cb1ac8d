"""The base of a thread's branch on real git: fetched from the known address, and taken in or left."""

from domain.core.workspaces import MergeCandidate
from domain.forges.pull_requests import MergeMethod
from domain.plans.templates.template import BaseUpdate
from tests.adapters.bases.conftest import work
from tests.adapters.task_specs import (
    BRANCH,
    user_state,
)


async def test_a_base_that_moved_is_merged_once_and_the_user_s_things_stay(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n")
    push("one.py")
    newest = push("two.py")
    before = user_state(git, repository)

    look = await bases.look(call)
    first = await bases.update(call, look)
    again = await bases.update(call, look)

    assert (look.behind, look.commit, look.is_rewritten, look.note) == (2, newest, False, "")
    assert first == again
    assert git(repository, "rev-parse", BRANCH) == first.commit
    for name in ("ours.py", "one.py", "two.py"):
        git(repository, "cat-file", "-e", f"{BRANCH}:{name}")
    assert (await bases.look(call)).behind == 0
    assert user_state(git, repository) == before


async def test_only_a_verified_tree_is_taken_in(bases, call, workspaces, repository, git, push):
    tip = await work(workspaces, repository, "ours.py", "1\n")
    push("one.py")
    look = await bases.look(call)

    candidate = await bases.update(call, look, set())

    assert isinstance(candidate, MergeCandidate)
    assert git(repository, "rev-parse", BRANCH) == tip
    done = await bases.update(call, look, {candidate.tree})
    assert git(repository, "rev-parse", f"{done.commit}^{{tree}}") == candidate.tree


async def test_a_conflict_leaves_the_branch_where_it_is(
    bases, call, workspaces, repository, git, push
):
    tip = await work(workspaces, repository, "app.py", "ours\n")
    push("app.py", "theirs\n")

    done = await bases.update(call, await bases.look(call))

    assert (done.commit, done.conflicts) == (None, ("app.py",))
    assert git(repository, "rev-parse", BRANCH) == tip


async def test_a_rebased_branch_keeps_the_words_of_its_commits(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)
    newest = push("one.py")
    rebasing = call.model_copy(update={"update": BaseUpdate.REBASE})
    words = git(repository, "log", "-1", "--format=%B", BRANCH)

    done = await bases.update(rebasing, await bases.look(rebasing))

    assert git(repository, "rev-parse", f"{done.commit}^") == newest
    assert git(repository, "log", "-1", "--format=%B", BRANCH).strip() == words.strip()
    assert git(repository, "show", f"{BRANCH}:ours.py") == "1"


async def test_a_branch_of_merges_is_merged_where_the_policy_says_rebase(
    bases, call, workspaces, repository, git, push
):
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.MERGE)
    push("one.py")
    rebasing = call.model_copy(update={"update": BaseUpdate.REBASE})

    done = await bases.update(rebasing, await bases.look(rebasing))

    parents = git(repository, "log", "-1", "--format=%P", done.commit).split()
    assert len(parents) == 2


async def test_a_force_pushed_base_is_told_and_rebased_without_what_was_dropped(
    bases, call, workspaces, git, push, others
):
    repository = call.repository
    dropped = push("dropped.py")
    look = await bases.look(call)
    await bases.update(call, look)
    await work(workspaces, repository, "ours.py", "1\n", MergeMethod.SQUASH)
    git(others, "reset", "--quiet", "--hard", "HEAD^")
    newest = push("kept.py", "x\n", "--force")
    seen = call.model_copy(update={"previous": dropped, "update": BaseUpdate.REBASE})

    look = await bases.look(seen)
    done = await bases.update(seen, look)

    assert look.is_rewritten
    names = git(repository, "ls-tree", "--name-only", done.commit).splitlines()
    assert {"kept.py", "ours.py"} <= set(names)
    assert "dropped.py" not in names
    assert git(repository, "rev-parse", f"{done.commit}^") == newest


async def test_a_replaced_history_is_refused(bases, call, repository, git, push, others):
    git(others, "checkout", "--quiet", "--orphan", "fresh")
    push("new.py", "x\n", "--force")

    done = await bases.update(call, await bases.look(call))

    assert "no commit in common" in done.failure


async def test_a_branch_that_is_gone_names_the_default_one(bases, call, git, remote):
    git(remote, "branch", "--move", "main", "trunk")

    look = await bases.look(call)

    assert "has no branch main any more; its default branch is trunk" in look.note
    assert look.behind == 0


async def test_a_remote_that_is_gone_is_told_and_what_is_here_counts(
    bases, call, push, remote, repository, git
):
    push("one.py")
    await bases.look(call)
    remote.rename(remote.with_name("elsewhere.git"))

    look = await bases.look(call)

    assert look.note.startswith("origin was not fetched: ")
    assert look.behind == 1


async def test_another_address_than_the_known_one_is_never_asked(
    bases, call, push, repository, git, others
):
    push("one.py")
    git(repository, "remote", "set-url", "origin", str(others))

    look = await bases.look(call)

    assert "not the one of when the thread was opened" in look.note
    assert (look.behind, look.commit) == (0, "")


async def test_an_address_with_a_password_is_not_asked_as_others_would_see_it(
    bases, call, repository, git
):
    git(repository, "remote", "set-url", "origin", "https://me:x@127.0.0.1:9/octo/work.git")
    known = {"origin": "https://127.0.0.1:9/octo/work.git"}

    look = await bases.look(call.model_copy(update={"known": known}))

    assert "has a password in it" in look.note
    assert "me:x" not in look.note


async def test_a_repository_without_remote_has_nothing_to_look_at(
    bases, workspaces, repository, branch, call, git
):
    git(repository, "remote", "remove", "origin")

    look = await bases.look(call)

    assert (look.behind, look.note) == (0, "there is no remote any more")


async def test_a_new_branch_begins_at_the_newest_base(bases, call, push, repository, git):
    newest = push("one.py")

    for _ in range(2):
        look = await bases.begin(call)

        assert (look.tip, look.commit, look.behind) == (newest, newest, 0)
        assert git(repository, "rev-parse", BRANCH) == newest


async def test_a_new_branch_of_which_the_remote_is_away_begins_where_it_is(
    bases, call, repository, git, remote
):
    before = git(repository, "rev-parse", BRANCH)
    remote.rename(remote.with_suffix(".away"))

    look = await bases.begin(call)

    assert (look.tip, look.behind) == (before, 0)
    assert "was not fetched" in look.note


async def test_a_server_that_wants_a_password_is_not_asked_twice_and_nobody_is_prompted(
    bases, call, repository, git, refusing
):
    git(repository, "remote", "set-url", "origin", refusing.url)
    there = call.model_copy(update={"known": {"origin": refusing.url}})

    look = await bases.look(there)

    assert "was not fetched" in look.note
    assert "terminal prompts disabled" in look.note or "could not read" in look.note
    assert len(refusing.asked) == 1
