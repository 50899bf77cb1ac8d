"""Clean checkouts: a commit's files by themselves, which verification steps run on (0030).

Of what the agent left beside them, only the dependency folders that a recipe names are there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from domain.core.text import on_one_line
from domain.core.wire import Wire
from domain.core.workspaces import WorkspaceSpec
from domain.verification.judges.suspects import Judged
from domain.verification.steps import StepResult, VerificationStep

DEPENDENCIES = ("node_modules", ".venv", "venv", "target", "vendor")
"""What is carried over unless a template says otherwise."""

_MAX_NAMES = 5


class Recipe(Wire):
    """What a clean checkout gets before the steps run, by the template.

    `prepare` are commands that run in it first. `carry` are ignored folders or files of the task's
    worktree that are copied into it: by name, wherever they lie, or by path. None of it is the usual
    dependency folders, which nobody chose.
    """

    prepare: tuple[str, ...] = ()
    carry: tuple[str, ...] | None = None

    @property
    def carried(self) -> tuple[str, ...]:
        """What is carried over where the base ignores it."""
        return DEPENDENCIES if self.carry is None else self.carry

    def wanted(self, *, is_set_up: bool) -> tuple[str, ...]:
        """Return what is carried over; into a checkout that is set up only what the template says."""
        return self.carry or () if is_set_up else self.carried


@dataclass(frozen=True)
class BesideCheckout:
    """The checkout of a repository beside: what it is called, where it lies, and where steps see it."""

    name: str
    directory: Path
    shown_at: Path


@dataclass(frozen=True)
class Checkout:
    """One clean checkout: where it lies, and where its steps see it: in the worktree's place.

    Programs in carried folders name the worktree they were installed in (shebangs, `.pth` files). With
    others `beside`, `tree` names the trees of all.
    """

    directory: Path
    shown_at: Path
    tree: str
    carried: tuple[str, ...] = ()
    is_prepared: bool = False
    beside: tuple[BesideCheckout, ...] = ()


class Watch(Protocol):
    """What the processes of one step open of the files that could judge it."""

    def end(self) -> tuple[Judged, ...]:
        """Return what was opened, is gone or is a link; and watch no more."""
        ...

    def close(self) -> None:
        """Watch no more; once more is fine."""
        ...


class Checkouts(Protocol):
    """Clean checkouts, at most one for a workspace."""

    async def open(self, spec: WorkspaceSpec, commit: str, recipe: Recipe) -> Checkout:
        """Return the checkout of a commit, made unless it is there; a killed attempt's is made anew.

        Raises:
            WorkspaceError: There is no room for it.
        """
        ...

    async def prepared(self, spec: WorkspaceSpec) -> None:
        """Note that the recipe's commands have run in it."""
        ...

    async def watch(self, spec: WorkspaceSpec, commit: str, step: VerificationStep) -> Watch:
        """Watch what the task changed and what could judge it, until the step has ended."""
        ...

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of the commit it does not hold as they are in it."""
        ...

    async def worktree(self, spec: WorkspaceSpec) -> Path | None:
        """Return where the worktree is that checkouts are beside, None where it is not made."""
        ...

    async def discard(self, spec: WorkspaceSpec) -> None:
        """Remove the checkout; a missing one is fine."""
        ...


def ran_on(result: StepResult, checkout: Checkout, recipe: Recipe) -> StepResult:
    """Return a step's result with what it ran on: the receipt of its verification."""
    own = "" if result.passed else _hint(checkout)
    return result.model_copy(
        update={
            "tree": checkout.tree,
            "carried": checkout.carried,
            "is_carry_chosen": recipe.carry is not None,
            "output": f"{result.output}\n{own}".strip() if own else result.output,
        }
    )


def carried_in(results: Sequence[StepResult]) -> tuple[str, ...]:
    """Return what steps had of the task's own ignored files, each once, in order."""
    return tuple(dict.fromkeys(name for result in results for name in result.carried))


def has_unchosen(results: Sequence[StepResult]) -> bool:
    """Tell whether a step had files of the task's that nobody but its agent chose."""
    return any(result.carried and not result.is_carry_chosen for result in results)


def carried_words(results: Sequence[StepResult]) -> str:
    """Say what a verification had of the task's own ignored files; nothing where it had none."""
    names = carried_in(results)
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    listed = ", ".join(on_one_line(name) for name in names[:_MAX_NAMES])
    return f"verified with the task's {listed}{more}" if names else ""


def _hint(checkout: Checkout) -> str:
    carried = ", ".join(map(on_one_line, checkout.carried))
    but = f" except {carried}" if carried else ""
    return (
        f"(It ran on a clean checkout of the commit, without files that git ignores{but}. "
        "Commit what it needs, make it in a step or in the template's `prepare`, or list it in "
        "`carry`.)"
    )
