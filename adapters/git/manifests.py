"""Which commits of several repositories belong together: the one of a thread's own names the others."""

import re
from collections.abc import Mapping, Sequence

from adapters.git.commands import Git, GitPlace
from domain.core.workspaces import BesideRepository

TRAILER = "Treadle-Beside"
_VALUE = re.compile(r"(\S+) ([0-9a-f]{40}(?:[0-9a-f]{24})?)")


class Manifests:
    """Reads what commits of Treadle's name."""

    def __init__(self, git: Git) -> None:
        self._git = git

    async def of(
        self, place: GitPlace, commit: str, beside: Sequence[BesideRepository]
    ) -> dict[str, str]:
        """Return the commits that belong to one of a thread's own repository, by the names of theirs.

        They are those that the newest commit before it names, since the thread began; else those that
        the thread began with.
        """
        if not beside:
            return {}
        found = await self._git.run(
            place,
            *("log", "--first-parent", "--no-show-signature", "-n1", f"--grep=^{TRAILER}: "),
            *(f"--format=%(trailers:key={TRAILER},valueonly)", "--end-of-options"),
            *(commit, f"^{beside[0].since}", "--"),
        )
        lines = (_VALUE.fullmatch(line) for line in found.output.text().splitlines())
        named = {line[1]: line[2] for line in lines if line}
        return {one.name: named.get(one.name, one.begins_at) for one in beside}


def trailers_of(manifest: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what a commit's message names them by."""
    return tuple((TRAILER, f"{name} {commit}") for name, commit in sorted(manifest.items()))
