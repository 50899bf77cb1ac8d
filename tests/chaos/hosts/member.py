"""One thread of a team: its author opens it, its approver decides, and who only looks is refused."""

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from tests.chaos.jobs import Job
from tests.chaos.person import Person
from tests.e2e.job import git

AUTHORS = ("ann", "ben", "cem", "dora", "eva")
APPROVERS = ("gus", "hana", "ivo", "jan")
VIEWERS = ("kim", "lea")
ADMINS = ("zoe",)
EVERYONE = (*AUTHORS, *APPROVERS, *VIEWERS, *ADMINS)
DECIDES = frozenset({"approve", "reject"})
FORBIDDEN = 403


def people() -> str:
    """Return people.toml of the twelve."""
    roles = {
        **dict.fromkeys(AUTHORS, "author"),
        **dict.fromkeys(APPROVERS, "approver"),
        **dict.fromkeys(VIEWERS, "viewer"),
        **dict.fromkeys(ADMINS, "admin"),
    }
    return "\n".join(
        f'[users.{name}]\nroles = {{ "*" = "{role}" }}' for name, role in roles.items()
    )


class Member(Person):
    """Sees one thread through as two people, while others try what is not theirs."""

    def __init__(
        self, clients: dict[str, httpx.AsyncClient], job: Job, folder: Path, chance: random.Random
    ) -> None:
        self.author, self.approver = chance.choice(AUTHORS), chance.choice(APPROVERS)
        self._clients = clients
        self._stranger = chance.choice((self.author, *VIEWERS))
        self.began = datetime.now(UTC)
        self.let_in: list[str] = []
        """What the stranger was not refused."""
        super().__init__(clients[self.author], job, folder, chance)

    def publish(self, origins: Path, url: str) -> None:
        """Put the repository where the hosts find it."""
        git(self.repository, "clone", "--quiet", "--bare", ".", str(origins / Path(url).name))
        self.origin = origins / Path(url).name
        git(self.origin, "config", "http.receivepack", "true")
        self.named = f"{url}@main"

    def client(self, kind: str) -> httpx.AsyncClient:
        return self._clients[self.approver if kind in DECIDES else self.author]

    async def _send(self, kind: str, target: str, path: str, body: dict[str, Any]) -> Any:
        if kind in DECIDES:
            tried = await self._clients[self._stranger].post(path, json=body)
            if tried.status_code != FORBIDDEN:
                self.let_in.append(f"{self._stranger} {kind} {target}: {tried.status_code}")
        return await super()._send(kind, target, path, body)
