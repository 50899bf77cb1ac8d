"""What whoever sends a request may do, and the refusals."""

from typing import Protocol

from domain.core.acting import signature
from domain.core.errors import ForbiddenError
from domain.core.four_eyes import FourEyes
from domain.core.wire import Wire
from domain.people.audit import AuditEntry
from domain.people.directory import Directory
from domain.people.roles import EVERY_PROJECT, Role, covers, lowest


class RoleMissingError(ForbiddenError):
    """Your role, or the scope of your token, does not allow this; the message says which role does."""

    type = "role_missing"


class OnlyProposesError(RoleMissingError):
    """This token can only propose; a person does this themselves, on the page or with `treadle`."""

    type = "only_proposes"


class PeopleFileError(ForbiddenError):
    """The file people.toml is wrong: nobody but the owner may do anything until it is fixed."""

    type = "people_file_wrong"
    status = 503


class Caller(Wire):
    """Whoever sends a request, as the gate found them."""

    person: str
    groups: tuple[str, ...] = ()
    is_owner: bool = False
    """Whether it is the user that the server runs as, with its own token."""
    scope: Role = Role.ADMIN
    """The most that the credentials give: a token may be good for less than its person."""
    projects: tuple[str, ...] = ()
    token_id: str = ""
    sign_in_id: str = ""
    passkey_id: str = ""
    """The passkey that the session began with, or the session in which the token was made."""
    program: str = ""
    """The program that acts for the person, by a token that only proposes; empty for the person."""

    @property
    def signature(self) -> str:
        """Who opens, queues or says something, as everybody reads it."""
        return signature(self.person, self.program)


class People(Protocol):
    """Where the directory is read; it may change while the server runs."""

    def read(self) -> Directory | None:
        """Return the newest directory; None where there is none, and so one person only.

        Raises:
            PeopleFileError: It is wrong.
        """
        ...


class Deciders(Protocol):
    """Where a worker learns whether a person may decide."""

    async def may_decide(self, person: str, door: str, workflow_id: str) -> bool | None:
        """Tell whether a person has the role that a command needs; None where there is one person only.

        While the directory is wrong, only the owner may decide.
        """
        ...


class ApprovalRules(Protocol):
    """Where a worker learns how many people a project asks for."""

    async def four_eyes(self, project: str, asked: FourEyes) -> FourEyes:
        """Return the rule of a project, as it is now, with what else is asked for; none where there is one person.

        Raises:
            PeopleFileError: The directory is wrong, or missing where there are several people.
        """
        ...


class Audit(Protocol):
    """Where a worker notes what came through Temporal."""

    async def add(self, *entries: AuditEntry) -> None:
        """Add entries; one whose key is known is passed over. Durable on return."""
        ...


class Access(Wire):
    """What a caller may do in each project."""

    caller: Caller
    directory: Directory | None = None

    @property
    def is_unlimited(self) -> bool:
        """Whether it is everything: of the owner, with credentials that are good for everything."""
        caller = self.caller
        return caller.is_owner and caller.scope is Role.ADMIN and not caller.projects

    @property
    def anywhere(self) -> Role:
        """The highest role in any project."""
        if self.caller.is_owner:
            return self.caller.scope
        if self.directory is None:
            return Role.NONE
        held = self.directory.highest_role(self.caller.person, self.caller.groups)
        return lowest(held, self.caller.scope)

    def role_in(self, project: str = EVERY_PROJECT) -> Role:
        """Return the caller's role in a project; without one, in what belongs to the server."""
        named = self.caller.projects
        if named and not any(covers(name, project) for name in named):
            return Role.NONE
        if self.caller.is_owner:
            return self.caller.scope
        if self.directory is None:
            return Role.NONE
        held = self.directory.role_in(project, self.caller.person, self.caller.groups)
        return lowest(held, self.caller.scope)

    def sees(self, project: str) -> bool:
        """Tell whether the caller may read what is of a project."""
        return self.role_in(project).allows(Role.VIEWER)

    def require(self, needed: Role, project: str = EVERY_PROJECT) -> None:
        """Refuse what needs a higher role.

        Raises:
            RoleMissingError: The caller's role in the project is too low.
        """
        held = self.role_in(project)
        if not held.allows(needed):
            raise self._refusal(needed, held, _spoken(project))

    def refuse_program(self) -> None:
        """Refuse what only a person may do, whatever roles they have.

        Raises:
            OnlyProposesError: A program asks.
        """
        caller = self.caller
        if caller.program:
            raise OnlyProposesError(
                f"{caller.program} can only propose, queue, read and comment for {caller.person}: "
                "a person does this themselves, on the page or with `treadle`"
            )

    def require_anywhere(self, needed: Role) -> None:
        """Refuse what needs a higher role than the caller has in any project.

        Raises:
            RoleMissingError: It does.
        """
        if not self.anywhere.allows(needed):
            raise self._refusal(needed, self.anywhere, "any project")

    def _refusal(self, needed: Role, held: Role, where: str) -> RoleMissingError:
        caller = self.caller
        own = f"this token's scope is {caller.scope}, and " if caller.token_id else ""
        return RoleMissingError(
            f"{caller.person} needs the role {needed} in {where}: {own}theirs is {held}; "
            "an admin gives roles in people.toml"
        )


def _spoken(project: str) -> str:
    return "every project (*)" if project == EVERY_PROJECT else f"the project {project!r}"
