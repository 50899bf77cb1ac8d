"""Secrets of recipes: read when a process needs them, for those who are named, and kept out of all that is kept."""

import re
from pathlib import Path

import pytest

from adapters.processes.spawner import Spawner
from adapters.setup.secrets import RecipeSecrets
from domain.recipes.errors import SecretUnavailableError
from domain.recipes.recipe import Secret, User, WorkspaceRecipe

FILE = Secret(file=".env", users=("agent", "Deploy"))
COMMAND = Secret(command="echo of-the-command")


async def test_they_are_for_those_who_are_named_and_are_learned(
    spawner: Spawner, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text('TOKEN="of-the-file $HOME"\n')
    learned: dict[str, str] = {}
    secrets = RecipeSecrets(spawner, learned.update)
    recipe = WorkspaceRecipe(secrets={"TOKEN": FILE, "PRINTED": COMMAND})
    users = (User.AGENT, User.SETUP, "Deploy", "Tests")
    assert {user: await secrets.of(recipe, tmp_path, user) for user in users} == {
        "agent": {"TOKEN": "of-the-file $HOME"},
        "setup": {"PRINTED": "of-the-command"},
        "Deploy": {"TOKEN": "of-the-file $HOME", "PRINTED": "of-the-command"},
        "Tests": {"PRINTED": "of-the-command"},
    }
    assert learned == {"TOKEN": "of-the-file $HOME", "PRINTED": "of-the-command"}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (Secret(file=".env"), "TOKEN is not there: .env has none"),
        (Secret(command="echo no login >&2; exit 1"), "no login"),
        (Secret(command="true"), "true has none"),
    ],
)
async def test_one_that_cannot_be_read_is_named(
    spawner: Spawner, tmp_path: Path, source: Secret, why: str
) -> None:
    secrets = RecipeSecrets(spawner, lambda _: None)
    with pytest.raises(SecretUnavailableError, match=re.escape(why)):
        await secrets.of(WorkspaceRecipe(secrets={"TOKEN": source}), tmp_path, User.SETUP)
