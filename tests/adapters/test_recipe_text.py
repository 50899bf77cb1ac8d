"""The text of recipes: what a workspace.toml says is read, written again, and refused by its key."""

import pytest

from adapters.files.recipe_text import read_recipe, recipe_text
from domain.recipes.errors import InvalidRecipeError
from domain.recipes.recipe import User

WHOLE = b"""
setup = ["make deps"]
copy = [".env"]
path = [".venv/bin"]

[environment]
MODE = "test"

[secrets.TOKEN]
command = "op read t"
for = ["verification"]
"""


def test_a_recipe_is_read_by_the_names_that_it_gives():
    recipe = read_recipe(WHOLE, "workspace.toml")
    assert recipe.secrets["TOKEN"].users == ("verification",)
    assert recipe.environment == {"MODE": "test"}
    assert read_recipe(recipe_text(recipe).encode(), "again") == recipe


SERVICES = b"""
[services.web]
command = "serve"
port = "web"
health = "/ready"
timeout = 5
depends_on = ["db"]
cwd = "app"
for = ["person", "agent"]

[services.web.environment]
MODE = "dev"

[services.db]
command = "db"
port = "db"

[services.queue]
command = "queue"
for = ["agent", "verification"]
"""


def test_services_are_read_by_the_names_that_they_are_given():
    recipe = read_recipe(SERVICES, "workspace.toml")
    web = recipe.services["web"]
    assert (web.health, web.timeout, web.cwd) == ("/ready", 5, "app")
    assert web.users == (User.PERSON, User.AGENT)
    assert recipe.services["db"].users == (User.AGENT, User.VERIFICATION, User.PERSON)
    assert web.environment == {"MODE": "dev"}
    assert read_recipe(recipe_text(recipe).encode(), "again") == recipe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"setpu = ['x']", "setpu.*did you mean 'setup'.*unknown_key"),
        (b"[secrets.TOKEN]\nfiel = '.env'", "secrets.TOKEN.fiel.*unknown_key"),
        (b"[secrets.TOKEN]\nfile = 7", "secrets.TOKEN.file.*wrong_type"),
        (b"setup = 'make'", "setup.*wrong_type"),
        (b"[environment]\nPATH = '/x'", "or give folders as 'path'"),
        (b"timeout = true", "timeout"),
        (b"copy = ['../x']", "copy.0.*bad_path"),
        (b"[services.web]\ncommand = 'x'\nporrt = 'web'", "services.web.porrt"),
        (b"[services.web]\nport = 'web'", "missing_field"),
        (b"[services.web]\ncommand = 'x'\ntimeout = true", "services.web.timeout"),
        (b"[services.web]\ncommand = 'x'\nfor = ['me']", "services.web.for"),
        (b"[services.web]\ncommand = 'x'\ndepends_on = ['db']", "unknown_service"),
        (b"setup = [", "bad_toml"),
        (b"\xff", "not_text"),
        (b"#" * 70_000, "too_large"),
    ],
)
def test_what_a_recipe_cannot_say_is_refused_with_its_key(text: bytes, words: str):
    with pytest.raises(InvalidRecipeError, match=words):
        read_recipe(text, "workspace.toml")
