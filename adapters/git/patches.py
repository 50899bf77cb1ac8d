"""Patches between commits."""

from collections.abc import Sequence

from adapters.git.commands import Git, GitPlace
from adapters.git.manifests import Manifests
from adapters.git.repositories import Repositories
from domain.core.workspaces import BesideRepository

_LIMIT_BYTES = 4 << 20


class Patches:
    """Makes the patches of repositories, and of those beside them."""

    def __init__(self, git: Git, repositories: Repositories) -> None:
        self._git = git
        self._repositories = repositories
        self._manifests = Manifests(git)

    async def between(
        self, repository: str, base: str, commit: str, beside: Sequence[BesideRepository]
    ) -> str:
        """Return the patch between two commits, and between those that they name beside them."""
        place = (await self._repositories.find(repository)).place
        parts = [await patch_between(self._git, place, base, commit)]
        old = await self._manifests.of(place, base, beside)
        new = await self._manifests.of(place, commit, beside)
        for one in (each for each in beside if old[each.name] != new[each.name]):
            other = (await self._repositories.find(one.repository)).place
            range_, folder = (old[one.name], new[one.name]), f"../{one.name}/"
            parts.append(await patch_between(self._git, other, *range_, folder))
        return "".join(parts)


async def patch_between(git: Git, place: GitPlace, base: str, commit: str, folder: str = "") -> str:
    """Return the patch between two commits; beyond 4 MiB its middle is cut, and marked.

    Its files are named as in a `folder`.
    """
    named = (f"--src-prefix=a/{folder}", f"--dst-prefix=b/{folder}") if folder else ()
    patch = await git.run(
        place,
        *("diff-tree", "-p", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv"),
        *(*named, "--end-of-options", base, commit),
        output_limit_bytes=_LIMIT_BYTES,
    )
    return patch.output.text()
