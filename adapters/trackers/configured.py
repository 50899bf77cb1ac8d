"""The trackers of the settings, and the threads of their issues."""

from collections.abc import Mapping
from typing import NamedTuple

from domain.core.errors import UnknownAgentError
from domain.core.ids import ThreadId
from domain.forges.issues import Issue
from domain.forges.ports import Tracker
from domain.plans.settings import PlannerSettings
from domain.threads import patches
from domain.threads.inputs import ThreadInput
from domain.trackers.goal import goal_of, link_of
from domain.trackers.ports import ConfiguredTracker
from domain.trackers.source import TrackerSource


class ThreadDefaults(NamedTuple):
    """What the settings say of threads that name nothing else."""

    agent: str | None = None
    planner: PlannerSettings = PlannerSettings()
    plan_files: bool = False


class ConfiguredTrackers:
    """Implements `Trackers`."""

    def __init__(
        self, trackers: Mapping[str, tuple[TrackerSource, Tracker]], defaults: ThreadDefaults
    ) -> None:
        self._trackers = trackers
        self._defaults = defaults

    def names(self) -> tuple[str, ...]:
        """Return the names of all."""
        return tuple(self._trackers)

    def find(self, name: str) -> ConfiguredTracker | None:
        """Return a tracker by its name; None where the settings have none of it now."""
        found = self._trackers.get(name)
        return ConfiguredTracker(*found) if found else None

    def prepare(self, source: TrackerSource, issue: Issue, entry_id: str) -> ThreadInput:
        """Return the thread of an issue; a person approves its plan, whatever the settings say of others.

        Its author counts as who opened it, where they are a person here: the rule of four eyes asks for another.

        Raises:
            UnknownAgentError: Neither the tracker nor the settings name an agent.
        """
        agent = source.agent or self._defaults.agent
        if not agent:
            raise UnknownAgentError(
                f"the tracker {source.name} has no agent: give it one in config.toml, or set default_agent"
            )
        return ThreadInput(
            thread_id=ThreadId(entry_id),
            goal=goal_of(issue),
            repository=source.repository,
            agent=agent,
            template=source.template,
            planner=self._defaults.planner.model_copy(update={"auto_run": False}),
            patches=patches.ALL,
            issue=link_of(issue),
            opened_by=source.person_of(issue.author) or f"tracker {source.name}",
            has_plan_files=self._defaults.plan_files,
        )
