"""`python -m tests.adapters.full_disk CASE DISK OTHER`: writes to a small disk until it is full, and says what was said.

DISK is a file system of some MB, OTHER a folder that has room. The case's last line is the message.
"""

import asyncio
import errno
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from adapters.disk_room import describe_error
from adapters.files.plan_documents import PlanDocumentFiles
from adapters.files.plan_files import PlanFileFolders
from adapters.files.state_files import write_atomic
from adapters.files.template_files import TemplateFiles
from adapters.files.trusted_files import TrustedFiles
from adapters.git.workspaces import GitWorkspaces
from adapters.journal import open_journal
from adapters.processes.spawner import Spawner
from cli.core.errors import CommandError
from cli.core.files import write_whole
from domain.core.errors import TreadleError
from domain.core.ids import ThreadId
from domain.core.project_map import PlanFolders
from domain.threads.lifecycle.plan_document import PlanDocument
from domain.threads.plan_files.edits import PlanFileEdit, PlanFileOp
from domain.verification.checkouts import Recipe
from settings import Settings
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.registry_lab import NPM, RegistryLab, profile_of
from tests.adapters.task_specs import BRANCH, commit_of, spec_of
from treadle.backup import make_backup
from treadle.engine import EngineError
from treadle.restore import restore_backup

BIG = 6_000_000
BLOCK = 4096
AUTHOR = ("-c", "user.name=Ann", "-c", "user.email=ann@x")


def fill(disk: Path, *, leave: int = 0) -> None:
    """Write until nothing goes in any more, then give back some blocks."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(b"\0" * BLOCK):
                pass
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
        file.truncate(file.tell() // BLOCK * BLOCK - leave * BLOCK)


def repository_in(folder: Path, **files: bytes) -> Path:
    repository = folder / "project"
    repository.mkdir()
    (repository / ".gitignore").write_text("node_modules/\n")
    for name, content in files.items():
        (repository / name).write_bytes(content)
    for words in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "."),
        (*AUTHOR, "commit", "--quiet", "--message=first"),
        ("branch", BRANCH),
    ):
        subprocess.run(["git", "-C", repository, *words], check=True, stdout=sys.stderr)
    return repository


async def workspaces_in(data: Path, repository: Path) -> GitWorkspaces:
    found = GitWorkspaces(Spawner(data / "runs", BASE_ENVIRONMENT), data)
    await found.inspect(str(repository))
    return found


async def commit(disk: Path, other: Path) -> None:
    """The repository's own disk is full: its objects have no place."""
    repository = repository_in(disk, a=b"a")
    workspaces = await workspaces_in(other, repository)
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "big").write_bytes(os.urandom(BIG))
    await workspaces.commit(spec, commit_of("turn-1"))


async def worktree(disk: Path, other: Path) -> None:
    repository = repository_in(other, big=os.urandom(BIG))
    workspaces = await workspaces_in(disk, repository)
    await workspaces.prepare(spec_of(repository, "task-1"))


async def checkout(disk: Path, other: Path) -> None:
    """There is room for the work once, and not for what steps run on."""
    repository = repository_in(other, half=os.urandom(BIG // 3))
    workspaces = await workspaces_in(disk, repository)
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "node_modules").mkdir()
    (path / "node_modules" / "big").write_bytes(os.urandom(100_000))
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.checkouts.open(spec, snapshot.commit, Recipe())


async def carrying(disk: Path, other: Path) -> None:
    """There is room for the commit, and not for the dependencies beside it."""
    repository = repository_in(other, a=b"a")
    workspaces = await workspaces_in(disk, repository)
    spec = spec_of(repository, "task-1")
    path = await workspaces.prepare(spec)
    (path / "node_modules").mkdir()
    (path / "node_modules" / "half").write_bytes(os.urandom(BIG // 3))
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    await workspaces.checkouts.open(spec, snapshot.commit, Recipe())


async def _saved(other: Path) -> tuple[Settings, Path]:
    settings = Settings(data_dir=other / "saved")
    async with open_journal(settings.journal) as journal:
        await journal.put_text("x" * BIG)
    make_backup(settings, other / "saved.tar")
    return settings, other / "saved.tar"


async def backup(disk: Path, other: Path) -> None:
    settings, _ = await _saved(other)
    make_backup(settings, disk / "saved.tar")


async def restore(disk: Path, other: Path) -> None:
    _, file = await _saved(other)
    settings = Settings(data_dir=disk / "data")
    settings.data_dir.mkdir()
    restore_backup(settings, file, is_forced=False)


async def attachment(disk: Path, _other: Path) -> None:
    async with open_journal(f"sqlite:///{disk / 'data' / 'journal.db'}") as journal:
        await journal.put_text("x" * BIG)


async def state_file(disk: Path, _other: Path) -> None:
    write_atomic(disk / "engine.json", "x" * BIG)


async def trust(disk: Path, _other: Path) -> None:
    (disk / "trust").mkdir()
    fill(disk)
    TrustedFiles(disk, "agent").add("/a", "hash", "ann")


async def template(disk: Path, _other: Path) -> None:
    repository = repository_in(disk, a=b"a")
    fill(disk)
    TemplateFiles().create("mine", str(repository))


async def own_template(disk: Path, _other: Path) -> None:
    """The first of a person's own: its folders have no place."""
    fill(disk)
    TemplateFiles(disk / "config").create("mine", None)


async def export(disk: Path, _other: Path) -> None:
    write_whole(disk / "thread.md", ("x" * 1000 for _ in range(BIG // 1000)))


async def plan_files(disk: Path, _other: Path) -> None:
    folders = PlanFileFolders(disk)
    edit = PlanFileEdit(op=PlanFileOp.INIT, at=datetime.now(UTC))
    await folders.edit(ThreadId("thread-a"), edit)
    fill(disk)
    write = PlanFileEdit(
        op=PlanFileOp.WRITE, at=datetime.now(UTC), content="# Plan\n" + "x" * 50_000
    )
    await folders.edit(ThreadId("thread-a"), write)


async def plan_document(disk: Path, _other: Path) -> None:
    folders = PlanFolders(active="plans/active", completed="plans/done")
    document = PlanDocument(
        name="plan.md", marker="<!-- plan -->", text="<!-- plan -->\n" + "x" * BIG
    )
    await PlanDocumentFiles().write(str(disk), folders, document)


async def installation(disk: Path, _other: Path) -> None:
    lab = RegistryLab(disk)
    lab.node(instead=f"head -c {BIG} /dev/zero > $prefix.tgz || exit 1")
    await lab.install(profile_of(**NPM))


async def installation_mark(disk: Path, other: Path) -> None:
    """The package came whole, and its mark has no place."""
    lab = RegistryLab(disk)
    lab.node()
    folder = lab.programs.folders.root / "mine-1.2.3"
    lab.programs.folders.finish = lambda *_: write_atomic(folder / "installed.json", "x" * BIG)
    await lab.install(profile_of(**NPM))


Case = Callable[[Path, Path], Awaitable[None]]
CASES: dict[str, Case] = {
    case.__name__: case
    for case in (
        *(commit, worktree, checkout, carrying, backup, restore, attachment, state_file, trust),
        *(template, own_template, export, plan_files, plan_document),
        *(installation, installation_mark),
    )
}


def main() -> None:
    name, disk, other = sys.argv[1], *map(Path, sys.argv[2:])
    said = "there was room"
    try:
        asyncio.run(CASES[name](disk, other))
    except TreadleError as error:
        said = error.message
    except (EngineError, CommandError) as error:
        said = str(error)
    except OSError as error:  # told so by the API, by activities and by commands
        said = describe_error(error, disk)
    sys.stdout.write(said)


if __name__ == "__main__":
    main()
