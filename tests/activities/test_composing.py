"""Work that is put together for a candidate: each file that was asked for."""

from temporalio.testing import ActivityEnvironment

from activities.conflicts import Conflicts
from domain.core.ids import TaskId, ThreadId
from domain.core.workspaces import CommitSpec, WorkspaceKind, WorkspaceSpec
from domain.threads.contests.effects import ComposeCall
from domain.threads.contests.state import TakenFiles
from tests import fakes

WORKSPACE = WorkspaceSpec(
    workspace_id="thread-1/app.c-1",
    kind=WorkspaceKind.TASK,
    thread_id=ThreadId("thread-1"),
    task_id=TaskId("app.c"),
    repository="/repo",
    base="treadle/x",
    begins_with="b" * 40,
)


def taken(letter: str, *files: str) -> TakenFiles:
    return TakenFiles(candidate=TaskId(f"app.{letter}"), commit="a" * 40, files=files)


async def test_a_commit_that_is_named_twice_gives_all_its_files() -> None:
    workspaces = fakes.PaperWorkspaces()
    conflicts = Conflicts(fakes.MemoryJournal(), workspaces, fakes.OpenFences())
    commit = CommitSpec(key="k", title="t", checkpoint_ref="refs/treadle/x")
    parts = (taken("a", "a.py"), taken("a", "b.py", "c.py"))

    call = ComposeCall(workspace=WORKSPACE, parts=parts, commit=commit)
    await ActivityEnvironment().run(conflicts.compose_work, call)

    assert workspaces.put == [{"a" * 40: ("a.py", "b.py", "c.py")}]
    assert workspaces.released == [WORKSPACE.workspace_id], (
        "a candidate that never starts would leave it"
    )
