"""The `temporal workflow signal` commands of a person: those for which they have the role."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends

from api.core.dependencies import KeyDep, Person, WorkflowsDep
from api.core.permissions import PermitsDep
from domain.core.approvals import signal_line
from domain.core.command import Coded, Proven
from domain.people.commands import role_for


class SignalLines:
    """Writes lines whose codes are good for the person who asks, and for nobody else."""

    def __init__(
        self, key: KeyDep, workflows: WorkflowsDep, person: Person, permits: PermitsDep
    ) -> None:
        self._key = key
        self._options = workflows.cli_options
        self._person = person
        self._permits = permits

    def of(self, project: str, commands: Iterable[tuple[str, str, Proven]]) -> dict[str, str]:
        """Return the lines by their purposes, of purposes, workflows and commands of a project.

        What stops something has a line only where it needs a code. A program gets none: they would be a person's.
        """
        if self._permits.access.caller.program:
            return {}
        secret, access = self._key.read(), self._permits.access
        return {
            purpose: signal_line(secret, workflow_id, command, self._options, self._person)
            for purpose, workflow_id, command in commands
            if access.role_in(project).allows(role_for(command.door))
            and (isinstance(command, Coded) or self._permits.has_people)
        }


LinesDep = Annotated[SignalLines, Depends()]
