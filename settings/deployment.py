"""The settings of a worker's end and of upgrades: what a team's server wants otherwise than one machine."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings


class DeploymentSettings(BaseSettings):
    """How workers end and are upgraded; a part of the settings, never read alone."""

    drain_seconds: Annotated[int, Field(ge=0, le=86_400)] = 300
    """How long what a worker carries out may go on after SIGTERM; `0` ends it at once, as `treadle down` does."""

    deployment: Annotated[str, Field(pattern="^[A-Za-z0-9_-]+$")] | None = None
    """Name of a Worker Deployment in Temporal, for upgrades with several workers; without it workers have no version."""

    build_id: Annotated[str, Field(pattern="^[A-Za-z0-9._-]+$")] | None = None
    """This program's version in the deployment; by default its version with the commit or the content of its wheel."""

    deployment_ramp: Annotated[int, Field(ge=1, le=100)] = 100
    """Per cent of threads that a new version gets at first, while another one has workers."""

    journal_id: Annotated[str, Field(pattern="^[0-9a-f]{1,64}$")] | None = None
    """Id of the journal that this host joined, which `treadle hosts join` writes; another journal is refused."""

    journal_readers: Annotated[int, Field(ge=1, le=64)] = 8
    """Connections for reading that a worker or an API opens to PostgreSQL at most; further reads wait up to 30 s for one."""

    journal_writers: Annotated[int, Field(ge=1, le=16)] = 1
    """Connections for writing that a worker or an API opens to PostgreSQL; each writes other threads at the same time."""

    join_journal_url: str | None = None
    """URL of the journal for hosts that join, where they reach it by another one than `journal_url`."""

    join_temporal_address: Annotated[str, Field(pattern="^[^/@ ]+:[0-9]+$")] | None = None
    """Address of Temporal for hosts that join, where they reach it by another one than `TEMPORAL_ADDRESS`."""

    @property
    def journal_pool(self) -> tuple[int, int]:
        """How many readers and writers of the journal a process has."""
        return self.journal_readers, self.journal_writers
