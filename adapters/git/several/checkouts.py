"""Clean checkouts of several repositories, beside each other as the worktrees are."""

from dataclasses import replace
from pathlib import Path

from adapters.git.several.places import Places, named
from domain.core.workspaces import WorkspaceSpec
from domain.verification.checkouts import BesideCheckout, Checkout, Checkouts, Recipe, Watch
from domain.verification.steps import VerificationStep


class SeveralCheckouts:
    """The `Checkouts` port: a commit's checkout has those of the commits that it names beside it."""

    def __init__(self, one: Checkouts, places: Places) -> None:
        self._one = one
        self._places = places

    async def open(self, spec: WorkspaceSpec, commit: str, recipe: Recipe) -> Checkout:
        """Return the checkout of a commit, made unless it is there; a killed attempt's is made anew.

        Raises:
            RepositoryError: The commit is gone.
            WorkspaceError: There is no room for it.
        """
        own = await self._one.open(spec, commit, recipe)
        if not spec.beside:
            return own
        manifest = await self._places.manifest(spec, commit)
        beside: list[BesideCheckout] = []
        for each in self._places.known_beside(spec):
            made = await self._one.open(each, manifest[each.name], Recipe(carry=()))
            beside.append(BesideCheckout(each.name, made.directory, made.shown_at))
        tree = await self._places.tree(spec, commit, manifest)
        return replace(own, tree=tree, beside=tuple(beside))

    async def prepared(self, spec: WorkspaceSpec) -> None:
        """Note that the recipe's commands have run in it."""
        await self._one.prepared(spec)

    async def watch(self, spec: WorkspaceSpec, commit: str, step: VerificationStep) -> Watch:
        """Watch what the task changed and what could judge it, until the step has ended."""
        return await self._one.watch(spec, commit, step)

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of the commit it does not hold as they are in it."""
        altered = [*await self._one.altered(spec, commit)]
        if spec.beside:
            manifest = await self._places.manifest(spec, commit)
            for each in self._places.known_beside(spec):
                files = await self._one.altered(each, manifest[each.name])
                altered += named(each.name, files)
        return tuple(altered)

    async def worktree(self, spec: WorkspaceSpec) -> Path | None:
        """Return where the worktree is that checkouts are beside, None where it is not made."""
        return await self._one.worktree(spec)

    async def discard(self, spec: WorkspaceSpec) -> None:
        """Remove the checkouts; missing ones are fine."""
        for each in self._places.known_beside(spec):
            await self._one.discard(each)
        await self._one.discard(spec)
