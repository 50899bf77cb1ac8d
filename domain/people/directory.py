"""Who may do what, as `people.toml` says: people and groups, and their roles by project."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from domain.core.four_eyes import MAX_APPROVALS, FourEyes
from domain.people.roles import Role, covers, highest

PERSON = r"^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$"
"""What people are called: a name of an account, or an address."""

PersonName = Annotated[str, Field(pattern=PERSON)]
GroupName = Annotated[str, Field(min_length=1, max_length=300)]
ProjectName = Annotated[str, Field(min_length=1, max_length=4096)]
Roles = dict[ProjectName, Role]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class User(_Table):
    """A person: what they are shown as, their groups, and roles of their own by project."""

    name: str = Field(default="", max_length=200)
    groups: tuple[GroupName, ...] = ()
    roles: Roles = {}
    is_blocked: bool = False
    """Whether the person may do nothing, whatever their roles and groups say."""


class Group(_Table):
    """A group, of this file or of the identity provider: its roles by project."""

    roles: Roles = {}


class Project(_Table):
    """What holds in a project: how many people approve."""

    plan_by_another: bool = False
    gate_approvals: int = Field(default=1, ge=1, le=MAX_APPROVALS)


class Directory(_Table):
    """The people of a server. Roles are added up: the highest that any grant gives holds."""

    users: dict[PersonName, User] = {}
    groups: dict[GroupName, Group] = {}
    projects: dict[ProjectName, Project] = {}

    @model_validator(mode="after")
    def _has_an_admin(self) -> Self:
        grants = [*self.users.values(), *self.groups.values()]
        if not any(Role.ADMIN in grant.roles.values() for grant in grants):
            words = "give at least one user or group the role admin, like roles = { '*' = 'admin' }"
            raise PydanticCustomError("no_admin", words)
        return self

    def knows(self, person: str) -> bool:
        """Tell whether a person is named, and not blocked."""
        user = self.users.get(person)
        return user is not None and not user.is_blocked

    def is_blocked(self, person: str) -> bool:
        """Tell whether a person may do nothing."""
        user = self.users.get(person)
        return user is not None and user.is_blocked

    def role_in(self, project: str, person: str, groups: tuple[str, ...] = ()) -> Role:
        """Return the role of a person in a project; `groups` are those that the provider named."""
        held = [role for name, role in self._grants(person, groups) if covers(name, project)]
        return highest(*held)

    def highest_role(self, person: str, groups: tuple[str, ...] = ()) -> Role:
        """Return the highest role that a person has in any project."""
        return highest(*(role for _, role in self._grants(person, groups)))

    def four_eyes(self, project: str) -> FourEyes:
        """Return how many people a project asks for: the strictest of all that name it."""
        rule = FourEyes()
        for name, found in self.projects.items():
            if covers(name, project):
                rule = rule.with_other(FourEyes(**found.model_dump()))
        return rule

    def _grants(self, person: str, groups: tuple[str, ...]) -> list[tuple[str, Role]]:
        if self.is_blocked(person):
            return []
        user = self.users.get(person, User())
        found = list(user.roles.items())
        for group in {*user.groups, *groups}:
            found += self.groups.get(group, Group()).roles.items()
        return found
