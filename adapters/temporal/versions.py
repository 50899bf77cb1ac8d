"""Worker Versioning: which version of the program carries out which runs, where a team asks for it (docs/adr/0056)."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from temporalio import workflow
from temporalio.common import VersioningBehavior, WorkerDeploymentVersion
from temporalio.worker import WorkerDeploymentConfig

DEFINITION = "__temporal_workflow_definition"
PINNED = frozenset(("Task", "Session", "Flow"))
"""Workflows whose runs end on the version that began them, while a worker of it is there."""


@dataclass(frozen=True)
class Deployment:
    """The version that this worker is, and how much of what could be its own it gets at first."""

    name: str
    build_id: str
    ramp_percent: int = 100

    @property
    def config(self) -> WorkerDeploymentConfig:
        """The same, for a worker of the shared queue."""
        return WorkerDeploymentConfig(
            version=WorkerDeploymentVersion(self.name, self.build_id), use_worker_versioning=True
        )


def versioned(workflows: Sequence[type]) -> list[type]:
    """Return workflows that say how they behave when another version comes.

    They are classes of their own: a server refuses the word of a worker that has no version.
    """
    return [_versioned(one) for one in workflows]


def _versioned(cls: type) -> type:
    known = workflow._Definition.must_from_class(cls)  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
    is_pinned = known.name in PINNED
    behavior = VersioningBehavior.PINNED if is_pinned else VersioningBehavior.AUTO_UPGRADE
    made = types.new_class(cls.__name__, (cls,))
    fields: Mapping[str, object] = {"cls": made, "versioning_behavior": behavior}
    setattr(made, DEFINITION, replace(known, **fields))  # type: ignore[arg-type]
    return made
