"""What every route declares that it needs: for the table in the docs, and for the tests of it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.params import Depends
from fastapi.routing import APIRoute

from api.core.incoming import SAFE
from api.core.permissions import About, Permission
from domain.people.roles import Role, highest


class Declared(NamedTuple):
    """A route by its method and path, with its permissions; without any it has a hole."""

    method: str
    path: str
    permissions: tuple[Permission, ...]
    names: frozenset[str] = frozenset()
    """The parameters of its path and its query."""

    @property
    def needed(self) -> Role:
        """The role that the route needs."""
        return highest(*(each.needed(self.method) for each in self.permissions))

    @property
    def about(self) -> About:
        """Where the route finds its project: as the permission that asks most does."""
        names = self.names
        where = [(each.needed(self.method).rank, each.about_in(names)) for each in self.permissions]
        about = max(where, key=lambda found: (found[0], found[1] is not About.ANY))[1]
        names_none = self.method in SAFE and "repository" not in names
        return About.ANY if about is About.REPOSITORY and names_none else about


def declared(routers: Iterable[APIRouter]) -> Iterator[Declared]:
    """Yield the routes of routers, a line for each method."""
    for router in routers:
        for route in router.routes:
            if isinstance(route, APIRoute):
                found = permissions_in(route.dependencies)
                names = frozenset(_names_in(route.dependant))
                for method in sorted(route.methods or ()):
                    yield Declared(method, route.path, found, names)


def permissions_in(dependencies: Iterable[Depends]) -> tuple[Permission, ...]:
    """Return the permissions among the dependencies of a route."""
    return tuple(
        each.dependency for each in dependencies if isinstance(each.dependency, Permission)
    )


def _names_in(dependant: Dependant) -> Iterator[str]:
    yield from (each.name for each in (*dependant.path_params, *dependant.query_params))
    for below in dependant.dependencies:
        yield from _names_in(below)
