"""What is noted of a worktree's container: under its name, in the data folder."""

import hashlib
import os
from pathlib import Path

from domain.core.wire import Wire


class ContainerRecord(Wire):
    """What a worktree's container is made of, and where the workspace is seen in it."""

    image: str
    folder: Path


def owner_of(data_dir: Path) -> str:
    """Return the name by which containers and images of a data folder are told from others'."""
    return _digest(data_dir.resolve())


def container_name(data_dir: Path, worktree: Path) -> str:
    """Return the name of a worktree's container."""
    return f"treadle-{owner_of(data_dir)}-{_digest(worktree)}"


def record_file(data_dir: Path, worktree: Path) -> Path:
    """Return the file that is there if a worktree was given a container."""
    return data_dir / "containers" / f"{container_name(data_dir, worktree)}.json"


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
