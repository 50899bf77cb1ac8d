"""What a checkout holds beside the plain files of its commit, or leaves out: submodules, LFS, folders."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from domain.core.wire import Wire

_SPECIAL = frozenset("*?[\\")


class CheckoutShape(Wire):
    """How a worktree is checked out; by default as git does it.

    `is_recursive` goes for submodules of submodules. `sparse` are folders, with all that is in them;
    without any every file is checked out.
    """

    submodules: bool = False
    is_recursive: bool = False
    lfs: bool = False
    sparse: tuple[str, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether git alone makes it so."""
        return self == CheckoutShape()

    @property
    def needs_more(self) -> bool:
        """Whether it takes what a repository at hand may lack."""
        return self.submodules or self.lfs


def is_in_cone(path: str, folders: Iterable[str]) -> bool:
    """Tell whether a sparse checkout of folders has a file, as git's cone mode says.

    It has all that is in the folders, and the files that lie directly in a folder above one of them.
    """
    own = PurePosixPath(path).parts[:-1]
    return any(
        own == wanted[: len(own)] or own[: len(wanted)] == wanted for wanted in map(_parts, folders)
    )


def cone_patterns(folders: Iterable[str]) -> str:
    """Return what git's file `info/sparse-checkout` says for a checkout of folders, in cone mode."""
    wanted = {_parts(folder) for folder in folders}
    whole = {own for own in wanted if not any(own[:n] in wanted for n in range(1, len(own)))}
    above = {own[:n] for own in whole for n in range(1, len(own))}
    lines = ["/*", "!/*/"]
    for own in sorted(above | whole):
        lines.append(f"/{_escaped(own)}/")
        if own in above:
            lines.append(f"!/{_escaped(own)}/*/")
    return "".join(f"{line}\n" for line in lines)


def _parts(folder: str) -> tuple[str, ...]:
    return tuple(part for part in folder.split("/") if part not in {"", "."})


def _escaped(parts: Iterable[str]) -> str:
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in "/".join(parts))
