"""Of all attempts on a workspace only the newest one's processes run and write."""

import asyncio
import random

import pytest

from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from domain.core.errors import SupersededError
from domain.core.workspaces import Claim
from tests.adapters.fence_runs import many_runs
from tests.adapters.tagged import of_tag

FIRST = Claim(order=1)
RETRY = Claim(order=1, attempt=2)
NEXT = Claim(order=2)
RELEASE = Claim(order=0, is_release=True)


@pytest.fixture
def fences(data_dir) -> WorkspaceFences:
    return WorkspaceFences(data_dir / "fences")


def sleeper(folder, script="sleep 600") -> tuple[Command, str]:
    tag = f"tag-{folder}"
    return Command(("sh", "-c", f"echo ready; {script}; :", tag), folder), tag


@pytest.mark.parametrize(
    "script",
    [
        "sleep 600",
        "trap '' TERM; sleep 600",
        "kill -STOP $$",
        "exec 8>&- 9>&-; sleep 600",
        "setsid sh -c 'exec 8>&- 9>&-; exec env -i /bin/sh -c \"sleep 600; :\" tag' & wait",
    ],
    ids=["plain", "no-term", "stopped", "let-go", "daemon"],
)
async def test_a_retry_ends_what_the_attempt_before_started(fences, spawner, tmp_path, script):
    command, tag = sleeper(tmp_path, script)
    async with fences.held("w", FIRST):
        child = await spawner.start(command)
        await child.stdout.readline()

    async with fences.held("w", RETRY):
        assert of_tag(tag) == []
    await child.wait()


async def test_a_retry_ends_what_left_its_group_where_there_are_no_namespaces(
    fences, group_spawner, tmp_path
):
    command, tag = sleeper(tmp_path, "setsid sh -c 'exec 8>&- 9>&-; sleep 600; :' $0 & wait")
    async with fences.held("w", FIRST):
        child = await group_spawner.start(command)
        await child.stdout.readline()

    async with fences.held("w", RETRY):
        assert of_tag(tag) == []
    await child.wait()


async def test_the_next_turn_of_the_same_worker_keeps_its_agent(fences, spawner, tmp_path):
    command, _ = sleeper(tmp_path)
    async with fences.held("w", FIRST):
        child = await spawner.start(command)
        await child.stdout.readline()

    async with fences.held("w", NEXT):
        assert child.returncode is None
    await child.stop(grace=0)


async def test_a_workspace_of_the_same_id_in_another_data_folder_is_another_matter(
    fences, spawner, tmp_path
):
    command, _ = sleeper(tmp_path)
    elsewhere = WorkspaceFences(tmp_path / "elsewhere")
    async with fences.held("w", FIRST):
        child = await spawner.start(command)
        await child.stdout.readline()

    async with elsewhere.held("w", FIRST), elsewhere.held("w", RETRY):
        assert child.returncode is None
        assert not await child.is_over_within(0.1)
    await child.stop(grace=0)


async def test_another_workspace_is_another_matter(fences, spawner, tmp_path):
    command, _ = sleeper(tmp_path)
    async with fences.held("w", RETRY):
        child = await spawner.start(command)
        await child.stdout.readline()

    async with fences.held("other", RETRY):
        assert child.returncode is None
    await child.stop(grace=0)


@pytest.mark.parametrize("newer", [RETRY, NEXT, RELEASE], ids=["retry", "next", "release"])
async def test_an_older_attempt_does_not_get_the_workspace_back(fences, newer):
    async with fences.held("w", newer):
        pass

    with pytest.raises(SupersededError):
        async with fences.held("w", FIRST):
            pass


@pytest.mark.parametrize("is_brief", [True, False], ids=["brief", "namespace"])
async def test_a_child_of_a_superseded_attempt_does_not_run(fences, spawner, tmp_path, is_brief):
    async with fences.held("w", FIRST) as fence:
        await asyncio.create_task(taken_over(fences))

        child = await spawner.start(Command(("touch", "written"), tmp_path, is_brief=is_brief))
        assert await child.wait() != 0

        assert not (tmp_path / "written").exists()
        with pytest.raises(SupersededError):
            fence.refuse_stale()


async def test_a_command_that_a_newer_attempt_ended_has_no_result(fences, spawner, tmp_path):
    command, _ = sleeper(tmp_path)
    started = asyncio.Event()
    async with fences.held("w", FIRST):
        running = asyncio.create_task(spawner.run(command, beat=started.set))
        begun = asyncio.create_task(started.wait())
        await asyncio.wait({running, begun}, return_when=asyncio.FIRST_COMPLETED)
        assert not running.done(), repr(running.result())

    async with fences.held("w", RETRY):
        with pytest.raises(SupersededError):
            await running


async def test_of_many_takers_at_once_the_newest_holds(fences):
    claims = [Claim(order=1, attempt=n) for n in range(1, 30)]
    random.Random(1).shuffle(claims)  # noqa: S311  (any order)

    async def take(claim: Claim) -> bool:
        try:
            async with fences.held("w", claim) as fence:
                await asyncio.sleep(0)
                fence.refuse_stale()
                return True
        except SupersededError:
            return False

    await asyncio.gather(*map(take, claims))

    with pytest.raises(SupersededError):
        async with fences.held("w", Claim(order=1, attempt=28)):
            pass
    async with fences.held("w", Claim(order=1, attempt=29)) as fence:
        fence.refuse_stale()


async def test_a_stopped_worker_that_comes_back_does_no_harm():
    seed = random.SystemRandom().randrange(10**6)

    outcomes = await many_runs(4, seed)

    assert [(o.interleaved, o.stale) for o in outcomes] == [(0, 0)] * 4, f"seed {seed}"


async def taken_over(fences: WorkspaceFences) -> None:
    async with fences.held("w", RETRY):
        pass


async def test_of_two_workflows_in_one_workspace_the_later_grant_is_the_newer(fences):
    earlier = Claim(order=70, grant=1)
    async with fences.held("w", earlier) as first:
        async with fences.held("w", Claim(order=3, grant=2)) as second:
            second.refuse_stale()
        with pytest.raises(SupersededError):
            first.refuse_stale()
    with pytest.raises(SupersededError):
        async with fences.held("w", Claim(order=71, grant=1)):
            pass


async def test_a_workspace_is_released_once_it_was_given_up(fences):
    assert not fences.is_released("session-1")
    async with fences.held("session-1", Claim(order=2, attempt=1)):
        pass
    assert not fences.is_released("session-1")
    async with fences.held("session-1", Claim(order=2**31, attempt=1, is_release=True)):
        pass
    assert fences.is_released("session-1")
    assert not fences.is_released("session-2")
