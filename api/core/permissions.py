"""What each route needs: a role, in the project that a request is about."""

from collections.abc import Collection
from enum import Enum
from typing import Annotated, Any, cast

from fastapi import Depends, Request

from adapters.files.template_scopes import top_of
from adapters.journal import SqlJournal
from api.core.callers import CALLER
from api.core.incoming import BODY, SAFE
from domain.core.errors import NotFoundError, RepositoryError
from domain.core.remote_repositories import is_remote
from domain.people.access import Access, Caller, PeopleFileError
from domain.people.roles import EVERY_PROJECT, Role


class About(Enum):
    """Where a route finds the project that a request is about."""

    THREAD = "the thread's project"
    RUN = "the flow run's project"
    ENTRY = "the queue entry's project"
    REPOSITORY = "the repository named in the request"
    SERVER = "every project (`*`)"
    ANY = "any project; it shows and takes only what is of yours"
    PUBLIC = "nobody in particular"


def access_of(request: Request) -> Access:
    """Return what whoever sends a request may do.

    Raises:
        PeopleFileError: people.toml is wrong, which leaves all to the owner.
    """
    caller: Caller = request.scope[CALLER]
    if caller.is_owner:
        return Access(caller=caller)
    return Access(caller=caller, directory=request.app.state.people.read())


AccessDep = Annotated[Access, Depends(access_of)]


_ON_BUILT_IN = frozenset({Role.VIEWER, Role.PROPOSER, Role.AUTHOR})
"""Roles that read and try what is built in, or of the server's user."""

_PARAMETERS = {About.THREAD: "thread", About.RUN: "run", About.ENTRY: "entry"}


class Permission:
    """A dependency of routes: refuses whoever lacks the role that a request needs.

    A route has one for each of its routers and its own; all of them apply.
    """

    def __init__(self, about: About, *, read: Role = Role.VIEWER, write: Role) -> None:
        self.about = about
        self.read = read
        self.write = write

    def needed(self, method: str) -> Role:
        """Return the role that a method needs."""
        return self.read if method in SAFE else self.write

    def about_in(self, parameters: Collection[str]) -> About:
        """Return what a request with these parameters in its path is about.

        Routes that list and open things lie beside those of one, and are about any project.
        """
        parameter = _PARAMETERS.get(self.about)
        return self.about if parameter is None or parameter in parameters else About.ANY

    async def __call__(self, request: Request) -> None:
        """Refuse a request whose caller lacks the role.

        A program changes nothing but by routes that declare that they are for programs.

        Raises:
            RoleMissingError: The caller does (403).
            OnlyProposesError: The caller is a program, and this is not for it (403).
            NotFoundError: What the request names is not known.
        """
        needed = self.needed(request.method)
        if request.method not in SAFE and needed is not Role.PROPOSER and CALLER in request.scope:
            Access(caller=request.scope[CALLER]).refuse_program()
        if self.about is About.PUBLIC or needed is Role.NONE:
            return
        access = access_of(request)
        if access.is_unlimited:
            return
        about = self.about_in(request.path_params)
        if about is About.REPOSITORY and needed in _ON_BUILT_IN and not _repository_in(request):
            about = About.ANY  # what is built in, and of the server's user
        if about is About.ANY:
            access.require_anywhere(needed)
            return
        access.require(needed, await self._project(request, about))

    async def _project(self, request: Request, about: About) -> str:
        match about:
            case About.THREAD:
                return await project_of(request, request.path_params["thread"])
            case About.RUN:
                return await project_of(request, request.path_params["run"])
            case About.ENTRY:
                return await _project_of_entry(request)
            case About.REPOSITORY:
                named = _repository_in(request)
                return canonical_project(named) if named else EVERY_PROJECT
            case _:
                return EVERY_PROJECT


async def project_of(request: Request, stream: str) -> str:
    """Return the project of a thread or flow run.

    Raises:
        NotFoundError: The journal has none of this id.
    """
    journal: SqlJournal = request.app.state.journal
    found = await journal.people.projects.of(stream)
    if found is None:
        raise NotFoundError(f"{stream[:80]!r} not found, or not in a project of yours")
    return found


class Permits:
    """What the caller of a request may do, for routes that learn only later what is about what."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.access = access_of(request)

    @property
    def has_people(self) -> bool:
        """Whether a directory gives people roles; without one there is one person."""
        try:
            return self._request.app.state.people.read() is not None
        except PeopleFileError:
            return True

    def read_again(self) -> None:
        """Look again at what the caller may do, in a request that goes on for long."""
        self.access = access_of(self._request)

    async def require(self, needed: Role, stream: str) -> None:
        """Refuse what needs a higher role in the project of a thread or flow run.

        Raises:
            RoleMissingError: The caller's role there is too low.
            NotFoundError: There is no such thread or run.
        """
        if not self.access.is_unlimited:
            self.access.require(needed, await project_of(self._request, stream))

    def may_in(self, needed: Role, folder: str) -> bool:
        """Tell whether the caller has a role in the project of a folder."""
        access = self.access
        return access.is_unlimited or access.role_in(canonical_project(folder)).allows(needed)

    def require_in(self, needed: Role, folder: str) -> None:
        """Refuse what needs a higher role in the project of a folder.

        Raises:
            RoleMissingError: The caller's role there is too low.
        """
        if not self.access.is_unlimited:
            self.access.require(needed, canonical_project(folder))

    def note(self, top: str, folder: str) -> None:
        """Remember of which project a thread or run is that is about to begin."""
        journal: SqlJournal = self._request.app.state.journal
        journal.people.projects.note(top, canonical_project(folder))

    async def visible(self) -> tuple[str, ...] | None:
        """Return the projects that the caller may read; None for all."""
        if self.access.sees(EVERY_PROJECT):
            return None
        journal: SqlJournal = self._request.app.state.journal
        return tuple(
            name for name in await journal.people.projects.every() if self.access.sees(name)
        )

    def sees(self, project: str) -> bool:
        """Tell whether the caller may read what is of a project; of none, with a role in all."""
        return self.access.sees(project or EVERY_PROJECT)

    async def sees_stream(self, stream: str) -> bool:
        """Tell whether the caller may read a thread or flow run."""
        if self.access.is_unlimited:
            return True
        journal: SqlJournal = self._request.app.state.journal
        return self.sees(await journal.people.projects.of(stream) or "")


PermitsDep = Annotated[Permits, Depends()]


async def _project_of_entry(request: Request) -> str:
    name = request.path_params["entry"]
    entry = (await request.app.state.queue_folds.state()).entries.get(name)
    return entry.project if entry else await project_of(request, name)


def _repository_in(request: Request) -> str:
    body: Any = request.scope.get(BODY)
    named: Any = cast("dict[str, Any]", body).get("repository") if isinstance(body, dict) else None
    named = named or request.query_params.get("repository")
    return named if isinstance(named, str) else ""


def canonical_project(folder: str) -> str:
    """Return the project of a folder: the top of its repository, without links in its path.

    What is no folder is a project of nobody's but those with a role in all.
    """
    if is_remote(folder):
        return folder
    try:
        return str(top_of(folder))
    except RepositoryError:
        return EVERY_PROJECT


def needs(about: About, write: Role, *, read: Role = Role.VIEWER) -> Any:
    """Return the dependency that declares what a route needs."""
    return Depends(Permission(about, read=read, write=write))


OF_THREAD = needs(About.THREAD, Role.AUTHOR)
PROPOSES = needs(About.THREAD, Role.PROPOSER)
"""What programs do for people: a person decides on whatever comes of it."""

QUEUES = needs(About.ENTRY, Role.PROPOSER)
OF_RUN = needs(About.RUN, Role.AUTHOR)
OF_ENTRY = needs(About.ENTRY, Role.AUTHOR)
OF_REPOSITORY = needs(About.REPOSITORY, Role.APPROVER)
"""Its templates, flows, recipes and git metadata: what is trusted runs without a question."""

STARTS_IN_REPOSITORY = needs(About.REPOSITORY, Role.AUTHOR)
OF_PROJECTS = needs(About.ANY, Role.AUTHOR)
OF_SERVER = needs(About.SERVER, Role.ADMIN)
OF_DEMO = needs(About.SERVER, Role.AUTHOR)
OPENS_TEMPORAL = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""What Temporal holds is of all projects, and shown in clear."""

INVITES = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""A machine that joins gets all keys."""

JOINS = needs(About.PUBLIC, Role.NONE, read=Role.NONE)
"""Machines that come with the token of an invitation, and nothing else."""

PRUNES = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""What is removed for good, and the receipts of it, are of all projects."""

NOTIFIES = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""Channels tell of all projects; who is told is of the server."""

OF_WEBHOOKS = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""What forges sent is of all projects."""

OF_MACHINE = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""Folders of the server's machine are of no project."""

AUDITS = needs(About.SERVER, Role.ADMIN, read=Role.ADMIN)
"""The audit log tells of everybody, in all projects."""

ASKS_TO_SIGN_IN = needs(About.PUBLIC, Role.NONE, read=Role.NONE)
"""Programs that nobody has confirmed yet."""

SIGNS_IN = needs(About.PUBLIC, Role.NONE, read=Role.NONE)
"""Browsers that sign in: with a passkey, or an invitation to register one."""

OF_OWN = needs(About.PUBLIC, Role.NONE, read=Role.NONE)
"""What is the same for everybody who is signed in, or of the caller alone."""

SEES_THREAD = needs(About.THREAD, Role.VIEWER)
SEES_ANY = needs(About.ANY, Role.VIEWER)
"""What a reader notes for themselves alone."""

APPROVES = needs(About.THREAD, Role.APPROVER)
REMOVES = needs(About.THREAD, Role.ADMIN)
APPROVES_RUN = needs(About.RUN, Role.APPROVER)
REMOVES_RUN = needs(About.RUN, Role.ADMIN)
