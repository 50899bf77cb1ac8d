"""Which build carried out each run of a workflow, as Temporal has it."""

from dataclasses import dataclass
from datetime import datetime

from temporalio.client import Client

from tests.chaos.upgrades.fleet import NEW, OLD

PINNED = frozenset(("Task", "Session"))
MORE_THAN_EVERYTHING = 10_000


@dataclass(frozen=True)
class Run:
    """A run: its workflow, the build of its last step, and where an override has moved it."""

    workflow: str
    kind: str
    build: str
    is_pinned: bool
    moved_to: str
    began: datetime
    closed: datetime | None


async def runs_of(client: Client, threads: list[str]) -> list[Run]:
    """Return all runs of threads and of what is under them."""
    found: list[Run] = []
    for thread in threads:
        query = f"WorkflowId STARTS_WITH '{thread}'"
        async for listed in client.list_workflows(query, limit=MORE_THAN_EVERYTHING):
            handle = client.get_workflow_handle(listed.id, run_id=listed.run_id)
            described = await handle.describe()
            info = described.raw_description.workflow_execution_info.versioning_info
            has_moved = info.HasField("versioning_override")
            found.append(
                Run(
                    listed.id,
                    described.workflow_type,
                    info.deployment_version.build_id,
                    info.behavior == 1,
                    info.versioning_override.pinned.version.build_id if has_moved else "",
                    described.start_time,
                    described.close_time,
                )
            )
    return found


def violations(runs: list[Run], upgraded: datetime, last_old: datetime) -> list[str]:
    """Return where the wrong build went on.

    `upgraded` is when the new build became current, `last_old` when the last old worker began to drain.
    """
    found: list[str] = []
    for run in runs:
        words = f"{run.workflow} ({run.kind}) on {run.build or 'no build'}"
        if run.kind in PINNED and not run.is_pinned:
            found.append(f"{words} is not pinned")
        is_old = run.kind in PINNED and run.began < upgraded
        if is_old and run.closed and run.closed < last_old and run.build != OLD:
            found.append(f"{words} began with the old build, which had a worker to its end")
        if run.began > last_old and run.build != NEW:
            found.append(f"{words} began after the old build")
        if run.closed is None and run.kind in PINNED and run.build == OLD and run.moved_to != NEW:
            found.append(f"{words} is stranded")
    return found
