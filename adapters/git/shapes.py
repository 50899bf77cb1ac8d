"""What a worktree is beside a plain checkout, noted next to its folder, where no agent writes.

Git is told of it by its environment: a repository's own configuration stays as it is, so neither
`extensions.worktreeConfig` nor filters of Git LFS need be set up in it.
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from adapters.git.fingerprints import read_limited
from domain.recipes.shape import CheckoutShape, cone_patterns

_PLAIN = CheckoutShape()
_SPARSE = {"core.sparseCheckout": "true", "core.sparseCheckoutCone": "true"}
_LFS = {
    "filter.lfs.process": "git-lfs filter-process",
    "filter.lfs.clean": "git-lfs clean -- %f",
    "filter.lfs.smudge": "git-lfs smudge -- %f",
    "filter.lfs.required": "true",
}


def noted_shape(folder: Path) -> CheckoutShape:
    """Return what was noted of a worktree's folder; the plain one where nothing was."""
    content = read_limited(_file(folder))
    if content is None:
        return _PLAIN
    try:
        return CheckoutShape.model_validate_json(content)
    except ValidationError:
        return _PLAIN


def note_shape(folder: Path, admin: Path, shape: CheckoutShape) -> None:
    """Note what a worktree is, before git writes its first file."""
    if shape.is_plain:
        forget_shape(folder)
        return
    if shape.sparse:
        (admin / "info").mkdir(exist_ok=True)
        write_atomic(admin / "info" / "sparse-checkout", cone_patterns(shape.sparse))
    write_atomic(_file(folder), shape.model_dump_json())


def forget_shape(folder: Path) -> None:
    """Remove the note, once the worktree is gone."""
    _file(folder).unlink(missing_ok=True)


def shape_environment(shape: CheckoutShape) -> Mapping[str, str]:
    """Return what tells git of it."""
    settings = {**(_SPARSE if shape.sparse else {}), **(_LFS if shape.lfs else {})}
    if not settings:
        return {}
    told = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        told |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return told


def _file(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.checkout")
