"""The `Checkouts` port on git: detached worktrees of single commits, without what an agent left.

Whatever kills a worker: a checkout without its marker is made anew, and what is there by the time
that its workspace is released goes with that.
"""

from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from adapters.git.carry_over import CarryOver
from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.fingerprints import read_limited
from adapters.git.repositories import Repository
from adapters.git.stale_worktrees import CLEAN_MARKER
from adapters.git.step_watch import StepWatch, watch_step
from adapters.git.worktree import Handed, Worktree, refuse_missing
from adapters.git.worktrees import Worktrees
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.verification.checkouts import Checkout, Recipe, Watch
from domain.verification.steps import StepType, VerificationStep

Reuse = Callable[[Repository, Path, str], bool]
"""Takes the folder of a used checkout for a spare at a commit; False where none lacks."""

CLEAN = "~clean"
"""What the id of a clean checkout ends in."""

_STARTED = {StepType.COMMAND, StepType.SCRIPT}


class _About(Wire):
    """What a checkout's marker says: it is whole, and of this commit."""

    commit: str
    tree: str
    base: str = ""
    carried: tuple[str, ...] = ()
    is_prepared: bool = False


class CleanCheckouts:
    """One clean checkout for a workspace, beside its worktree."""

    def __init__(
        self, git: Git, worktrees: Worktrees, commits: Commits, carrying: CarryOver, reuse: Reuse
    ) -> None:
        self._git = git
        self._reuse = reuse
        self._worktrees = worktrees
        self._commits = commits
        self._carrying = carrying

    async def open(self, spec: WorkspaceSpec, commit: str, recipe: Recipe) -> Checkout:
        """Return the checkout of a commit, made unless it is there; a killed attempt's is made anew.

        Raises:
            RepositoryError: The commit is gone.
            WorkspaceError: There is no room for it.
        """
        source, clean = await self._both(spec)
        about = _known(clean) if clean.is_made else None
        if about is None or about.commit != commit:
            await self.discard(spec)
            about = await self._make(spec, commit, recipe)
        return Checkout(
            clean.path, source.path, about.tree, about.carried, is_prepared=about.is_prepared
        )

    async def prepared(self, spec: WorkspaceSpec) -> None:
        """Note that the recipe's commands have run in it."""
        _, clean = await self._both(spec)
        refuse_missing(clean)
        if (about := _known(clean)) is not None:
            _note(clean, about.model_copy(update={"is_prepared": True}))

    async def watch(self, spec: WorkspaceSpec, commit: str, step: VerificationStep) -> Watch:
        """Watch what the task changed and what could judge it, until the step has ended."""
        _, clean = await self._both(spec)
        about = _known(clean)
        if about is None or not about.base or step.type not in _STARTED:
            return StepWatch(clean.path, ())
        return await watch_step(self._git, clean, (about.base, commit), step)

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of the commit it does not hold as they are in it."""
        _, clean = await self._both(spec)
        refuse_missing(clean)
        return await self._commits.altered(clean, commit)

    async def worktree(self, spec: WorkspaceSpec) -> Path | None:
        """Return where the worktree is that checkouts are beside, None where it is not made."""
        source = await self._worktrees.find(spec)
        return source.path if source.is_made else None

    async def discard(self, spec: WorkspaceSpec) -> None:
        """Remove the checkout; a missing one is fine."""
        _, clean = await self._both(spec)
        trash = clean.path.with_name(f"{clean.path.name}.removed")
        if any(folder.exists() for folder in (clean.path, clean.admin, trash)):

            def reuse(folder: Path) -> bool:
                return self._reuse(clean.repository, folder, spec.base)

            is_usual = clean.is_made and clean.shape.is_plain and not spec.name
            await self._worktrees.discard(clean, reuse if is_usual else None)

    async def _make(self, spec: WorkspaceSpec, commit: str, recipe: Recipe) -> _About:
        source = await self._worktrees.find(spec)
        clean = await self._worktrees.prepare(_apart(spec, commit))
        clean.mark(Handed.KEPT)
        tree = await self._git.line(
            clean.place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )
        known = await self._git.run(
            clean.place,
            *("merge-base", "--end-of-options", spec.base, commit),
            accepts=(0, 1, 128),
        )
        carried: tuple[str, ...] = ()
        base = known.output.text().strip() if known.returncode == 0 else ""
        wanted = recipe.wanted(is_set_up=bool(spec.recipe))
        if base and wanted:
            carried = await self._carrying.carry(source, clean, base, wanted)
        about = _About(commit=commit, tree=tree, base=base, carried=carried)
        _note(clean, about)
        return about

    async def source_of(self, worktree: Worktree, spec: WorkspaceSpec) -> Worktree:
        """Return the worktree that processes in this one see it as: of a clean checkout, the task's."""
        name = spec.workspace_id.removesuffix(CLEAN)
        if name == spec.workspace_id or not self._carrying.is_shown_elsewhere:
            return worktree
        return await self._worktrees.find(spec.model_copy(update={"workspace_id": name}))

    async def _both(self, spec: WorkspaceSpec) -> tuple[Worktree, Worktree]:
        """Return the worktree of a workspace, and its clean checkout."""
        return await self._worktrees.find(spec), await self._worktrees.find(_apart(spec, ""))


def _apart(spec: WorkspaceSpec, commit: str) -> WorkspaceSpec:
    return WorkspaceSpec(
        workspace_id=f"{spec.workspace_id}{CLEAN}",
        kind=spec.kind,
        repository=spec.repository,
        thread_id=spec.thread_id,
        task_id=spec.task_id,
        base=commit,
        recipe=spec.recipe,
        name=spec.name,
    )


def _marker(clean: Worktree) -> Path:
    return clean.admin / CLEAN_MARKER


def _known(clean: Worktree) -> _About | None:
    content = read_limited(_marker(clean))
    try:
        return _About.model_validate_json(content or b"")
    except ValidationError:
        return None  # it is not there, or a killed attempt's


def _note(clean: Worktree, about: _About) -> None:
    write_atomic(_marker(clean), about.model_dump_json())
