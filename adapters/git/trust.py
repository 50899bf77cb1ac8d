"""The gate before every git command: run only while the metadata is what a person trusts.

Flags cannot turn everything off that a repository's metadata can make git do. So a
fingerprint is taken when a person opens the first thread on a repository; whatever differs from
it later may be an agent's work, and git is refused until a person has looked.
"""

from pathlib import Path

from adapters.files.trusted_metadata import TrustedMetadata
from adapters.git.commands import Git
from adapters.git.fingerprints import Fingerprints
from domain.core.errors import RepositoryError
from domain.core.trust import MetadataChanges

_NAMED = 5


class Trust:
    """Compares repositories with their trusted fingerprints."""

    def __init__(self, git: Git, data_dir: Path) -> None:
        self._fingerprints = Fingerprints(git)
        self._trusted = TrustedMetadata(data_dir)

    async def begin(self, root: Path) -> None:
        """Trust a checkout's repository as it is, if a person opens the first thread on it.

        Raises:
            RepositoryError: It is known, and not what is trusted.
        """
        if self._trusted.is_known(root):
            await self.check(root)
        else:
            self._trusted.trust(root, await self._fingerprints.of(root))

    async def check(self, root: Path, admin: Path | None = None) -> None:
        """Let a git command run, or not; `admin` is the folder of a worktree that it works in.

        Raises:
            RepositoryError: The metadata is not what is trusted; says what differs and what to do.
        """
        changes = self._trusted.compare(root, await self._fingerprints.of(root))
        if changes is not None:
            raise RepositoryError(_refusal(changes))
        if admin is not None:
            await self._check_own(admin / "config.worktree", admin.parent.parent)

    async def _check_own(self, config: Path, common: Path) -> None:
        """Refuse a configuration of a worktree's own; git itself copies the shared one there."""
        own = await self._fingerprints.of_config(config)
        shared = await self._fingerprints.of_config(common / config.name) if own else {}
        if any(
            shared.get(str(common / n.removeprefix(f"{config.parent}/"))) != own[n] for n in own
        ):
            raise RepositoryError(
                f"{config} was written by an agent or somebody else, and git would act on it: "
                "look at it, remove it, then retry the task"
            )


def _refusal(changes: MetadataChanges) -> str:
    names = [change.name for change in changes.changes]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (
        f"the git metadata of {changes.repository} is not what you trusted; an agent may have "
        f"changed it, so git is not run there. Different: {', '.join(names[:_NAMED])}{more}. "
        f"See and accept it with `treadle trust {changes.repository}`, or put it back; then retry"
    )
