"""Threads that move between hosts by a hub: brought once, also where they were before, and copied at once."""

from tests.adapters.task_specs import THREAD
from tests.adapters.test_hub import BRANCH, HubHost, first, on_hub, origin, task_in, url

__all__ = ["first", "origin", "url"]


async def test_a_thread_that_comes_back_finds_the_newest_work_and_keeps_what_was_left(
    first, git, origin, tmp_path
):
    await first.work(1, "one")
    await first.copies.copy_all()
    stale = await first.workspaces.prepare(task_in(first.root))
    (stale / "new.py").write_text("left behind")
    second = await HubHost(tmp_path / "b").enter(first.found)
    await second.bring(1)
    await second.work(2, "two")
    await second.copies.copy_now(THREAD, str(second.found.remote))

    await first.bring(2)
    third = await first.work(3, "three")

    assert await first.copies.copy_all()
    assert third in on_hub(git, origin).values()
    assert git(first.root, "show", f"{third}~1:new.py") == "two"
    (aside,) = (tmp_path / "a" / "aside").rglob("new.py")
    assert aside.read_text() == "left behind"
    assert not first.told
    claims = git(origin, "log", "--format=%s", first.copy.fence)
    await first.bring(2)  # it is here already
    assert git(origin, "log", "--format=%s", first.copy.fence) == claims


async def test_a_thread_that_was_never_copied_begins_with_nothing(first, git, origin, tmp_path):
    second = await HubHost(tmp_path / "b").enter(first.found)
    await second.bring(1)
    await second.workspaces.create_branch(str(second.root), BRANCH, "HEAD")
    await second.work(1, "one")
    await second.copies.copy_now(THREAD, str(second.found.remote))
    assert "Generation 1 of b" in git(origin, "log", "--format=%s", second.copy.fence)


async def test_what_a_workspace_has_committed_is_copied_at_once(first, git, origin):
    await first.bring(0)
    await first.work(1, "one")
    await first.copies.copy_work(task_in(first.root))
    assert git(origin, "for-each-ref", f"{first.copy.prefix}/treadle/")


async def test_while_the_hub_is_away_no_activity_waits_for_it(first, origin, monkeypatch):
    await first.work(1, "one")
    origin.rename(origin.with_name("away.git"))
    await first.copies.copy_now(THREAD, str(first.found.remote))
    assert first.copy.failing_since is not None
    pushes = []
    monkeypatch.setattr(first.hub, "push", pushes.append)
    await first.copies.copy_now(THREAD, str(first.found.remote))
    assert pushes == []
