"""What an agent can plant in git's metadata so that the next git command runs its program.

Each attack gets the user's repository, a worktree of Treadle's and a program that leaves a canary.
"""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

ATTRIBUTES = "* filter=evil diff=evil merge=evil\n"
Attack = Callable[[Path, Path, str], None]


def config(repository: Path, *settings: tuple[str, str], file: str = "config") -> None:
    """Set keys of the shared configuration, without asking it anything."""
    for key, value in settings:
        target = repository / ".git" / file
        subprocess.run(["git", "config", "--file", target, "--add", key, value], check=True)


def fsmonitor(repository: Path, worktree: Path, program: str) -> None:
    config(repository, ("core.fsmonitor", program))


def hooks_path(repository: Path, worktree: Path, program: str) -> None:
    for folder in (repository, worktree):
        plant_hooks(folder / "evil-hooks", program)
    config(repository, ("core.hooksPath", str(worktree / "evil-hooks")))


def hooks(repository: Path, worktree: Path, program: str) -> None:
    plant_hooks(repository / ".git" / "hooks", program)


def filter_clean(repository: Path, worktree: Path, program: str) -> None:
    (worktree / ".gitattributes").write_text(ATTRIBUTES)
    config(repository, ("filter.evil.clean", program), ("filter.evil.smudge", program))


def filter_process(repository: Path, worktree: Path, program: str) -> None:
    (repository / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    config(repository, ("filter.evil.process", program))


def diff_driver(repository: Path, worktree: Path, program: str) -> None:
    (repository / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    config(repository, ("diff.evil.command", program), ("diff.external", program))


def textconv(repository: Path, worktree: Path, program: str) -> None:
    (repository / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    config(repository, ("diff.evil.textconv", program))


def merge_driver(repository: Path, worktree: Path, program: str) -> None:
    (repository / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    config(repository, ("merge.evil.driver", program), ("merge.default", "evil"))


def signing(repository: Path, worktree: Path, program: str) -> None:
    config(
        repository, ("gpg.program", program), ("commit.gpgSign", "true"), ("log.showSignature", "1")
    )


def editor_pager_alias(repository: Path, worktree: Path, program: str) -> None:
    config(
        repository,
        *(("core.editor", program), ("core.pager", program), ("sequence.editor", program)),
        *((f"alias.{name}", f"!{program}") for name in ("status", "st", "co")),
    )


def transport(repository: Path, worktree: Path, program: str) -> None:
    config(
        repository,
        *(("remote.origin.url", "ssh://127.0.0.1:1/x"), ("core.sshCommand", program)),
        *(("remote.origin.uploadpack", program), ("credential.helper", f"!{program}")),
    )


def included(repository: Path, worktree: Path, program: str) -> None:
    (worktree / "more.ini").write_text(f'[core]\n\tfsmonitor = "{program}"\n')
    config(repository, ("include.path", str(worktree / "more.ini")))


def conditionally_included(repository: Path, worktree: Path, program: str) -> None:
    (repository / "more.ini").write_text(f'[core]\n\tfsmonitor = "{program}"\n')
    config(repository, ("includeIf.gitdir:/.path", str(repository / "more.ini")))


def worktree_config(repository: Path, worktree: Path, program: str) -> None:
    config(repository, ("extensions.worktreeConfig", "true"))
    folder = repository / ".git"
    for admin in (folder, *folder.glob("worktrees/*")):
        (admin / "config.worktree").write_text(f'[core]\n\tfsmonitor = "{program}"\n')


def pointer(repository: Path, worktree: Path, program: str) -> None:
    """Both checkouts point to a repository of the agent's."""
    evil = copy_of(repository, program)
    (worktree / ".git").write_text(f"gitdir: {evil}\n")
    (repository / ".git").rename(repository / ".git-before")
    (repository / ".git").write_text(f"gitdir: {evil}\n")


def commondir(repository: Path, worktree: Path, program: str) -> None:
    evil = copy_of(repository, program)
    for admin in (repository / ".git", *(repository / ".git" / "worktrees").glob("*")):
        (admin / "commondir").write_text(f"{evil}\n")


def gitdir(repository: Path, worktree: Path, program: str) -> None:
    """The worktree's administrative folder says that the worktree is elsewhere, with a filter."""
    config(repository, ("core.worktree", str(worktree)), ("filter.evil.clean", program))
    (repository / ".git" / "info" / "attributes").write_text(ATTRIBUTES)
    for admin in (repository / ".git" / "worktrees").glob("*"):
        (admin / "gitdir").write_text(f"{repository}/elsewhere/.git\n")


def alternates(repository: Path, worktree: Path, program: str) -> None:
    evil = copy_of(repository, program)
    (repository / ".git" / "objects" / "info" / "alternates").write_text(f"{evil}/objects\n")
    config(repository, ("core.alternateRefsCommand", program))


def submodule(repository: Path, worktree: Path, program: str) -> None:
    """A nested repository with a monitor of its own, asked for its state, and an ext:: address."""
    for folder in (repository, worktree):
        nested = folder / "nested"
        shutil.copytree(copy_of(repository, program), nested / ".git", dirs_exist_ok=True)
        (nested / "app.py").write_text("print(3)\n")
        (folder / ".gitmodules").write_text(
            f'[submodule "nested"]\n\tpath = nested\n\turl = "ext::{program}"\n\tignore = none\n'
            f"\tupdate = !{program}\n"
        )
    config(repository, ("submodule.recurse", "true"), ("status.submoduleSummary", "true"))


def lazy_fetch(repository: Path, worktree: Path, program: str) -> None:
    """A promise that missing objects come from a program, and a missing object."""
    config(
        repository,
        *(("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "evil")),
        *(("remote.evil.promisor", "true"), ("remote.evil.url", f"ext::{program}")),
        *(("protocol.ext.allow", "always"), ("remote.evil.fetch", "+refs/*:refs/evil/*")),
    )
    for blob in sorted((repository / ".git" / "objects").glob("??/*"))[:2]:
        blob.unlink()


ATTACKS: tuple[Attack, ...] = (
    *(fsmonitor, hooks_path, hooks, filter_clean, filter_process, diff_driver, textconv),
    *(merge_driver, signing, editor_pager_alias, transport, included, conditionally_included),
    *(worktree_config, pointer, commondir, gitdir, alternates, submodule, lazy_fetch),
)


def plant_hooks(folder: Path, program: str) -> None:
    """Plant a hook for all that git does often."""
    folder.mkdir(exist_ok=True)
    for name in (
        *("pre-commit", "commit-msg", "post-commit", "post-checkout", "post-merge"),
        *("reference-transaction", "post-index-change", "prepare-commit-msg", "pre-merge-commit"),
    ):
        (folder / name).write_text(f"#!/bin/sh\n{program}\n")
        (folder / name).chmod(0o755)


def copy_of(repository: Path, program: str) -> Path:
    """Return a copy of the git folder, made evil."""
    evil = repository.parent / "evil.git"
    if not evil.exists():
        shutil.copytree(repository / ".git", evil)
        target = ["git", "config", "--file", evil / "config"]
        subprocess.run([*target, "core.fsmonitor", program], check=True)
        plant_hooks(evil / "hooks", program)
    return evil
