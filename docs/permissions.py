"""The page of permissions: what each route and each command needs."""

from collections.abc import Iterable

from api.app import ROUTES
from api.core.declared import declared
from domain.core.command import Stopping
from domain.people.commands import ROLES
from domain.people.roles import Role

HEAD = """# Permissions

Which role every route and every command needs, once there are [people](../how-to/people.md). The owner, which is
the user that the server runs as, may do all of it. Whoever lacks the role is answered 403 `role_missing`; a token
gives at most its scope, in its projects.

A viewer reads. A proposer also opens threads, adds to the queue and sends messages; tokens with this scope are for
[programs](../how-to/mcp.md), which can't do anything else for their person. An author also edits plans and steers what runs. An approver also
decides: plans, gates, permissions of agents, merges, and what of a repository is trusted. An admin also changes what
belongs to the server, deletes threads, and sees tokens and the audit log. Each may do what those before may.
"""

ROUTES_HEAD = """## Routes

*Where* says in which project the role is needed. A route for any project lists only what is of yours, and takes
only what you may do in the project that the request names: to open a thread you must be a proposer there, an
author to choose how its agents and plans run, and an approver if its plans start without approval or if its
spending limit is higher than the settings'.
"""

COMMANDS_HEAD = """## Commands

These are the updates and signals of workflows. Each carries a code, which is good for one person, and which `treadle show`
prints for `temporal workflow signal`; the worker also checks that the person has the role at that time. What *stops* something
needs the code only where there are people. Commands of agents decide nothing, and no signal is taken for one.
"""


def page(generated: str) -> str:
    """Return the page."""
    rows = [
        (f"`{each.method} /v1{each.path}`", _role(each.needed), each.about.value)
        for each in declared(module.router for module in ROUTES)
    ]
    stops = {kind.door for kind in Stopping.__subclasses__()}
    commands = [
        (f"`{door}`", role.value, "where there are people" if door in stops else "always")
        for door, role in sorted(ROLES.items())
    ]
    parts = (
        f"{HEAD}\n{generated}\n",
        f"{ROUTES_HEAD}\n{_table(('route', 'role', 'where'), rows)}",
        f"{COMMANDS_HEAD}\n{_table(('command', 'role', 'code'), commands)}",
    )
    return "\n".join(parts)


def _role(role: Role) -> str:
    return "everybody" if role is Role.NONE else role.value


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
