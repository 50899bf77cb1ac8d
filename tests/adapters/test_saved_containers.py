"""A worktree that had a container is not put back by a backup: its task makes it, with a new one."""

from pathlib import Path

from adapters.containers.records import record_file
from adapters.files.removal import remove_tree
from adapters.git.saved_state import Aside, KnownWork, SavedState
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from tests.adapters.task_specs import BRANCH, THREAD, spec_of


async def test_only_the_worktree_without_a_container_is_made_again(
    spawner: Spawner, data_dir: Path, repository: Path, branch: str, workspaces: GitWorkspaces
) -> None:
    plain, contained = [
        await workspaces.prepare(spec_of(repository, f"task-{number}")) for number in (1, 2)
    ]
    record = record_file(data_dir, contained)
    record.parent.mkdir(parents=True)
    record.write_text("{}")
    state = SavedState(spawner, data_dir)
    work = KnownWork(
        root=str(repository), branches=frozenset({BRANCH}), streams=frozenset({THREAD})
    )
    saved = await state.read(work)
    assert {one.name: one.is_fitted for one in saved.worktrees} == {
        plain.name: False,
        contained.name: True,
    }
    for path in (plain, contained):
        remove_tree(path)
    await state.put_back(saved, work, Aside("now", data_dir / "aside"))
    assert (plain.is_dir(), contained.is_dir()) == (True, False)
